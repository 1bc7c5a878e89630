import type { Report } from '../../../conformance/index.ts';
import type { Option } from '../../command.ts';

interface ReportFile extends Pick<Option, 'help' | 'isRare'> {
  readonly mark: RegExp;
  /** Makes its text, by the functions of a module that is loaded for a run only. */
  readonly write: (library: typeof import('../../../conformance/index.ts'), report: Report) => string;
}

export const REPORTS = {
  junit: {
    help: 'write a report in JUnit XML',
    mark: /^<\?xml .*\n<testsuites name="simhash-doc conformance of /,
    write: ({ writeJunit }, report) => writeJunit(report),
  },
  html: {
    help: 'write a report as an HTML page',
    mark: /^<!DOCTYPE html>\n[\s\S]*?<title>Conformance to simhash-doc<\/title>/,
    write: ({ writeHtml, resultsOf }, report) => writeHtml([resultsOf(report)]),
  },
  results: {
    help: 'write the results, for conformance report',
    mark: /^\{\s*"kind": ?"simhash-doc-results"/,
    write: ({ writeResults, resultsOf }, report) => writeResults(resultsOf(report)),
  },
  'write-skip': {
    isRare: true,
    help: 'write a list of the vectors that failed or were not run, for --skip',
    mark: /^# Vectors that .* does not pass, by suite /,
    write: ({ writeSkipList }, report) => writeSkipList(report),
  },
} as const satisfies Readonly<Record<string, ReportFile>>;

export type RunReport = keyof typeof REPORTS;

export const RUN_REPORTS = Object.keys(REPORTS) as readonly RunReport[];

export const MARKS = {
  ...(Object.fromEntries(RUN_REPORTS.map((name) => [name, REPORTS[name].mark])) as Record<RunReport, RegExp>),
  claim: /^\{\s*"kind": ?"simhash-doc-claim"/,
};

export function reportOption(name: RunReport): Option {
  const { help, isRare }: ReportFile = REPORTS[name];
  return { name, value: 'FILE', help, ...(isRare && { isRare }) };
}
