import { formatBytes, formatNumber, pluralize } from '../../../common/text.ts';
import { STDIN } from '../../../documents/walk.ts';
import { LABEL } from '../../../scheme/labels/label.ts';
import { type Arguments, DONE, FAILED, usageError } from '../../command.ts';
import { isLabelled, labelsOfLength } from '../../fingerprints.ts';
import { assertExist, labelOf } from '../../options.ts';
import { print, printJson, warn } from '../../terminal/output.ts';
import { queryLimitsOf } from './limits.ts';
import { assertStorePlace, type Store, type Use, withStore } from './store.ts';

/** What a subcommand does with an open index. */
type Action = (store: Store, args: Arguments, operands: readonly string[]) => Promise<number>;

interface Subcommand {
  readonly use: Use | 'none';
  /** What it needs besides STORE, or what it takes none of. */
  readonly operands: 'some' | 'any' | 'none';
  readonly options?: readonly string[];
  readonly load?: () => Promise<Action>;
}

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  create: { use: 'create', operands: 'none', load: async () => create },
  add: {
    use: 'write',
    operands: 'some',
    options: ['exclusive', 'hidden'],
    load: async () => (await import('./add.ts')).addDocuments,
  },
  query: {
    use: 'read',
    operands: 'some',
    options: ['distance', 'limit', 'verify', 'min-overlap', 'hidden', 'fail-if-found'],
    load: async () => (await import('./query.ts')).queryDocuments,
  },
  remove: { use: 'write', operands: 'some', load: async () => remove },
  stats: { use: 'read', operands: 'none', load: async () => stats },
  export: { use: 'read', operands: 'none', load: async () => exportAll },
  import: {
    use: 'write',
    operands: 'any',
    options: ['exclusive'],
    load: async () => (await import('./import.ts')).importFiles,
  },
  // Opens it by itself.
  verify: { use: 'none', operands: 'none' },
};

/** Runs `simhash-doc index`. */
export async function runIndex(args: Arguments): Promise<number> {
  const [name, place, ...operands] = args.positionals;
  const known = Object.keys(SUBCOMMANDS).join(', ');
  if (name === undefined) throw usageError(`expected a subcommand: one of ${known}`);
  if (!Object.hasOwn(SUBCOMMANDS, name))
    throw usageError(`unknown subcommand ${JSON.stringify(name)}: expected one of ${known}`);
  const { use, operands: wanted, options = [], load } = SUBCOMMANDS[name]!;
  if (place === undefined) throw usageError(`${name}: expected STORE: a folder, or the URL of a database`);
  if (wanted === 'none' && operands.length > 0)
    throw usageError(`${name}: expected one index and nothing else, got ${JSON.stringify(operands[0])}`);
  if (wanted === 'some' && operands.length === 0) throw usageError(`${name}: expected something after the index`);
  for (const option of ['distance', 'limit', 'verify', 'min-overlap', 'exclusive', 'hidden', 'fail-if-found'])
    if (!options.includes(option) && (args.flag(option) || args.value(option) !== undefined))
      throw usageError(`--${option} has no meaning for "index ${name}"`);
  if (args.value('min-overlap') !== undefined && !args.flag('verify')) throw usageError('--min-overlap needs --verify');
  if (operands.filter((operand) => operand === STDIN).length > 1)
    throw usageError('- (standard input) can be read only once: name it once');
  // Before the index is opened.
  queryLimitsOf(args, LABEL);
  assertStorePlace(place, use);
  if (name === 'add' || name === 'import') assertExist(operands);
  if (name === 'query')
    assertExist(operands.filter((operand) => !isLabelled(operand) && labelsOfLength(operand).length === 0));
  if (use === 'none' || load === undefined) return (await import('./check.ts')).verifyStore(place, args);
  const [takeOver, exclusive] = [args.flag('take-over'), args.flag('exclusive')];
  const label = args.value('label') === undefined ? undefined : labelOf(args);
  const code = await withStore({ place, use, takeOver, exclusive, label }, async (store) =>
    (await load())(store, args, operands),
  );
  return code ?? FAILED;
}

const create: Action = async () => DONE;

const remove: Action = async (store, args, ids) => {
  let [removed, missing] = [0, 0];
  for (const id of ids) {
    const ofFile = (await store.files.remove(id)) ?? 0;
    const count = ofFile + ((await store.remove(id)) ? 1 : 0);
    removed += count;
    if (count > 0) continue;
    missing++;
    warn(`${id}: not in the index`);
  }
  await (args.flag('json') ? printJson({ removed }) : print(`removed ${pluralize(removed, 'document')}\n`));
  return missing > 0 ? FAILED : DONE;
};

const stats: Action = async (store, args) => {
  const { documents, octets, buckets } = await store.stats();
  if (args.flag('json')) await printJson({ label: store.label, documents, octets, buckets });
  else {
    const { count, mean, median, p99, largest } = buckets;
    const lines = [
      `label         ${store.label}`,
      `documents     ${formatNumber(documents)}`,
      `fingerprints  ${formatBytes(octets.fingerprints)}`,
      `ids           ${formatBytes(octets.ids)}`,
      `buckets       ${formatNumber(count)}; ${mean.toFixed(1)} documents in the mean, ${median} in the median, ${p99} in the 99th percentile, ${largest} in the largest`,
    ];
    await print(`${lines.join('\n')}\n`);
  }
  return DONE;
};

/** How much is printed at once, in UTF-16 units. */
const BUFFER = 1 << 16;

const exportAll: Action = async (store) => {
  let buffer = '';
  for await (const line of store.exportLines()) {
    buffer += line;
    if (buffer.length < BUFFER) continue;
    await print(buffer);
    buffer = '';
  }
  if (buffer !== '') await print(buffer);
  return DONE;
};
