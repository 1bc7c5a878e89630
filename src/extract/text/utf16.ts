const WINDOW = 1 << 18;

const NO_TEXT = /[^\t\n\r\f\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200b-\u200f\u2028\u2029\ufeff]|\ufffd/gu;

/** Tests whether decoded bytes have at most 2 % of characters that are not in texts. */
export function isMostlyText(text: string): boolean {
  return (text.match(NO_TEXT)?.length ?? 0) <= text.length / 50;
}

/** Guesses UTF-16 without a byte order mark: ASCII has a NUL, and Thai the byte 0E, in every other position. */
export function guessUtf16(bytes: Uint8Array, byte = 0): 'UTF-16LE' | 'UTF-16BE' | null {
  const head = bytes.subarray(0, WINDOW);
  let [even, odd] = [0, 0];
  for (let at = head.indexOf(byte); at >= 0; at = head.indexOf(byte, at + 1))
    if (at % 2 === 0) even++;
    else odd++;
  if (Math.max(even, odd) <= head.length / 20 || Math.min(even, odd) >= Math.max(even, odd) / 10) return null;
  const name = odd > even ? 'UTF-16LE' : 'UTF-16BE';
  const whole = head.subarray(0, head.length - (head.length % 2));
  return isMostlyText(new TextDecoder(name).decode(whole)) ? name : null;
}
