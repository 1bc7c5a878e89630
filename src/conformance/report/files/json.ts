import type { VectorOutcome } from '../../outcome.ts';
import type { ReportOptions } from '../baseline.ts';
import type { Report } from '../report.ts';

/** The object for one vector in a report as JSON Lines. */
export function vectorRecord(outcome: VectorOutcome) {
  return { type: 'vector', ...outcome };
}

/** The last object in a report as JSON Lines: everything but the vectors. */
export function summaryRecord({ outcomes: _, ...summary }: Report, { baseline }: ReportOptions = {}) {
  return { type: 'summary', ...summary, ...(baseline !== undefined && { baseline }) };
}
