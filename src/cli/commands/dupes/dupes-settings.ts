import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { didYouMean } from '../../../common/suggest.ts';
import { pathOf } from '../../../documents/file-path.ts';
import { DEFAULT_OVERLAP, TRUSTED_TOKENS } from '../../../duplicates/answer.ts';
import { KEEP_KINDS, KEEP_WORDS } from '../../../duplicates/keep.ts';
import { type Arguments, usageError } from '../../command.ts';
import { MAX_DISTANCES } from '../../distance-option.ts';
import { type FileSelection, pathListOf, selectionOf } from '../../files/file-selection.ts';
import { assertOutputs, type Output } from '../../files/output-files.ts';
import {
  assertExist,
  assertStdinOnce,
  documentHintsOf,
  jobsOf,
  labelOf,
  shareOf,
  wholeNumberOf,
} from '../../options.ts';
import { assertStorePlace, nameOfStore } from '../../stores/open-store.ts';
import { PAGE_MARK } from './html-assets.ts';

export type Form = 'text' | (typeof FORMS)[number];

const FORMS = ['tsv', 'json', 'print0', 'script'] as const;

export type Settings = Awaited<ReturnType<typeof settingsOf>>;

const MAX_NUMBER = 999_999_999;

export async function settingsOf(args: Arguments) {
  const store = args.value('store');
  const isPathMissing = args.positionals.length === 0 && pathListOf(args) === undefined;
  // In a terminal nothing comes from standard input.
  const isHere = isPathMissing && store === undefined && args.values('against').length === 0 && process.stdin.isTTY;
  const isStoreAlone = store !== undefined && isPathMissing;
  const selection = withoutFile(
    await selectionOf(isHere ? { ...args, positionals: ['.'] } : args, args.values('against')),
    args.value('html'),
  );
  const form: Form = FORMS.find((each) => args.flag(each)) ?? 'text';
  const settings = {
    hints: await documentHintsOf(args),
    label: args.value('label') === undefined ? undefined : labelOf(args),
    // The default depends on verification.
    k: wholeNumberOf(args, 'distance', 0, MAX_DISTANCES[256]),
    ignoresDifferences: args.flag('ignore-numbers'),
    matchCase: args.flag('match-case'),
    jobs: jobsOf(args),
    isQuiet: args.flag('quiet'),
    form,
    selection: isStoreAlone ? { ...selection, roots: [], names: [nameOfStore(store)] } : selection,
    store,
    against: args.values('against'),
    isAgainst: args.values('against').length > 0 || (store !== undefined && !isStoreAlone),
    isVerified: !args.flag('no-verify'),
    minOverlap: minOverlapOf(args),
    minTokens: wholeNumberOf(args, 'min-tokens', 0, MAX_NUMBER) ?? TRUSTED_TOKENS,
    keep: args.values('keep'),
    isPairs: args.flag('pairs'),
    isNew: args.flag('new'),
    failIfFound: args.flag('fail-if-found'),
    html: args.value('html'),
  };
  if (settings.html !== undefined) {
    const inputs = [...selection.roots, ...settings.against].map((root) =>
      typeof root === 'string' ? root : pathOf(root),
    );
    assertOutputs([pageAt(settings.html)], [...inputs, pathListOf(args) ?? []].flat(), ', then PATH');
  }
  assertStdinOnce([...settings.selection.roots, ...settings.against]);
  assertKeep(settings.keep);
  if (settings.isNew && !settings.isAgainst) throw usageError('--new needs --against, or --store and PATH');
  // Of the other options that exclude each other, the command has a list.
  for (const form of ['print0', 'script'])
    if (!settings.isVerified && !settings.isNew && args.flag(form))
      throw usageError(`--no-verify cannot be used with --${form}`);
  assertExist(settings.against);
  if (store !== undefined) await assertStorePlace(store, 'read');
  return settings;
}

export function pageAt(path: string): Output {
  return { option: 'html', path, isOurs: (head) => PAGE_MARK.test(head) };
}

/** Excludes an earlier page from the files found in folders. */
function withoutFile({ isSelected, ...selection }: FileSelection, page: string | undefined): FileSelection {
  if (page === undefined) return { isSelected, ...selection };
  const path = resolve(page);
  return { ...selection, isSelected: (entry) => !(entry.found && resolve(entry.path) === path) && isSelected(entry) };
}

/** Throws a usage error for a criterion of `--keep` that looks like a misspelt word. */
function assertKeep(criteria: readonly string[]): void {
  const words: readonly string[] = [...KEEP_WORDS, ...KEEP_KINDS];
  for (const criterion of criteria)
    if (!words.includes(criterion) && !/[^a-z]/i.test(criterion)) {
      const expected = `: expected ${words.join(', ')}, or a glob of paths such as FOLDER/ or './${criterion}'`;
      const hint = existsSync(criterion) ? expected : didYouMean(criterion, words) || expected;
      throw usageError(`--keep: got ${JSON.stringify(criterion)}${hint}`);
    }
}

export function minOverlapOf(args: Arguments): number {
  return shareOf(args, 'min-overlap') ?? DEFAULT_OVERLAP;
}
