/** The signs of the font Symbol from its code 0x20 on (Adobe, symbol.txt for Unicode); a space where it has none. */
const SYMBOLS = Array.from(
  ' !∀#∃%&∋()∗+,−./0123456789:;<=>?' +
    '≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_' +
    '‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼ ' +
    ' '.repeat(32) +
    '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵' +
    'ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓' +
    '◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ ⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭ ',
);

/** Other fonts whose codes are pictures. */
const PICTURES = /dings|dingbats|marlett|mt ?extra|sorts|symbol|math/i;

/** A code of a symbol font in the private use area, where Word puts them. */
const PRIVATE = /[\uF020-\uF0FF]/g;

export function decodeSymbols(text: string, font: string): string {
  if (font !== 'Symbol' && !PICTURES.test(font)) return text;
  return text.replace(PRIVATE, (code) => decodeSymbol(code.charCodeAt(0), font) ?? ' ');
}

/** Returns the character that a code of a font, or a code point, shows; null for a sign that is not a character. */
export function decodeSymbol(code: number, font: string): string | null {
  const own = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  if (font === 'Symbol' && own >= 0x20 && own <= 0xff) {
    const symbol = SYMBOLS[own - 0x20]!;
    return symbol === ' ' ? null : symbol;
  }
  if (own <= 0xff && PICTURES.test(font)) return null;
  return code >= 0x20 && code < 0xd800 ? String.fromCharCode(code) : null;
}
