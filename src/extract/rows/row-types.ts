import { assertOptions, wrongType, wrongValue } from '../../errors.ts';
import type { ExtractionErrorCode } from '../errors.ts';
import type { ExtractionLimits } from '../limits.ts';

/** The columns of a table that make its documents. */
export interface TableFields {
  /**
   * The name of the field with the text, or the names of several, whose texts are joined by a line break. A dot leads into
   * an object, and brackets into each item of a list: `meta.text`, `messages[].content`.
   */
  readonly textField: string | readonly string[];
  /** The name of the field with the id of a row. Default: the number of the row is its id. */
  readonly idField?: string | undefined;
}

/** Options of reading a table. */
export interface ReadTableOptions extends TableFields {
  /** The limits of reading one row: `bytes` for its line or its text. */
  readonly limits?: Partial<ExtractionLimits> | undefined;
}

/** The reason why a row has no text. */
export interface RowFailure {
  readonly code: ExtractionErrorCode;
  readonly message: string;
  /** Set if the row has the field, but its value is null. */
  readonly isNull?: boolean;
  /** Set if the row has no text: the field is missing or null. */
  readonly isMissing?: boolean;
}

/** A row of a table. */
export interface Row {
  /** The number of the row, from 1; in JSON Lines, of its line. */
  readonly number: number;
  /** The value of the id field, or the number of the row; `@` and the number if the id cannot be read. */
  readonly id: string;
  /** The text of the row, or the reason why it has none. */
  readonly content: { readonly text: string } | { readonly failure: RowFailure };
}

export function textFieldsOf({ textField }: TableFields): readonly string[] {
  return typeof textField === 'string' ? [textField] : textField;
}

export function assertTableOptions(options: ReadTableOptions): void {
  assertOptions('options', options, { idField: 'string?', limits: 'object?' });
  const { textField } = options;
  const names = textFieldsOf(options);
  if (typeof textField !== 'string' && (!Array.isArray(textField) || names.some((name) => typeof name !== 'string')))
    throw wrongType('options.textField', 'a string or a list of strings', textField);
  if (names.length === 0 || names.includes(''))
    throw wrongValue('out-of-range', 'options.textField', 'the name of a field', '');
}
