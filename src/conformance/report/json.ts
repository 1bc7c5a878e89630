import { assertReport, assertVerdict } from '../options.ts';
import type { Report, VectorOutcome } from '../run.ts';
import type { BaselineVerdict } from './baseline.ts';

/** A line of the JSON report about one vector. */
export function vectorLine(outcome: VectorOutcome): string {
  return `${JSON.stringify({ type: 'vector', ...outcome })}\n`;
}

/** The last line of the JSON report: all but the vectors. */
export function summaryLine({ outcomes: _, ...summary }: Report, baseline?: BaselineVerdict): string {
  return `${JSON.stringify({ type: 'summary', ...summary, ...(baseline !== undefined && { baseline }) })}\n`;
}

/** Writes a report as JSON Lines: an object for each vector, then one with all the rest. */
export function writeJsonLines(report: Report, baseline?: BaselineVerdict): string {
  assertReport(report);
  assertVerdict(baseline);
  return report.outcomes.map(vectorLine).join('') + summaryLine(report, baseline);
}
