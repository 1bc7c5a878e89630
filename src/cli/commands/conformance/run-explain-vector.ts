import { checkVector, explainReply, explainVector, loadGroups, type Vector } from '../../../conformance/index.ts';
import { type Arguments, DONE, NO, programName, usageError } from '../../command.ts';
import { printJson, printStyled, styleFor } from '../../terminal/print.ts';
import { adapterOf, assertTerminator, reportNotRun } from './conformance-settings.ts';

const MAX_SUGGESTIONS = 5;

export async function runExplainVector(args: Arguments): Promise<number> {
  const [id, ...command] = args.positionals;
  assertTerminator(args, 1);
  const vector = findVector(id);
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

function findVector(id: string | undefined): Vector {
  if (id === undefined) throw usageError('expected the id of a vector');
  const vectors = loadGroups().flatMap((group) => group.vectors);
  const vector = vectors.find((each) => each.id === id);
  if (vector !== undefined) return vector;
  const close = vectors.filter((each) => each.id.includes(id)).map((each) => each.id);
  const hint =
    close.length === 0
      ? `${programName()} vectors lists them`
      : `did you mean ${close.slice(0, MAX_SUGGESTIONS).join(', ')}?`;
  throw usageError(`no such vector: ${JSON.stringify(id)}; ${hint}`);
}
