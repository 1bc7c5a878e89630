/**
 * Unicode 12.0 data for the twin, from a source that has nothing to do with the one the implementation uses.
 */
interface Range {
  readonly begin: number;
  /** The first code point that no longer belongs to the range. */
  readonly end: number;
  keys(): Iterable<number>;
}

async function rangesIn(property: string): Promise<readonly Range[]> {
  return (await import(/* @vite-ignore */ `@unicode/unicode-12.0.0/${property}/ranges.mjs`)).default;
}

const NAMES = {
  ...{ Lu: 'Uppercase_Letter', Ll: 'Lowercase_Letter', Lt: 'Titlecase_Letter' },
  ...{ Lm: 'Modifier_Letter', Lo: 'Other_Letter', Mn: 'Nonspacing_Mark' },
  ...{ Mc: 'Spacing_Mark', Me: 'Enclosing_Mark', Nd: 'Decimal_Number' },
  ...{ Nl: 'Letter_Number', No: 'Other_Number', Pc: 'Connector_Punctuation' },
  ...{ Pd: 'Dash_Punctuation', Ps: 'Open_Punctuation', Pe: 'Close_Punctuation' },
  ...{ Pi: 'Initial_Punctuation', Pf: 'Final_Punctuation', Po: 'Other_Punctuation' },
  ...{ Sm: 'Math_Symbol', Sc: 'Currency_Symbol', Sk: 'Modifier_Symbol' },
  ...{ So: 'Other_Symbol', Zs: 'Space_Separator', Zl: 'Line_Separator' },
  ...{ Zp: 'Paragraph_Separator', Cc: 'Control', Cf: 'Format' },
  ...{ Cs: 'Surrogate', Co: 'Private_Use', Cn: 'Unassigned' },
};

export type Category = keyof typeof NAMES;

const categories = Object.keys(NAMES) as Category[];
const rangesOf = new Map<Category, readonly Range[]>();
for (const category of categories) rangesOf.set(category, await rangesIn(`General_Category/${NAMES[category]}`));
const defaultIgnorableRanges = await rangesIn('Binary_Property/Default_Ignorable_Code_Point');

/** All code points of a general category of Unicode 12.0, ascending. */
export function codePointsOfCategory(category: Category): number[] {
  return rangesOf.get(category)!.flatMap((range) => [...range.keys()]);
}

const categoryOfCodePoint: (Category | undefined)[] = new Array(0x110000);
for (const category of categories) {
  for (const range of rangesOf.get(category)!) categoryOfCodePoint.fill(category, range.begin, range.end);
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

const isSpaceless = new Uint8Array(0x110000);
for (const script of 'Bopomofo Han Hiragana Katakana Khmer Lao Myanmar Thai'.split(' '))
  for (const property of ['Script', 'Script_Extensions'])
    for (const range of await rangesIn(`${property}/${script}`)) isSpaceless.fill(1, range.begin, range.end);

/** Tests whether Script or Script_Extensions of Unicode 12.0 name a script that is written without spaces between words (BIG-1). */
export function isOfSpacelessScript(codePoint: number): boolean {
  return isSpaceless[codePoint] === 1;
}
