/**
 * Unicode 12.0 data for the twin, from a source that has nothing to do with the one the implementation uses.
 */
import defaultIgnorableRanges from '@unicode/unicode-12.0.0/Binary_Property/Default_Ignorable_Code_Point/ranges.mjs';
import Pe from '@unicode/unicode-12.0.0/General_Category/Close_Punctuation/ranges.mjs';
import Pc from '@unicode/unicode-12.0.0/General_Category/Connector_Punctuation/ranges.mjs';
import Cc from '@unicode/unicode-12.0.0/General_Category/Control/ranges.mjs';
import Sc from '@unicode/unicode-12.0.0/General_Category/Currency_Symbol/ranges.mjs';
import Pd from '@unicode/unicode-12.0.0/General_Category/Dash_Punctuation/ranges.mjs';
import Nd from '@unicode/unicode-12.0.0/General_Category/Decimal_Number/ranges.mjs';
import Me from '@unicode/unicode-12.0.0/General_Category/Enclosing_Mark/ranges.mjs';
import Pf from '@unicode/unicode-12.0.0/General_Category/Final_Punctuation/ranges.mjs';
import Cf from '@unicode/unicode-12.0.0/General_Category/Format/ranges.mjs';
import Pi from '@unicode/unicode-12.0.0/General_Category/Initial_Punctuation/ranges.mjs';
import Nl from '@unicode/unicode-12.0.0/General_Category/Letter_Number/ranges.mjs';
import Zl from '@unicode/unicode-12.0.0/General_Category/Line_Separator/ranges.mjs';
import Ll from '@unicode/unicode-12.0.0/General_Category/Lowercase_Letter/ranges.mjs';
import Sm from '@unicode/unicode-12.0.0/General_Category/Math_Symbol/ranges.mjs';
import Lm from '@unicode/unicode-12.0.0/General_Category/Modifier_Letter/ranges.mjs';
import Sk from '@unicode/unicode-12.0.0/General_Category/Modifier_Symbol/ranges.mjs';
import Mn from '@unicode/unicode-12.0.0/General_Category/Nonspacing_Mark/ranges.mjs';
import Ps from '@unicode/unicode-12.0.0/General_Category/Open_Punctuation/ranges.mjs';
import Lo from '@unicode/unicode-12.0.0/General_Category/Other_Letter/ranges.mjs';
import No from '@unicode/unicode-12.0.0/General_Category/Other_Number/ranges.mjs';
import Po from '@unicode/unicode-12.0.0/General_Category/Other_Punctuation/ranges.mjs';
import So from '@unicode/unicode-12.0.0/General_Category/Other_Symbol/ranges.mjs';
import Zp from '@unicode/unicode-12.0.0/General_Category/Paragraph_Separator/ranges.mjs';
import Co from '@unicode/unicode-12.0.0/General_Category/Private_Use/ranges.mjs';
import Zs from '@unicode/unicode-12.0.0/General_Category/Space_Separator/ranges.mjs';
import Mc from '@unicode/unicode-12.0.0/General_Category/Spacing_Mark/ranges.mjs';
import Cs from '@unicode/unicode-12.0.0/General_Category/Surrogate/ranges.mjs';
import Lt from '@unicode/unicode-12.0.0/General_Category/Titlecase_Letter/ranges.mjs';
import Cn from '@unicode/unicode-12.0.0/General_Category/Unassigned/ranges.mjs';
import Lu from '@unicode/unicode-12.0.0/General_Category/Uppercase_Letter/ranges.mjs';
import BopomofoScript from '@unicode/unicode-12.0.0/Script/Bopomofo/ranges.mjs';
import HanScript from '@unicode/unicode-12.0.0/Script/Han/ranges.mjs';
import HiraganaScript from '@unicode/unicode-12.0.0/Script/Hiragana/ranges.mjs';
import KatakanaScript from '@unicode/unicode-12.0.0/Script/Katakana/ranges.mjs';
import KhmerScript from '@unicode/unicode-12.0.0/Script/Khmer/ranges.mjs';
import LaoScript from '@unicode/unicode-12.0.0/Script/Lao/ranges.mjs';
import MyanmarScript from '@unicode/unicode-12.0.0/Script/Myanmar/ranges.mjs';
import ThaiScript from '@unicode/unicode-12.0.0/Script/Thai/ranges.mjs';
import BopomofoExtension from '@unicode/unicode-12.0.0/Script_Extensions/Bopomofo/ranges.mjs';
import HanExtension from '@unicode/unicode-12.0.0/Script_Extensions/Han/ranges.mjs';
import HiraganaExtension from '@unicode/unicode-12.0.0/Script_Extensions/Hiragana/ranges.mjs';
import KatakanaExtension from '@unicode/unicode-12.0.0/Script_Extensions/Katakana/ranges.mjs';
import KhmerExtension from '@unicode/unicode-12.0.0/Script_Extensions/Khmer/ranges.mjs';
import LaoExtension from '@unicode/unicode-12.0.0/Script_Extensions/Lao/ranges.mjs';
import MyanmarExtension from '@unicode/unicode-12.0.0/Script_Extensions/Myanmar/ranges.mjs';
import ThaiExtension from '@unicode/unicode-12.0.0/Script_Extensions/Thai/ranges.mjs';

// In these ranges `end` is the first code point that no longer belongs to the range.
const rangesOf = {
  ...{ Lu, Ll, Lt, Lm, Lo, Mn, Mc, Me, Nd, Nl, No, Pc, Pd, Ps, Pe },
  ...{ Pi, Pf, Po, Sm, Sc, Sk, So, Zs, Zl, Zp, Cc, Cf, Cs, Co, Cn },
};

export type Category = keyof typeof rangesOf;

const categories = Object.keys(rangesOf) as Category[];

/** All code points of a general category of Unicode 12.0, ascending. */
export function codePointsOfCategory(category: Category): number[] {
  return rangesOf[category].flatMap((range) => [...range.keys()]);
}

const categoryOfCodePoint: (Category | undefined)[] = new Array(0x110000);
for (const category of categories) {
  for (const range of rangesOf[category]) categoryOfCodePoint.fill(category, range.begin, range.end);
}

/** The general category in Unicode 12.0. */
export function generalCategory(codePoint: number): Category {
  const category = categoryOfCodePoint[codePoint];
  if (category === undefined) throw new RangeError(`not a code point: ${codePoint}`);
  return category;
}

/** Default_Ignorable_Code_Point of Unicode 12.0. */
export function isDefaultIgnorable(codePoint: number): boolean {
  return defaultIgnorableRanges.some((range) => range.begin <= codePoint && codePoint < range.end);
}

const spacelessRanges = [
  ...[BopomofoScript, HanScript, HiraganaScript, KatakanaScript, KhmerScript, LaoScript, MyanmarScript, ThaiScript],
  ...[BopomofoExtension, HanExtension, HiraganaExtension, KatakanaExtension],
  ...[KhmerExtension, LaoExtension, MyanmarExtension, ThaiExtension],
].flat();

const isSpaceless = new Uint8Array(0x110000);
for (const range of spacelessRanges) isSpaceless.fill(1, range.begin, range.end);

/** Tests whether Script or Script_Extensions of Unicode 12.0 name a script that is written without spaces between words (BIG-1). */
export function isOfSpacelessScript(codePoint: number): boolean {
  return isSpaceless[codePoint] === 1;
}
