import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { countProcessors } from '../common/processors.ts';
import { didYouMean } from '../common/suggest.ts';
import { joinWithOr, printable } from '../common/text.ts';
import { type Failure, failureOf } from '../documents/failure.ts';
import { DEFAULT_MEMORY, DEFAULT_TIMEOUT, type DocumentHints } from '../documents/hints.ts';
import { INDEX_FOLDER, isIndexFolder, STDIN } from '../documents/walk.ts';
import { DOCUMENT_LABEL } from '../duplicates/answer.ts';
import { TYPES } from '../extract/formats.ts';
import { DEFAULT_LIMITS, type ExtractionLimits } from '../extract/limits.ts';
import { LOSSES, type Loss } from '../extract/result.ts';
import type { ExtractionHints } from '../extract/types.ts';
import { LABEL, LABELS, type Label, parseLabel } from '../scheme/labels/label.ts';
import { charactersOf } from '../scheme/serialise.ts';
import { type Arguments, type Option, quoteWords, usageError } from './command.ts';

export const JOBS_OPTION: Option = {
  name: 'jobs',
  short: 'j',
  value: 'N',
  help: 'work on N documents at a time (default: one per core)',
};

export const LABEL_OPTION: Option = {
  name: 'label',
  value: 'LABEL',
  choices: LABELS,
  help: `scheme of the fingerprints: ${joinWithOr(LABELS)} (default: ${LABEL})`,
};

export { DOCUMENT_LABEL };

export const DOCUMENT_LABEL_OPTION: Option = {
  ...LABEL_OPTION,
  help: `scheme of the fingerprints: ${joinWithOr(LABELS)} (default: ${DOCUMENT_LABEL})`,
};

export const QUIET_OPTION: Option = { name: 'quiet', short: 'q', help: 'show no progress' };

export function expectedOneOf(names: readonly string[], given: string | undefined): string {
  const got = given === undefined ? 'none' : JSON.stringify(given);
  const begun = names.filter((name) => given !== undefined && given.length > 1 && name.startsWith(given.toLowerCase()));
  const hint = begun[0] === undefined ? didYouMean(given ?? '', names) : `: did you mean ${begun[0]}?`;
  return `expected one of ${names.join(', ')}, got ${got}${hint}`;
}

export const MAX_JOBS = 256;
const MAX_SECONDS = 2_000_000;

export function assertNoFolder(paths: readonly string[], hint: string): void {
  for (const path of paths)
    if (path !== STDIN && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
      throw usageError(`${printable(path)}: is a folder: ${hint}`);
}

export function assertStdinOnce(paths: readonly unknown[]): void {
  if (paths.filter((path) => path === STDIN).length > 1)
    throw usageError('- (standard input) can be read only once: name it once');
}

export function assertExist(paths: readonly string[], hintFor: (path: string) => string = () => ''): void {
  for (const path of paths) {
    if (path === STDIN) continue;
    if (isIndexFolder(path)) throw usageError(`${printable(path)}: ${INDEX_FOLDER.message}`);
    let failure: Failure;
    try {
      statSync(path);
      continue;
    } catch (error) {
      failure = failureOf(error);
    }
    // Reading it reports other failures.
    if (failure.code !== 'not-found') continue;
    const scheme = schemeOfUrl(path);
    const use = scheme === 'file' ? `: use the path ${printable(pathOfUrl(path))}` : '';
    if (scheme !== undefined) throw usageError(`${scheme}://…: expected a file or a folder, got a URL${use}`);
    const hint = hintAt(path) || hintFor(path);
    throw usageError(`${path === '' ? "''" : printable(path)}: ${failure.message}${hint}`);
  }
}

function hintAt(path: string): string {
  // Node.js passes on an argument in which each byte that is not UTF-8 is replaced.
  if (path.includes('\uFFFD'))
    return ' (is its name not UTF-8? Name its folder instead, or list its path in --files-from)';
  if (/[*?]/.test(path)) return ` (to choose files of a folder: --include ${quoteWords([path])})`;
  // An editor has joined the hyphens of an option into a dash.
  const [, name] = /^[\u2010-\u2015\u2212]+-*([a-z][a-z0-9-]*)/i.exec(path) ?? [];
  return name === undefined ? '' : `: did you mean --${name}?`;
}

function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url.replace(/^file:\/*/i, '/');
  }
}

export function schemeOfUrl(text: string): string | undefined {
  return /^([a-z][a-z0-9+.-]+):\//i.exec(text)?.[1]?.toLowerCase();
}

export function jobsOf(args: Arguments): number {
  return wholeNumberOf(args, 'jobs', 1, MAX_JOBS) ?? Math.min(MAX_JOBS, countProcessors());
}

export function wholeNumberOf(args: Arguments, name: string, min: number, max: number): number | undefined {
  return readValue(args, name, `a whole number from ${min} to ${max}`, (value) => {
    const number = /^[0-9]{1,10}$/.test(value) ? Number(value) : -1;
    return number >= min && number <= max ? number : undefined;
  });
}

/** Reads the value of an option, if it is given. Throws a usage error that ends with a hint if `parse` returns undefined. */
function readValue<T>(
  args: Arguments,
  name: string,
  expected: string,
  parse: (value: string) => T | undefined,
  hintFor: (value: string) => string = () => '',
): T | undefined {
  const value = args.value(name);
  const parsed = value === undefined ? undefined : parse(value);
  if (value !== undefined && parsed === undefined)
    throw usageError(`--${name}: expected ${expected}, got ${JSON.stringify(value)}${hintFor(value)}`);
  return parsed;
}

export function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof given<T>
  >;
}

export async function documentHintsOf(args: Arguments, otherwise: Label = LABEL): Promise<DocumentHints> {
  const [type, charset] = [typeOf(args), await charsetOf(args)];
  const extractor = args.value('extractor') as ExtractionHints['extractor'];
  if (extractor !== undefined && extractor !== 'article')
    throw usageError(`--extractor: expected article, got ${JSON.stringify(extractor)}`);
  const [names, idField] = [args.values('text-field'), args.value('id-field')];
  const textField = names.length > 1 ? names : names[0];
  if (names.includes('')) throw usageError('--text-field: expected the name of a field');
  const memory = sizeOf(args, 'max-memory') ?? DEFAULT_MEMORY;
  if (memory < MIN_MEMORY)
    throw usageError(`--max-memory: expected at least 64M, got ${JSON.stringify(args.value('max-memory'))}`);
  const [label = otherwise, ...more] = labelsOf(args);
  return {
    label,
    ...(more.length > 0 && { more }),
    charset,
    type,
    ...given({ extractor, fields: textField === undefined ? undefined : { textField, ...given({ idField }) } }),
    refused: refusedOf(args),
    limits: limitsOf(args),
    timeout: millisecondsOf(args, 'timeout') ?? DEFAULT_TIMEOUT,
    memory,
  };
}

function typeOf(args: Arguments): ExtractionHints['type'] {
  const value = args.value('type');
  const type = TYPES.find((each) => each === value);
  if (type !== undefined || value === undefined) return type;
  if (/^(?:jsonl|ndjson|parquet)$/i.test(value))
    throw usageError(`--type: rows are read with --text-field NAME, got ${JSON.stringify(value)}`);
  throw usageError(`--type: ${expectedOneOf(TYPES, value)}`);
}

async function charsetOf(args: Arguments): Promise<string | undefined> {
  const charset = args.value('charset');
  if (charset === undefined) return undefined;
  const { isAuto, resolveCharset } = await import('../extract/text/charset.ts');
  try {
    if (!isAuto(charset)) resolveCharset(charset);
    return charset;
  } catch (error) {
    throw usageError(failureOf(error).message);
  }
}

export function refusedOf(args: Arguments): readonly Loss[] {
  return args.values('refuse').map((code) => {
    const loss = LOSSES.find((each) => each === code);
    if (loss === undefined) throw usageError(`--refuse: ${expectedOneOf(LOSSES, code)}`);
    return loss;
  });
}

export function labelOf(args: Arguments, otherwise: Label = LABEL): Label {
  return labelsOf(args)[0] ?? otherwise;
}

function labelsOf(args: Arguments): readonly Label[] {
  const labels = args.values('label').map((label) => {
    try {
      return parseLabel(label);
    } catch {
      throw usageError(`--label: ${expectedOneOf(LABELS, label)}`);
    }
  });
  return [...new Set(labels)];
}

function limitsOf(args: Arguments): ExtractionLimits {
  const count = (name: string): number | undefined => wholeNumberOf(args, name, 1, 999_999_999);
  return {
    bytes: sizeOf(args, 'max-size') ?? DEFAULT_LIMITS.bytes,
    inflated: sizeOf(args, 'max-inflated') ?? DEFAULT_LIMITS.inflated,
    ratio: count('max-ratio') ?? DEFAULT_LIMITS.ratio,
    depth: count('max-depth') ?? DEFAULT_LIMITS.depth,
    nesting: count('max-nesting') ?? DEFAULT_LIMITS.nesting,
    pages: count('max-pages') ?? DEFAULT_LIMITS.pages,
  };
}

export function millisecondsOf(args: Arguments, name: string): number | undefined {
  return readValue(args, name, `seconds, more than 0 and at most ${MAX_SECONDS}`, (value) => {
    const seconds = /^[0-9]+(?:\.[0-9]+)?$/.test(value) ? Number(value) : 0;
    return seconds > 0 && seconds <= MAX_SECONDS ? Math.max(1, Math.round(1000 * seconds)) : undefined;
  });
}

/** The least limit of memory: an idle process takes more than half of it. */
const MIN_MEMORY = 64 * 2 ** 20;

export function asSize(bytes: number): string {
  return bytes % 2 ** 30 === 0 ? `${bytes / 2 ** 30}G` : `${bytes / 2 ** 20}M`;
}

/** Reads a number of bytes: digits, alone or with one of K, M, G, T (powers of 1024). */
function sizeOf(args: Arguments, name: string): number | undefined {
  return readValue(args, name, 'a size such as 1000000, 500M or 2G', (value) => {
    const [, digits, unit] = /^([0-9]{1,15})([KMGT]?)(?:i?B)?$/i.exec(value) ?? [];
    const bytes = Number(digits) * 1024 ** ['', 'K', 'M', 'G', 'T'].indexOf((unit ?? '').toUpperCase());
    return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
  });
}

export function shareOf(args: Arguments, name: string): number | undefined {
  const parse = (value: string): number | undefined => {
    const share = /^(?:[01]|[01]?\.[0-9]+)$/.test(value) ? Number(value) : -1;
    return share >= 0 && share <= 1 ? share : undefined;
  };
  // It may be written in percent, or with a comma.
  const meant = (value: string): string => {
    const [, percent] = /^(\d{1,3})\s*%?$/.exec(value) ?? [];
    const share = percent === undefined ? Number(value.replace(',', '.')) : Number(percent) / 100;
    return share >= 0 && share <= 1 ? `: did you mean ${share}?` : '';
  };
  return readValue(args, name, 'a number from 0 to 1, such as 0.8', parse, meant);
}

/** Tests whether an operand is meant as a labelled fingerprint: it begins with a label, registered or extended. */
export function isLabelled(operand: string): boolean {
  const [, label] = /^([^:/\\]+):/.exec(operand.toLowerCase()) ?? [];
  return LABELS.some((each) => label === each || label?.startsWith(`${each}+`) || label?.startsWith(`${each}-`));
}

/** Returns the labels that a fingerprint without one may have, judging by its length; none for other operands. */
export function labelsOfLength(operand: string): readonly string[] {
  const [, characters = ''] = /^([A-Za-z2-7]+)={0,4}$/.exec(operand) ?? [];
  return LABELS.filter((label) => characters.length === charactersOf(label));
}
