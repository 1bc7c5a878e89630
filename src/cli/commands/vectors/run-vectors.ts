import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { didYouMean } from '../../../common/suggest.ts';
import { describeSystemError } from '../../../common/system-error.ts';
import { pluralize, printable } from '../../../common/text.ts';
import { toAsciiJson } from '../../../conformance/adapter/protocol.ts';
import {
  createValidator,
  type Fault,
  loadGroups,
  loadManifest,
  selectVectors,
  type Vector,
} from '../../../conformance/index.ts';
import { readVectors } from '../../../conformance/suite/load-suite.ts';
import { STDIN } from '../../../documents/walk.ts';
import { type Arguments, DONE, FAILED, NO, orUsageError, programName, usageError } from '../../command.ts';
import { assertExist, given } from '../../options.ts';
import { print, printJson, warn } from '../../terminal/print.ts';

function select(args: Arguments) {
  const namesOf = (name: string): string[] | undefined => args.value(name)?.split(',');
  const [groups, rules, flags, operations] = ['group', 'rule', 'flag', 'operation'].map(namesOf);
  return orUsageError(() => selectVectors(loadGroups(), given({ groups, rules, flags, operations })));
}

export function isGroup(word: string): boolean {
  return loadGroups().some(({ group }) => group === word);
}

export async function listVectors(args: Arguments): Promise<number> {
  const [operand] = args.positionals;
  if (operand !== undefined) throw usageError(`expected options only, got ${JSON.stringify(operand)}`);
  const groups = select(args);
  const vectors = groups.flatMap((group) => group.vectors);
  if (args.flag('json')) await print(vectors.map((vector) => `${toAsciiJson(vector)}\n`).join(''));
  else {
    const width = Math.max(0, ...vectors.map(({ id }) => id.length));
    const retired = ({ status }: Vector): string => (status === undefined ? '' : ` (${status})`);
    await print(vectors.map((vector) => `${vector.id.padEnd(width)}  ${vector.title}${retired(vector)}\n`).join(''));
  }
  return DONE;
}

export async function showVectors(args: Arguments): Promise<number> {
  const [ids, json] = [args.positionals, args.flag('json')];
  if (ids.length === 0) throw usageError('expected the id of a vector');
  for (const vector of findVectors(ids)) await print(`${toAsciiJson(vector, json ? 0 : 2)}\n`);
  return DONE;
}

const MAX_SUGGESTIONS = 5;

export function findVectors(ids: readonly string[]): Vector[] {
  const vectors = new Map(loadGroups().flatMap((group) => group.vectors.map((vector) => [vector.id, vector] as const)));
  return ids.map((id) => {
    const vector = vectors.get(id);
    if (vector !== undefined) return vector;
    const close = [...vectors.keys()].filter((each) => each.includes(id)).slice(0, MAX_SUGGESTIONS);
    const hint = close.length > 0 ? `: did you mean ${close.join(', ')}?` : didYouMean(id, [...vectors.keys()]);
    throw usageError(`no such vector: ${JSON.stringify(id)}${hint || `; ${programName()} vectors lists them`}`);
  });
}

export async function validateVectors(args: Arguments): Promise<number> {
  const [files, json] = [args.positionals, args.flag('json')];
  const shipped = Object.keys(loadManifest().vectors);
  // Other files must not reuse ids of the suite.
  assertExist(files);
  const validator = createValidator(files.length === 0 ? [] : shipped);
  const inputs =
    files.length === 0
      ? Object.keys(loadManifest().groups).map(
          (group) => [`vectors/${group}.json`, () => readVectors(`${group}.json`)] as const,
        )
      : files.map((path) => [path, () => readFile(path)] as const);
  let [isValid, areRead] = [true, true];
  for (const [name, read] of inputs) {
    const { faults, count, isRead } = await checkFile(read, validator.check);
    isValid &&= faults.length === 0;
    areRead &&= isRead;
    if (json) {
      await printJson({ file: name, vectors: count, faults });
      continue;
    }
    for (const { id, message } of faults)
      warn(`${printable(name)}: ${id === '' ? '' : `${printable(id)}: `}${printable(message)}`);
    if (faults.length === 0) await print(`${printable(name)}: ${pluralize(count, 'vector')}, valid\n`);
  }
  if (!areRead) return FAILED;
  return isValid ? DONE : NO;
}

async function readFile(path: string): Promise<unknown> {
  const bytes = path === STDIN ? await buffer(process.stdin) : readFileSync(path);
  return JSON.parse(bytes.toString());
}

async function checkFile(read: () => unknown, check: (content: unknown) => Fault[]) {
  try {
    const content = (await read()) as { readonly vectors?: unknown } | null;
    const vectors = content?.vectors;
    return { faults: check(content), count: Array.isArray(vectors) ? vectors.length : 0, isRead: true };
  } catch (error) {
    const isRead = error instanceof SyntaxError;
    const message = isRead
      ? `not valid JSON: ${error.message}`
      : describeSystemError(error, { ENOENT: 'no such file' });
    return { faults: [{ id: '', message }], count: 0, isRead };
  }
}
