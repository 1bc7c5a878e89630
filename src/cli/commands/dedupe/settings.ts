import { failureOf } from '../../../documents/failure.ts';
import { STDIN } from '../../../documents/walk.ts';
import { DEFAULT_OVERLAP } from '../../../duplicates/answer.ts';
import { compressionOf } from '../../../duplicates/rows/compress.ts';
import { ROW_PREFERENCES, type RowPreference, type RowSearch } from '../../../duplicates/rows/search.ts';
import { type Arguments, usageError } from '../../command.ts';
import { assertExist, DOCUMENT_LABEL, documentHintsOf, jobsOf, shareOf } from '../../options.ts';
import { defaultDistance, distanceOf } from '../dupes/settings.ts';

/** The files to write: one or more. */
export interface Outputs {
  /** The rows to keep. */
  readonly rows: string | undefined;
  /** The list of removed rows. */
  readonly duplicates: string | undefined;
  /** The list of all rows with their groups. */
  readonly groups: string | undefined;
}

/** The settings of the command line. */
export interface DedupeSettings extends RowSearch {
  readonly inputs: readonly string[];
  /** The field with the ids of rows: those are only for lists, and may repeat. */
  readonly idField: string | undefined;
  readonly outputs: Outputs;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
}

/** Reads the options of `simhash-doc dedupe`. */
export async function dedupeSettingsOf(args: Arguments): Promise<DedupeSettings> {
  const { positionals } = args;
  const outputs = { rows: args.value('out'), duplicates: args.value('duplicates'), groups: args.value('groups') };
  const out = outputs.rows ?? outputs.groups ?? outputs.duplicates;
  const keep = args.value('keep') ?? 'first';
  if (positionals.length === 0) throw usageError('expected a file of JSON Lines or Parquet');
  if (positionals.includes(STDIN)) throw usageError('standard input can be read only once: expected files');
  assertExist(positionals);
  if (out === undefined) throw usageError('expected a file to write: --out, --groups or --duplicates');
  if (Object.values(outputs).includes(STDIN)) throw usageError('expected the name of a file to write, got -');
  if (args.value('text-field') === undefined) throw usageError('--text-field: expected the field that holds the text');
  if (!isKeep(keep)) throw usageError(`--keep: expected ${ROW_PREFERENCES.join(' or ')}, got ${JSON.stringify(keep)}`);
  try {
    compressionOf(outputs.rows ?? '');
  } catch (error) {
    throw usageError(`--out: ${failureOf(error).message}`);
  }
  const hints = await documentHintsOf(args);
  const label = args.value('label') === undefined ? DOCUMENT_LABEL : hints.label;
  return {
    hints: { ...hints, label, fields: { textField: hints.fields!.textField } },
    idField: hints.fields!.idField,
    inputs: positionals,
    out,
    outputs,
    k: distanceOf(args, label) ?? defaultDistance(true, label),
    minOverlap: shareOf(args, 'min-overlap') ?? DEFAULT_OVERLAP,
    ignoresDifferences: args.flag('ignore-numbers'),
    matchCase: args.flag('match-case'),
    keep,
    jobs: jobsOf(args),
    isJson: args.flag('json'),
    isQuiet: args.flag('quiet'),
  };
}

function isKeep(keep: string): keep is RowPreference {
  return (ROW_PREFERENCES as readonly string[]).includes(keep);
}
