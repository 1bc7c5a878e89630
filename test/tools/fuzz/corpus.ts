import { readFileSync } from 'node:fs';
import type { ExtractionHints } from '../../../src/extract/index.ts';
import type { Random } from './random.ts';

/** The input of a target. */
export interface Input {
  readonly bytes: Uint8Array;
  /** Further facts, for the target `extract`. */
  readonly hints?: ExtractionHints;
}

/** Something that must work on any bytes. */
export interface Target {
  /** Makes an input, always the same one from the same choices. */
  make(random: Random): Input | Promise<Input>;
  /** @throws (rejects) what is wrong, if anything is */
  check(input: Input): void | Promise<void>;
}

interface MediaVector {
  readonly input: { readonly base64?: string; readonly utf8?: string };
  readonly expected?: { readonly mediaType?: string };
}

function load(group: string): readonly MediaVector[] {
  return JSON.parse(readFileSync(`vectors/${group}.json`, 'utf8')).vectors;
}

function bytesOf({ base64, utf8 }: MediaVector['input']): Uint8Array | null {
  if (base64 !== undefined) return new Uint8Array(Buffer.from(base64, 'base64'));
  return utf8 === undefined ? null : new Uint8Array(Buffer.from(utf8, 'hex'));
}

/** The documents of the vectors of extraction. */
export const DOCUMENTS: readonly Uint8Array[] = ['extract-media', 'extract-html'].flatMap((group) =>
  load(group).flatMap(({ input }) => bytesOf(input) ?? []),
);

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

export function isPdf(bytes: Uint8Array): boolean {
  return bytes[0] === 0x25 && bytes[1] === 0x50;
}
