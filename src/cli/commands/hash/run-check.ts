import { createReadStream, statSync } from 'node:fs';
import { type Line, parseJsonObject, splitLines } from '../../../common/lines.ts';
import { pluralize, printable } from '../../../common/text.ts';
import { type DocumentOutcome, nameOf } from '../../../documents/document-outcome.ts';
import type { Hashed } from '../../../documents/document-tasks.ts';
import { failureOf } from '../../../documents/failure.ts';
import { pathFromShown, pathOf } from '../../../documents/file-path.ts';
import type { DocumentHints } from '../../../documents/hints.ts';
import { STDIN } from '../../../documents/walk.ts';
import { planWalk, unopened } from '../../../documents/walk-plan.ts';
import {
  distance as distanceOf,
  type Fingerprint,
  parse,
  parseLabel,
  parseLabelled,
  serialise,
} from '../../../index.ts';
import { type Arguments, DONE, FAILED, NO, usageError } from '../../command.ts';
import { jobsOf } from '../../options.ts';
import { type Session, withSession } from '../../session.ts';
import { warnOfOrigins } from '../../terminal/mixed-extractors.ts';
import { print, printJson, warn } from '../../terminal/print.ts';

interface Expected {
  readonly name: string;
  readonly fingerprints: Map<string, Fingerprint>;
  readonly extractor: string | undefined;
}

/** Runs `hash --check`: compares documents with a list that `hash` printed, like `sha256sum -c`. */
export async function runCheck(list: string, args: Arguments, hints: DocumentHints): Promise<number> {
  if (args.positionals.length > 0) throw usageError(`--check: expected no other paths, got ${args.positionals[0]}`);
  const { expected, malformed } = await readList(list);
  const labels = [...new Set(expected.flatMap(({ fingerprints }) => [...fingerprints.keys()]))];
  const [label, ...more] = labels;
  if (label === undefined)
    throw usageError(`--check: ${printable(list)} is not a list of hash: hash --json docs/ > LIST makes one`);
  const [json, quiet] = [args.flag('json'), args.flag('quiet')];
  const roots = [...new Set(expected.map(({ name }) => pathIn(name)))].map(pathFromShown);
  const selection = { roots, isSelected: () => true };
  const { entries, isHandful } = planWalk(selection);
  const wanted = { ...hints, label, ...(more.length > 0 && { more }) };
  const options = { hints: wanted, jobs: jobsOf(args), isHandful, json, quiet, measured: selection };
  const tally = await withSession(options, async (session) => {
    const outcomes = session.run('hash', unopened(entries));
    return compareAll(expected, labels, outcomes, session, json);
  });
  if (malformed > 0) warn(`${pluralize(malformed, 'line')} of ${printable(list)} could not be read`);
  warnOfOrigins('comparison', tally.now, tally.before);
  if (tally.changed > 0) warn(`${pluralize(tally.changed, 'document')} changed`);
  if (tally.failed > 0) warn(`${pluralize(tally.failed, 'document')} could not be read`);
  if (tally.failed + malformed > 0) return FAILED;
  return tally.changed > 0 ? NO : DONE;
}

async function compareAll(
  expected: readonly Expected[],
  labels: readonly string[],
  outcomes: AsyncIterable<DocumentOutcome<Hashed>>,
  { progress }: Session,
  json: boolean,
) {
  // Before and now: the extractors of the documents whose extractors the list names.
  const tally = { changed: 0, failed: 0, before: new Set<string>(), now: new Set<string>() };
  const waiting = new Map<string, Expected[]>();
  for (const each of expected) waiting.set(each.name, [...(waiting.get(each.name) ?? []), each]);
  async function printStatus(name: string, status: string, details: Readonly<Record<string, unknown>>): Promise<void> {
    if (process.stdout.isTTY) progress.hide();
    const { distance, message } = details;
    const suffix = distance !== undefined ? `, distance ${distance}` : message !== undefined ? `: ${message}` : '';
    await (json ? printJson({ path: name, status, ...details }) : print(`${printable(name)}: ${status}${suffix}\n`));
  }
  for await (const outcome of outcomes) {
    const name = nameOf(outcome);
    const [each, ...others] = waiting.get(name) ?? [];
    if (each === undefined) continue;
    waiting.set(name, others);
    if (outcome.kind === 'failed') {
      tally.failed++;
      await printStatus(name, 'FAILED', { message: outcome.failure.message });
      continue;
    }
    const { result } = outcome;
    if (each.extractor !== undefined) {
      tally.before.add(each.extractor);
      tally.now.add(result.extractor);
    }
    const changed = [...each.fingerprints].flatMap(([label, before]) => {
      const index = labels.indexOf(label);
      const { fingerprint } = index === 0 ? result : result.more![index - 1]!;
      const distance = distanceOf(before, fingerprint);
      return distance === 0 ? [] : [{ distance, label, fingerprint: serialise(fingerprint) }];
    });
    if (changed[0] !== undefined) tally.changed++;
    await printStatus(name, changed[0] === undefined ? 'OK' : 'CHANGED', changed[0] ?? {});
  }
  for (const { name } of [...waiting.values()].flat()) {
    tally.failed++;
    await printStatus(name, 'FAILED', { message: 'not found' });
  }
  return tally;
}

/** The path of a file, as it is shown: a name may stand for a document in an archive. */
function pathIn(name: string): string {
  for (let at = name.indexOf('!'); at > 0; at = name.indexOf('!', at + 1)) {
    const path = name.slice(0, at);
    if (statSync(pathOf(pathFromShown(path)), { throwIfNoEntry: false })?.isFile() === true) return path;
  }
  return name;
}

async function readList(list: string) {
  const expected: Expected[] = [];
  let malformed = 0;
  try {
    for await (const lines of splitLines(list === STDIN ? process.stdin : createReadStream(list)))
      for (const line of lines) {
        if (line?.trim() === '') continue;
        const each = parseLine(line);
        const last = expected.at(-1);
        if (each === undefined) malformed++;
        // The fingerprints of a document follow one another.
        else if (last?.name === each.name && !last.fingerprints.has(each.label))
          last.fingerprints.set(each.label, each.fingerprint);
        else {
          const { name, label, fingerprint, extractor } = each;
          expected.push({ name, fingerprints: new Map([[label, fingerprint]]), extractor });
        }
      }
  } catch (error) {
    throw usageError(`--check: ${list}: ${failureOf(error).message}`);
  }
  return { expected, malformed };
}

/** Reads a line of `hash`, with or without `--json`; undefined for anything else. */
function parseLine(line: Line) {
  try {
    if (line?.startsWith('{')) {
      const { path, member, label, fingerprint, extractor } = parseJsonObject(line) ?? {};
      if (typeof path !== 'string' || typeof fingerprint !== 'string' || typeof label !== 'string') return undefined;
      return {
        name: typeof member === 'string' ? `${path}!${member}` : path,
        label: parseLabel(label),
        fingerprint: parse(fingerprint, { label }),
        extractor: typeof extractor === 'string' ? extractor : undefined,
      };
    }
    const [, mark, form, rest] = /^(\\?)(\S+) {2}(.+)$/su.exec(line?.replace(/\r$/, '') ?? '') ?? [];
    if (form === undefined || rest === undefined) return undefined;
    const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', '\\': '\\' };
    const name = mark === '' ? rest : rest.replace(/\\([nr\\])/g, (_, letter: string) => escapes[letter]!);
    return { name, ...parseLabelled(form), extractor: undefined };
  } catch {
    // A malformed label or fingerprint: the line is counted as malformed.
    return undefined;
  }
}
