import { failureOf } from '../../../documents/failure.ts';
import { STDIN } from '../../../documents/walk.ts';
import { DEFAULT_OVERLAP } from '../../../duplicates/answer.ts';
import { compressionOf } from '../../../duplicates/rows/compress.ts';
import { ROW_PREFERENCES, type RowPreference, type RowSearch } from '../../../duplicates/rows/search.ts';
import { type Arguments, usageError } from '../../command.ts';
import { DOCUMENT_LABEL, documentHintsOf, jobsOf, shareOf } from '../../options.ts';
import { defaultDistance, distanceOf } from '../dupes/settings.ts';

/** What the command line asks for. */
export interface DedupeSettings extends RowSearch {
  readonly inputs: readonly string[];
  /** Where the removed rows are listed, if anywhere. */
  readonly duplicates: string | undefined;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
}

/** Reads the options of `simhash-doc dedupe`. */
export async function dedupeSettingsOf(args: Arguments): Promise<DedupeSettings> {
  const { positionals } = args;
  const out = args.value('out');
  const keep = args.value('keep') ?? 'first';
  if (positionals.length === 0) throw usageError('expected a file of JSON Lines or Parquet');
  if (positionals.includes(STDIN)) throw usageError('standard input can be read only once: expected files');
  if (out === undefined || out === STDIN) throw usageError('--out: expected the name of the file to write');
  if (args.value('text-field') === undefined) throw usageError('--text-field: expected the field that holds the text');
  if (!isKeep(keep)) throw usageError(`--keep: expected ${ROW_PREFERENCES.join(' or ')}, got ${JSON.stringify(keep)}`);
  try {
    compressionOf(out);
  } catch (error) {
    throw usageError(`--out: ${failureOf(error).message}`);
  }
  const hints = await documentHintsOf(args);
  const label = args.value('label') === undefined ? DOCUMENT_LABEL : hints.label;
  return {
    hints: { ...hints, label },
    inputs: positionals,
    out,
    duplicates: args.value('duplicates'),
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
