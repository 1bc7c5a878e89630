import { countProcessors } from '../common/processors.ts';
import { nameOf } from '../documents/document-outcome.ts';
import { DEFAULT_MEMORY, DEFAULT_TIMEOUT } from '../documents/hints.ts';
import { openDocuments } from '../documents/run-documents.ts';
import { planWalk, unopened } from '../documents/walk-plan.ts';
import { assertOptions, wrongType } from '../errors.ts';
import { DEFAULT_LIMITS } from '../extract/index.ts';
import { DOCUMENT_LABEL } from './answer.ts';
import type { TextItem } from './duplicate-texts.ts';

/** Options for reading documents. */
export interface ReadOptions {
  /** The field that holds the text of each row of JSON Lines and Parquet files, which makes each row a document. */
  readonly textField?: string;
  /** The field that holds the id of a row. Default: its number. */
  readonly idField?: string;
  /** Called for each document that cannot be read. Default: the first such document ends the iteration with an Error. */
  readonly onFailure?: (id: string, message: string) => void;
}

/**
 * Reads the texts of files and folders, and of the documents in archives (step 0), several at a time.
 * @param paths - files and folders
 * @param options - see {@link ReadOptions}
 * @returns each text; its id is the path, or `PATH!NAME` in an archive or dataset
 * @throws TypeError `wrong-type`; Error for a document that cannot be read, unless `onFailure` is given
 * @see spec/extraction.md
 * @example
 * for await (const { kept, members } of findDuplicates(readTexts(['manuals/']))) console.log(kept, members);
 */
export async function* readTexts(
  paths: readonly string[],
  options: ReadOptions = {},
): AsyncGenerator<TextItem & { readonly text: string }, undefined> {
  if (!Array.isArray(paths)) throw wrongType('paths', 'an array of strings', paths);
  assertOptions('options', options, { textField: 'string?', idField: 'string?', onFailure: 'function?' });
  const { textField, idField, onFailure } = options;
  const { entries, isHandful } = planWalk({ roots: paths, isSelected: () => true });
  const documents = openDocuments({
    hints: {
      label: DOCUMENT_LABEL,
      ...(textField !== undefined && { fields: { textField, ...(idField !== undefined && { idField }) } }),
      limits: DEFAULT_LIMITS,
      timeout: DEFAULT_TIMEOUT,
      memory: DEFAULT_MEMORY,
    },
    jobs: countProcessors(),
    isHandful,
  });
  try {
    for await (const outcome of documents.run('extract', unopened(entries))) {
      if (outcome.kind === 'done') yield { id: nameOf(outcome), text: outcome.result.text };
      else if (onFailure === undefined) throw new Error(`${nameOf(outcome)}: ${outcome.failure.message}`);
      else onFailure(nameOf(outcome), outcome.failure.message);
    }
  } finally {
    await documents.close();
  }
}
