// A piece of a document through all steps.
import { classify, located, unsure } from './classify/classify.as';
import { separatorBefore, separatorBehind, separatorsOf } from './classify/separators.as';
import { NO_POINT } from './code-points.as';
import { count } from './count/runs.as';
import { INPUT, NORMALISED, PAD, WORDS } from './layout.as';
import { stripLocators } from './locators.as';
import { normaliseSpans } from './normalise.as';

export let normalised: u32 = 0;

/**
 * Counts the tokens of the `size` bytes of input, which PAD zeros follow, up to the last separator (`done`; all, when `final`),
 * but not in the spans in NFC (`normalised`). Returns false, with nothing done, when the table lacks a code point.
 */
export function update(size: u32, final: bool): bool {
  if (!classify(INPUT, size)) return false;
  let end = size;
  if (!final) {
    end = size == 0 ? 0 : separatorBefore(INPUT, size - 1);
    const block = end >> 6;
    // From the separator on, everything belongs to the next piece.
    if (end < size) {
      store<u64>(WORDS + (block << 3), load<u64>(WORDS + (block << 3)) & ((<u64>1 << (end & 63)) - 1));
      store<u64>(WORDS + (block << 3), 0, 8);
    }
  }
  done = end;
  normalised = unsure ? normaliseSpans(end) : 0;
  if (located) stripLocators(INPUT, end);
  count(INPUT, end);
  return true;
}

/** Counts the tokens of the spans in NFC. Returns false, with nothing done, when the table lacks a code point. */
export function countNormalised(): bool {
  memory.fill(NORMALISED + normalised, 0, PAD);
  if (!classify(NORMALISED, normalised)) return false;
  if (located) stripLocators(NORMALISED, normalised);
  count(NORMALISED, normalised);
  return true;
}

/** Returns where the first separator of the `size` bytes of input is, or `size`; NO_POINT when the table lacks a code point. */
export function spanEnd(size: u32): u32 {
  if (!classify(INPUT, size)) return NO_POINT;
  return (separatorsOf(INPUT, 0) & 1) != 0 ? 0 : separatorBehind(INPUT, 0, size);
}

/** The end of the part of the piece that is done. */
export let done: u32 = 0;
