import { checkVector, explainReply, explainVector } from '../../../conformance/index.ts';
import { type Arguments, DONE, NO, usageError } from '../../command.ts';
import { printJson, printStyled, styleFor } from '../../terminal/print.ts';
import { findVectors } from '../vectors/run-vectors.ts';
import { adapterOf, assertTerminator, reportNotRun } from './conformance-settings.ts';

export async function runExplainVector(args: Arguments): Promise<number> {
  const [id, ...command] = args.positionals;
  assertTerminator(args, 1);
  if (id === undefined) throw usageError('expected the id of a vector');
  const vector = findVectors([id])[0]!;
  const json = args.flag('json');
  const paint = styleFor(process.stdout, process.env);
  const lines = explainVector(vector, { paint });
  if (command.length === 0) {
    await (json ? printJson({ vector }) : printStyled(`${lines.join('\n')}\n`));
    return DONE;
  }
  const adapter = adapterOf(args, command);
  try {
    const { reply = { kind: 'unsupported' as const }, outcome } = await checkVector(adapter, vector);
    const { location, scalars } = outcome;
    const explained = explainReply(vector, reply, { location, scalars, paint });
    // Members that are undefined are not printed.
    if (json) await printJson({ vector, reply, right: explained.right, location, scalars });
    else await printStyled(`${[...lines, ...explained.lines].join('\n')}\n`);
    return explained.right === false ? NO : DONE;
  } catch (error) {
    return await reportNotRun(error, json);
  } finally {
    await adapter.close();
  }
}
