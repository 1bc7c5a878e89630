import { statSync } from 'node:fs';
import { parseJsonObject } from '../../../common/lines.ts';
import { printable } from '../../../common/text.ts';
import {
  DATASET_NAMES,
  type DatasetFormat,
  fieldNamesOf,
  isParquet,
} from '../../../documents/dataset/dataset-format.ts';
import { failureOf } from '../../../documents/failure.ts';
import { isIndexFolder, STDIN } from '../../../documents/walk.ts';
import { DEFAULT_OVERLAP } from '../../../duplicates/answer.ts';
import { PREFERENCES } from '../../../duplicates/find-removals.ts';
import { compressionOf } from '../../../duplicates/rows/compressed-writer.ts';
import { type Arguments, usageError } from '../../command.ts';
import { defaultDistance, distanceOf } from '../../distance-option.ts';
import { createFinds } from '../../files/file-selection.ts';
import { assertOutputs, headOf, isSameFile, type Output } from '../../files/output-files.ts';
import {
  assertExist,
  assertNoFolder,
  assertStdinOnce,
  DOCUMENT_LABEL,
  documentHintsOf,
  jobsOf,
  shareOf,
} from '../../options.ts';
import { databaseOf } from '../../stores/databases.ts';
import { assertStorePlace } from '../../stores/open-store.ts';

/** The files to write, one or more, by their options: the rows to keep, and lists of the removed and of all rows. */
export type Outputs = Readonly<Record<'out' | keyof typeof LIST_KEYS, string | undefined>>;

export type DedupeSettings = Awaited<ReturnType<typeof dedupeSettingsOf>>;

export async function dedupeSettingsOf(args: Arguments) {
  const { positionals } = args;
  const outputs = { out: args.value('out'), duplicates: args.value('duplicates'), groups: args.value('groups') };
  const out = outputs.out ?? outputs.groups ?? outputs.duplicates;
  const asked = args.value('keep') ?? 'first';
  const keep = PREFERENCES.find((each) => each === asked);
  if (positionals.length === 0) throw usageError('expected a file of JSON Lines or Parquet, or - for standard input');
  const against = args.values('against');
  const stores = await storesIn(against);
  const inputs = [...against.filter((place) => !stores.has(place)), ...positionals];
  assertStdinOnce(inputs);
  assertExist(inputs);
  assertNoFolder(positionals, 'expected JSON Lines or Parquet (dupes compares the documents of a folder)');
  const csv = positionals.find((input) => /\.(?:csv|tsv)$/i.test(input) && headIn(input)[0] !== LEFT_BRACE);
  if (csv !== undefined)
    throw usageError(
      `${printable(csv)}: CSV is not read: convert it to JSON Lines or Parquet, for example with DuckDB`,
    );
  const isNamed = args.values('text-field').length > 0;
  const head = headIn(positionals[0]!);
  const names = isNamed || isParquet(head) ? [] : await fieldNamesOf(head, undefined);
  // Rows in Parquet and compressed rows show their fields when they are read.
  if (names.length > 0 && !names.includes('text')) {
    const list = `: its fields are ${names.join(', ')}`;
    throw usageError(`--text-field: expected the field that holds the text${list}`);
  }
  if (out === undefined) throw usageError('expected a file to write: --out, --groups or --duplicates');
  if ([outputs.duplicates, outputs.groups].includes(STDIN))
    throw usageError('--duplicates, --groups: expected the name of a file to write, got -');
  if (outputs.out === STDIN && args.flag('json'))
    throw usageError('--json cannot be used with --out -, which writes to standard output also');
  for (const [index, input] of inputs.entries())
    if (inputs.slice(0, index).some((other) => isSameFile(other, input)))
      throw usageError(`${printable(input)} is named twice`);
  assertOutputs(filesOf(outputs), [...inputs, ...stores]);
  // The format of standard input is known when it is copied.
  if (positionals[0] !== STDIN) assertNames(outputs, formatOf(positionals[0]!));
  if (keep === undefined)
    throw usageError(`--keep: expected ${PREFERENCES.join(' or ')}, got ${JSON.stringify(asked)}`);
  try {
    compressionOf(outputs.out ?? '');
  } catch (error) {
    throw usageError(`--out: ${failureOf(error).message}`);
  }
  const hints = await documentHintsOf(args);
  const label = args.value('label') === undefined ? DOCUMENT_LABEL : hints.label;
  const minOverlap = shareOf(args, 'min-overlap') ?? DEFAULT_OVERLAP;
  return {
    hints: { ...hints, label, fields: { textField: hints.fields?.textField ?? 'text' } },
    // Ids are only used in lists, and may repeat.
    idField: args.value('id-field'),
    allowsEmpty: args.flag('allow-empty'),
    /** The files, folders and indexes to compare with, and those of them that are indexes. */
    against,
    stores,
    finds: createFinds(against),
    // Only documents are worked on by several threads.
    jobs: against.length === 0 ? 1 : jobsOf(args),
    inputs: positionals,
    out,
    outputs,
    k: distanceOf(args, label) ?? defaultDistance(true, label, minOverlap),
    minOverlap,
    ignoresDifferences: args.flag('ignore-numbers'),
    matchCase: args.flag('match-case'),
    keep,
    isJson: args.flag('json'),
    isQuiet: args.flag('quiet'),
  };
}

async function storesIn(places: readonly string[]): Promise<ReadonlySet<string>> {
  const stores = places.filter((place) => databaseOf(place) !== undefined || isIndexFolder(place));
  for (const place of stores) await assertStorePlace(place, 'read');
  return new Set(stores);
}

const LEFT_BRACE = 0x7b;

/** The format of the rows by the beginning of their file. Errors are reported when it is read. */
export function formatOf(input: string): DatasetFormat {
  return isParquet(headIn(input)) ? 'parquet' : 'jsonl';
}

/** The first bytes of a regular file. A pipe, which can be read only once, is refused later; standard input is copied. */
function headIn(input: string): Uint8Array {
  return input !== STDIN && statSync(input).isFile() ? headOf(input) : new Uint8Array(0);
}

/** The suffixes that other programs take for another format. */
const OTHER_SUFFIX: Readonly<Record<DatasetFormat, RegExp>> = {
  jsonl: /\.(?:parquet|pq|csv|tsv|xlsx?|ods|arrow|feather|avro|orc)$/i,
  parquet: /\.(?:jsonl|ndjson|json|csv|tsv|xlsx?|ods|arrow|feather|avro|orc|gz|gzip|zst|zstd)$/i,
};

const COMPRESSION_SUFFIX = /\.(?:gz|gzip|zst|zstd)$/i;

/** Throws a usage error for a name that means another format. */
export function assertNames({ out = '', ...lists }: Outputs, format: DatasetFormat): void {
  const fail = (option: string, path: string, name: string, expected: string): never => {
    throw usageError(`--${option}: ${printable(path)}: the file is ${name}: expected a name that ends in ${expected}`);
  };
  const plain = format === 'jsonl' ? out.replace(COMPRESSION_SUFFIX, '') : out;
  if (OTHER_SUFFIX[format].test(plain))
    fail('out', out, DATASET_NAMES[format], format === 'jsonl' ? '.jsonl, .jsonl.gz or .jsonl.zst' : '.parquet');
  for (const [option, path = ''] of Object.entries(lists))
    if (OTHER_SUFFIX.jsonl.test(path) || COMPRESSION_SUFFIX.test(path))
      fail(option, path, DATASET_NAMES.jsonl, '.jsonl');
}

/** The keys of the lines of each list. */
const LIST_KEYS = {
  duplicates: ['path', 'row', 'id', 'kept', 'distance', 'overlap'],
  groups: ['path', 'row', 'id', 'group', 'kept'],
};

function isList(head: string, name: keyof typeof LIST_KEYS): boolean {
  const keys = Object.keys(parseJsonObject(head.slice(0, head.indexOf('\n'))) ?? {});
  // Some lines have more keys.
  return keys.join().startsWith(LIST_KEYS[name].join());
}

/** Lists the files to write. `--out` has no `isOurs`: a file of rows does not show which program wrote it. */
export function filesOf({ out, ...lists }: Outputs): Output[] {
  return [
    ...(out === undefined || out === STDIN ? [] : [{ option: 'out', path: out }]),
    ...(['duplicates', 'groups'] as const).flatMap((option) => {
      const path = lists[option];
      return path === undefined ? [] : [{ option, path, isOurs: (head: string) => isList(head, option) }];
    }),
  ];
}
