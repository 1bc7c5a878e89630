import { JSON_OPTION, type Option } from '../../command.ts';

/** The options of `simhash-doc conformance` and its subcommands. */
export const OPTIONS: readonly Option[] = [
  { name: 'group', value: 'LIST', help: 'run only these groups' },
  { name: 'filter', value: 'LIST', help: 'run only vectors whose id contains one of these' },
  { name: 'operation', value: 'LIST', help: 'run only these operations' },
  { name: 'large', help: 'also run accumulated vectors of more than 10,000 cases' },
  { name: 'random', value: 'N', help: 'random cases for each operation (default: 100; 0 for none)' },
  { name: 'seed', value: 'N', help: 'seed of the random cases (default: a new one for each run)' },
  { name: 'deadline', value: 'SECONDS', help: 'time for one reply (default: 10)' },
  { name: 'restarts', value: 'N', help: 'restart the adapter at most N times after a crash or timeout (default: 20)' },
  { name: 'one-shot', help: 'COMMAND reads a document from standard input and prints its fingerprint' },
  JSON_OPTION,
  { name: 'tap', value: 'FILE', help: 'write a report in TAP 14' },
  { name: 'junit', value: 'FILE', help: 'write a report in JUnit XML' },
  { name: 'html', value: 'FILE', help: 'write a report as an HTML page' },
  { name: 'markdown', value: 'FILE', help: 'write a summary in Markdown, such as to "$GITHUB_STEP_SUMMARY"' },
  { name: 'badge', value: 'FILE', help: 'write an endpoint badge for shields.io' },
  { name: 'claim', value: 'FILE', help: 'write the claim that the results allow, for conformance verify' },
  { name: 'results', value: 'FILE', help: 'write the results, for conformance report' },
  { name: 'baseline', value: 'FILE', help: 'read known failures' },
  { name: 'update-baseline', help: 'write the failures of this run to the file of --baseline' },
  { name: 'failures', value: 'N', help: 'show N failures in full (default: 10)' },
  { name: 'grade', help: 'show how far wrong fingerprints are from the right ones' },
  { name: 'lang', value: 'LANGUAGE', help: 'language of the skeleton that init writes' },
  { name: 'out', value: 'FOLDER', help: 'folder of the skeleton that init writes (default: the current one)' },
  { name: 'quiet', short: 'q', help: 'show no progress and no report on the terminal' },
];
