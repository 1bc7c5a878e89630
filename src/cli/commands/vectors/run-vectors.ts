import { readFileSync } from 'node:fs';
import { didYouMean } from '../../../common/suggest.ts';
import { describeSystemError } from '../../../common/system-error.ts';
import { escapeUnits, pluralize, printable } from '../../../common/text.ts';
import { toAsciiJson } from '../../../conformance/adapter/protocol.ts';
import {
  createValidator,
  type Fault,
  loadGroups,
  loadManifest,
  selectVectors,
  type Vector,
} from '../../../conformance/index.ts';
import { VECTORS } from '../../../conformance/suite/load.ts';
import { STDIN } from '../../../documents/walk.ts';
import { type Arguments, DONE, FAILED, NO, usageError } from '../../command.ts';
import { assertExist } from '../../options.ts';
import { programName } from '../../program.ts';
import { print, printJson, warn } from '../../terminal/output.ts';

const FILTERS = ['group', 'rule', 'flag', 'operation'] as const;

function select(args: Arguments) {
  const [groups, rules, flags, operations] = FILTERS.map((name) => args.value(name)?.split(','));
  try {
    return selectVectors(loadGroups(), {
      ...(groups && { groups }),
      ...(rules && { rules }),
      ...(flags && { flags }),
      ...(operations && { operations }),
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(error.message);
  }
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
  const vectors = new Map(loadGroups().flatMap((group) => group.vectors.map((vector) => [vector.id, vector] as const)));
  for (const id of ids)
    if (!vectors.has(id))
      throw usageError(
        `no such vector: ${JSON.stringify(id)}${didYouMean(id, [...vectors.keys()]) || `; ${programName()} vectors lists them`}`,
      );
  for (const id of ids) await print(json ? `${toAsciiJson(vectors.get(id))}\n` : `${asciiBlock(vectors.get(id))}\n`);
  return DONE;
}

/** Formats JSON on several lines, in ASCII like the files. */
function asciiBlock(value: unknown): string {
  return escapeUnits(JSON.stringify(value, null, 2), /[\u007f-\uffff]/g);
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
          (group) => [`vectors/${group}.json`, new URL(`${group}.json`, VECTORS)] as const,
        )
      : files.map((path) => [path, path] as const);
  let [isValid, isRead] = [true, true];
  for (const [name, source] of inputs) {
    const {
      faults,
      count,
      isUnreadable = false,
    } = await checkFile(
      () => (source === STDIN ? readStdin() : readFileSync(source, 'utf8')),
      (content) => validator.check(content),
    );
    isValid &&= faults.length === 0;
    isRead &&= !isUnreadable;
    if (json) {
      await printJson({ file: name, vectors: count, faults });
      continue;
    }
    for (const { id, message } of faults)
      warn(`${printable(name)}: ${id === '' ? '' : `${printable(id)}: `}${printable(message)}`);
    if (faults.length === 0) await print(`${printable(name)}: ${pluralize(count, 'vector')}, valid\n`);
  }
  return !isRead ? FAILED : isValid ? DONE : NO;
}

function describeReadError(error: unknown): string {
  return describeSystemError(error, { ENOENT: 'no such file' });
}

/** Reads standard input, which may not be ready yet. */
async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function checkFile(
  read: () => string | Promise<string>,
  check: (content: unknown) => Fault[],
): Promise<{ readonly faults: readonly Fault[]; readonly count: number; readonly isUnreadable?: boolean }> {
  try {
    const content = JSON.parse(await read()) as { readonly vectors?: unknown } | null;
    const vectors = content?.vectors;
    return { faults: check(content), count: Array.isArray(vectors) ? vectors.length : 0 };
  } catch (error) {
    const isUnreadable = !(error instanceof SyntaxError);
    const message = isUnreadable ? describeReadError(error) : `not valid JSON: ${error.message}`;
    return { faults: [{ id: '', message }], count: 0, isUnreadable };
  }
}
