import { ABSENT, BLOCK, BOX, CELL, displayTable, INLINE } from '../../render/display.ts';
import { AUTO, type Vocabulary, type XmlDisplay } from '../xml-renderer.ts';

const DISPLAY: ReadonlyMap<string, XmlDisplay> = displayTable<XmlDisplay>([
  [ABSENT, 'description stylesheet binary'],
  [BLOCK, 'FictionBook body section title subtitle p epigraph annotation cite poem stanza v text-author date'],
  [BLOCK, 'empty-line table tr'],
  [INLINE, 'emphasis strong strikethrough sub sup code style'],
  [CELL, 'td th'],
]);

/** FictionBook 2: the bodies with their notes, without the metadata of the book and its images. */
export const fictionBook: Vocabulary = {
  // It is not registered.
  mediaType: 'application/x-fictionbook+xml',
  isRoot: ({ namespace, name }) => name === 'FictionBook' && /^$|\/fictionbook\//i.test(namespace),
  display({ name, attribute }) {
    if (name === 'a') return attribute('type') === 'note' ? BOX : INLINE;
    return DISPLAY.get(name) ?? AUTO;
  },
};
