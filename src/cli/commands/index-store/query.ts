import { statSync } from 'node:fs';
import type { FingerprintLike, Match } from '../../../lookup/types.ts';
import { LABEL } from '../../../scheme/label.ts';
import { formatLabelled, parse, serialise } from '../../../scheme/serialise.ts';
import { type Arguments, DONE, FAILED, usageError } from '../../command.ts';
import { lineWithPath, print, printable, printJson } from '../../terminal/output.ts';
import { queryLimitsOf } from './limits.ts';
import type { Store } from './store.ts';

/** Finds what is similar to documents and fingerprints, and prints it. */
export async function queryDocuments(store: Store, args: Arguments, operands: readonly string[]): Promise<number> {
  const limits = queryLimitsOf(args);
  const json = args.flag('json');
  let found = 0;
  let queries = 0;

  async function query(name: string, fingerprint: FingerprintLike): Promise<void> {
    const { matches, completeTo } = await store.query(fingerprint, limits);
    if (json) for (const match of matches) await printJson(asJson(name, store.label, match));
    else {
      const title = isAlone ? '' : `${queries > 0 ? '\n' : ''}${printable(name)}\n`;
      const rest =
        completeTo < limits.k && matches.length > 0 ? `  … more at distance ${completeTo + 1} or beyond\n` : '';
      await print(
        `${title}${matches.map(asLine).join('')}${matches.length === 0 && !isAlone ? '  nothing\n' : ''}${rest}`,
      );
    }
    queries++;
    found += matches.length;
  }

  const isAlone = operands.length === 1 && isOne(operands[0]!);
  let failures = 0;
  for (const part of partsOf(operands, store.label))
    if ('fingerprint' in part) await query(part.name, part.fingerprint);
    else failures += await (await import('./hash.ts')).hashEach(args, part.paths, query);
  return found === 0 || failures > 0 ? FAILED : DONE;
}

/** Whether an operand is one query: a fingerprint or a file that is no archive, as far as its name tells. */
function isOne(operand: string): boolean {
  try {
    return statSync(operand).isFile() && !/\.(?:zip|warc)(?:\.gz)?$/i.test(operand);
  } catch {
    return true;
  }
}

type Part = { readonly name: string; readonly fingerprint: FingerprintLike } | { readonly paths: readonly string[] };

/** Fingerprints, and the paths between them, in their order. */
function partsOf(operands: readonly string[], label: string): Part[] {
  const parts: Part[] = [];
  let paths: string[] = [];
  const flush = (): void => {
    if (paths.length > 0) parts.push({ paths });
    paths = [];
  };
  for (const operand of operands) {
    const fingerprint = fingerprintOf(operand, label);
    if (fingerprint === undefined) paths.push(operand);
    else {
      flush();
      parts.push({ name: operand, fingerprint });
    }
  }
  flush();
  return parts;
}

/** The labelled form of an operand that is a fingerprint, or undefined. */
function fingerprintOf(operand: string, label: string): string | undefined {
  if (new RegExp(`^${LABEL}(?:\\+[^:/\\\\]*)?:`, 'i').test(operand)) return operand;
  if (!/^[A-Za-z2-7]{13}(?:===)?$/.test(operand) || exists(operand)) return undefined;
  try {
    return formatLabelled(label, parse(operand));
  } catch (error) {
    throw usageError(`${JSON.stringify(operand)}: no such file, and no fingerprint: ${(error as Error).message}`);
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function asJson(query: string, label: string, { id, fingerprint, distance, similarity }: Match) {
  return { query, id, label, fingerprint: serialise(fingerprint), distance, similarity };
}

function asLine({ id, fingerprint, distance }: Match): string {
  return lineWithPath(`${String(distance).padStart(2)}  ${serialise(fingerprint)}  `, id);
}
