import type { VectorOutcome } from '../../outcome.ts';
import type { ReportOptions } from '../baseline.ts';
import type { Report } from '../report.ts';

/** Writes the line of one vector in a report as JSON Lines. */
export function writeVectorLine(outcome: VectorOutcome): string {
  return `${JSON.stringify({ type: 'vector', ...outcome })}\n`;
}

/** Writes the last line of a report as JSON Lines: everything but the vectors. */
export function writeSummaryLine({ outcomes: _, ...summary }: Report, { baseline }: ReportOptions = {}): string {
  return `${JSON.stringify({ type: 'summary', ...summary, ...(baseline !== undefined && { baseline }) })}\n`;
}
