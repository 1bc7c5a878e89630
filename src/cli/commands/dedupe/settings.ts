import { type Arguments, usageError } from '../../command.ts';
import type { DocumentHints } from '../../documents/hints.ts';
import { STDIN } from '../../documents/walk.ts';
import { DOCUMENT_LABEL, documentHintsOf, jobsOf, narrowLabel, shareOf, wholeNumberOf } from '../../options.ts';
import { DEFAULT_OVERLAP, DEFAULT_REJECTED, defaultDistance, MAX_DISTANCE, MAX_NUMBER } from '../dupes/settings.ts';
import { compressionOf } from './compress.ts';

/** Which row of several with similar texts is kept. */
export type Keep = (typeof KEEP_CHOICES)[number];
export const KEEP_CHOICES = ['first', 'longest'] as const;

/** What the command line asks for. */
export interface DedupeSettings {
  readonly hints: DocumentHints;
  readonly inputs: readonly string[];
  readonly out: string;
  /** Where the removed rows are listed, if anywhere. */
  readonly duplicates: string | undefined;
  readonly k: number;
  readonly minOverlap: number;
  readonly maxRejected: number;
  readonly keep: Keep;
  /** How many threads find pairs at most. */
  readonly jobs: number;
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
  if (!isKeep(keep)) throw usageError(`--keep: expected ${KEEP_CHOICES.join(' or ')}, got ${JSON.stringify(keep)}`);
  compressionOf(out);
  const hints = await documentHintsOf(args);
  const label = narrowLabel(args.value('label') === undefined ? DOCUMENT_LABEL : hints.label);
  return {
    hints: { ...hints, label },
    inputs: positionals,
    out,
    duplicates: args.value('duplicates'),
    k: wholeNumberOf(args, 'distance', 0, MAX_DISTANCE) ?? defaultDistance(true, label),
    minOverlap: shareOf(args, 'min-overlap') ?? DEFAULT_OVERLAP,
    maxRejected: wholeNumberOf(args, 'max-rejected', 1, MAX_NUMBER) ?? DEFAULT_REJECTED,
    keep,
    jobs: jobsOf(args),
    isJson: args.flag('json'),
    isQuiet: args.flag('quiet'),
  };
}

function isKeep(keep: string): keep is Keep {
  return (KEEP_CHOICES as readonly string[]).includes(keep);
}
