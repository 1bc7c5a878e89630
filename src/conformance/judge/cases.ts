import type { Adapter, Reply } from '../adapter/protocol.ts';
import { caseOf, countCases, digestOfLines, lineOf } from '../suite/accumulate.ts';
import type { Outcome, ScalarCases } from '../types.ts';

export interface CasesRun {
  readonly reply: Reply;
  /** The lines of the cases that were answered, in their order. */
  readonly lines: readonly string[];
}

/** The line of a result that does not have the form of its operation. */
const MALFORMED = 'malformed\n';

/** Writes the line of a reply; undefined if it has no outcome. */
export function lineOfReply({ step }: ScalarCases, reply: Reply): string | undefined {
  if (reply.kind !== 'ok' && reply.kind !== 'error') return undefined;
  const outcome: Outcome = reply.kind === 'ok' ? { result: reply.result } : { error: reply.code };
  try {
    return lineOf(step, outcome);
  } catch {
    return MALFORMED;
  }
}

/** Sends cases one by one, as an adapter would run them in `accumulate`, until a reply is not an outcome. */
export async function runCases(adapter: Adapter, input: ScalarCases): Promise<CasesRun> {
  const lines: string[] = [];
  for (let i = 0; i < countCases(input); i++) {
    const each = caseOf(input, i);
    const reply = await adapter.request(each.operation, each.input);
    const line = lineOfReply(input, reply);
    if (line === undefined) return { reply, lines };
    lines.push(line);
  }
  return { reply: { kind: 'ok', result: { digest: await digestOfLines(lines) } }, lines };
}
