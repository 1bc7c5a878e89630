/** Inputs that several groups build. */
import type { GeneratingRule, Hex16 } from '../../../../src/conformance/types.ts';
import type { Case } from '../case.ts';

export const repeat = (text: string, count: number): GeneratingRule => ({ rule: 'repeat', text, count });
export const concat = (...parts: GeneratingRule[]): GeneratingRule => ({ rule: 'concat', parts });

/** The 16 hexadecimal digits of 64 bits. */
export const hex16 = (value: bigint): Hex16 => value.toString(16).padStart(16, '0');

/** Bytes as hexadecimal digits. */
export const hexOf = (bytes: readonly number[] | Uint8Array): string => Buffer.from(bytes).toString('hex');

export const utf8Of = (text: string): string => Buffer.from(text).toString('hex');

/** The 16-bit units of a text, four hexadecimal digits each. */
export const utf16Of = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');

/** Names a case of 256 bits after that of 64 bits. */
export const in256Bits = <C extends Case>(each: C): C => ({
  ...each,
  name: `wide-${each.name}`,
  title: `${each.title}: 256 bits`,
});
