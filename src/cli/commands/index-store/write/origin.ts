import { warn } from '../../../terminal/output.ts';
import type { Store } from '../store.ts';

/** The most files of an index that are searched for another extractor. */
const MAX_FILES = 10_000;

/** The extractors that read different texts from the same medium. */
const HTML = /^html(?:-article)?\//;

/**
 * Warns if an index has documents of the same medium by another extractor than those that were added (HTM-7).
 * @param store - the index, after the commit
 * @param added - the extractors of the documents that were added
 */
export async function warnOfOrigins({ files }: Store, added: ReadonlySet<string>): Promise<void> {
  const extractor = [...added].find((each) => HTML.test(each));
  if (extractor === undefined) return;
  let count = 0;
  for await (const path of files.paths('')) {
    if (++count > MAX_FILES) return;
    const { extractors = [] } = (await files.get(path)) ?? {};
    const other = extractors.find((each) => HTML.test(each) && nameOf(each) !== nameOf(extractor));
    if (other === undefined) continue;
    warn(
      `warning: the index mixes documents read by ${other} and by ${extractor}: their fingerprints are not comparable`,
    );
    return;
  }
}

function nameOf(extractor: string): string {
  return extractor.split('/', 1)[0]!;
}
