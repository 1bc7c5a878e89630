export interface Dialect {
  /** Quotes the name of a table or a column, with any characters. */
  quote(name: string): string;
  and(a: string, b: string): string;
  xor(a: string, b: string): string;
  /** The number of one bits of a 64-bit number. */
  bitCount(value: string): string;
  /** The type of a signed 64-bit number. */
  readonly bigint: string;
  /** Reads the 16 hexadecimal digits of a fingerprint as a signed number. */
  fromHex(digits: string): string;
  /** The text after the name of a table that is created. */
  readonly tableOptions?: string;
  /** The versions that the SQL is for, unless it is for all versions in use. */
  readonly versions?: string;
}

const inDoubleQuotes = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const infix =
  (operator: string) =>
  (a: string, b: string): string =>
    `(${a} ${operator} ${b})`;

/** A fingerprint is a signed number everywhere: not all of these systems have unsigned ones. */
export const DIALECTS = {
  duckdb: {
    quote: inDoubleQuotes,
    and: infix('&'),
    xor: (a, b) => `xor(${a}, ${b})`,
    bitCount: (value) => `bit_count(${value})`,
    bigint: 'BIGINT',
    fromHex: (digits) =>
      `(('0x' || ${digits})::UBIGINT::HUGEINT - CASE WHEN ${digits} >= '8' THEN 18446744073709551616::HUGEINT ELSE 0 END)::BIGINT`,
  },
  postgres: {
    versions: '14 or later',
    quote: inDoubleQuotes,
    and: infix('&'),
    xor: infix('#'),
    bitCount: (value) => `bit_count(${value}::bit(64))`,
    bigint: 'BIGINT',
    fromHex: (digits) => `('x' || ${digits})::bit(64)::bigint`,
  },
  spark: {
    quote: (name) => `\`${name.replaceAll('`', '``')}\``,
    and: infix('&'),
    xor: infix('^'),
    bitCount: (value) => `bit_count(${value})`,
    bigint: 'BIGINT',
    fromHex: (digits) => `CAST(conv(${digits}, 16, -10) AS BIGINT)`,
  },
  clickhouse: {
    quote: (name) => `\`${name.replace(/[\\`]/g, '\\$&')}\``,
    and: (a, b) => `bitAnd(${a}, ${b})`,
    xor: (a, b) => `bitXor(${a}, ${b})`,
    bitCount: (value) => `bitCount(${value})`,
    bigint: 'Int64',
    tableOptions: ' ENGINE = MergeTree ORDER BY tuple()',
    fromHex: (digits) => `reinterpretAsInt64(reverse(unhex(${digits})))`,
  },
} as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof DIALECTS;
