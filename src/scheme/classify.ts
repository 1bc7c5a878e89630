import unicode from 'unicode-properties';
import { assertInteger } from '../errors.ts';
import { BREAK, IGNORABLE, LETTER, readRanges, UNASSIGNED, WORD } from './unicode.ts';

/** The class of a code point (step 2). */
export type WordClass = 'break' | 'word' | 'letter' | 'ignorable' | 'unassigned';

const NAMES: readonly WordClass[] = ['break', 'word', 'letter', 'ignorable', 'unassigned'];

/**
 * The ranges of Default_Ignorable_Code_Point of Unicode 12.0 without U+200B
 * (DerivedCoreProperties.txt, version 12.0.0; CLS-2).
 */
const IGNORABLE_RANGES = readRanges(
  'ad 34f 61c 115f-1160 17b4-17b5 180b-180e 200c-200f 202a-202e 2060-206f 3164 fe00-fe0f feff ffa0 fff0-fff8 ' +
    '1bca0-1bca3 1d173-1d17a e0000-e0fff',
);

/** The eight general categories of the proposal (CLS-3, CLS-4). */
const CLASS_OF_CATEGORY: ReadonlyMap<string, number> = new Map([
  ['Lu', LETTER],
  ['Ll', LETTER],
  ['Lt', LETTER],
  ['Lm', LETTER],
  ['Lo', LETTER],
  ['Mn', WORD],
  ['Nd', WORD],
  ['Pc', WORD],
]);

/** Classifies one code point by the category data of Unicode 12.0 (CLS-1 to CLS-6). */
function derive(codePoint: number): number {
  if (IGNORABLE_RANGES.some(([first, last]) => codePoint >= first && codePoint <= last)) return IGNORABLE;
  const category = unicode.getCategory(codePoint);
  // CLS-5: the library returns Cc for unassigned code points; only these 65 are control characters.
  if (category === 'Cc' && !(codePoint <= 0x1f || (codePoint >= 0x7f && codePoint <= 0x9f))) return UNASSIGNED;
  return CLASS_OF_CATEGORY.get(category) ?? BREAK;
}

/**
 * Returns the class of a code point, fixed for good to the data of Unicode 12.0 (step 2; CLS-1 to CLS-6). The whole table
 * is in spec/word-classes.txt; it does not depend on the Unicode version of the engine.
 * @param codePoint - 0 to 0x10FFFF; a surrogate, which no text holds, is a break
 * @returns `letter`, `word`, `break`, `ignorable` or `unassigned`
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 * @see spec/simhash-doc.md#step-2
 * @example
 * classify(0x3b1); // 'letter'
 */
export function classify(codePoint: number): WordClass {
  assertInteger('codePoint', codePoint, 0, 0x10ffff);
  return NAMES[derive(codePoint)]!;
}
