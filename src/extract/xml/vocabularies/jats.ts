import { ABSENT, BLOCK, BOX, CELL, displayTable, GAP, INLINE, setOf } from '../../render/display.ts';
import { AUTO, BREAK, PREFORMATTED, type Vocabulary, type XmlDisplay } from '../xml-renderer.ts';

/** The elements in which JATS, BITS and NLM keep the metadata of a document, its title and abstract among it. */
const METADATA = setOf('article-meta front-stub book-meta book-part-meta collection-meta sec-meta');

/** The parts of these that are shown; all else is metadata. */
const SHOWN_METADATA = setOf('title-group book-title-group abstract trans-abstract');

/** Elements by their display. Formulas are left out as pictures are; labels stand apart from what they label. */
const DISPLAY: ReadonlyMap<string, XmlDisplay> = displayTable<XmlDisplay>([
  [ABSENT, 'journal-meta processing-meta permissions contrib-group aff aff-alternatives author-notes pub-date'],
  [ABSENT, 'kwd-group subj-group article-categories funding-group counts history self-uri custom-meta-group'],
  [ABSENT, 'custom-meta alt-title article-id book-id book-part-id pub-id object-id issn isbn elocation-id contrib-id'],
  [ABSENT, 'institution-id alt-text long-desc textual-form sec-meta toc toc-group private-char glyph-data index-term'],
  [GAP, 'inline-formula disp-formula disp-formula-group tex-math chem-struct'],
  [INLINE, 'bold italic sub sup sc underline overline strike monospace roman sans-serif styled-content named-content'],
  [INLINE, 'ext-link uri email abbrev milestone-start milestone-end x inline-graphic hr fixed-case rb ruby'],
  [ABSENT, 'rp rt'],
  [BOX, 'label name surname given-names prefix suffix string-name collab etal'],
  [BOX, 'year month day volume issue fpage lpage page-range source publisher-name publisher-loc'],
  [BLOCK, 'p title subtitle article-title trans-title sec abstract trans-abstract body back front ref list list-item'],
  [BLOCK, 'disp-quote verse-group verse-line speech speaker statement boxed-text fig fig-group table-wrap caption'],
  [BLOCK, 'def-list def-item def term-head def-head table thead tbody tfoot tr table-wrap-foot fn fn-group ack app'],
  [BLOCK, 'app-group ref-list glossary bio notes attrib sub-article response supplementary-material media'],
  [BLOCK, 'floats-group title-group trans-title-group note array answer question explanation'],
  [CELL, 'td th term'],
  [PREFORMATTED, 'preformat code'],
  [BREAK, 'break'],
]);

/** References whose text is a mark beside a word and not part of it: `word<xref ref-type="bibr">12</xref>`. */
const MARKS = setOf('bibr fn table-fn aff corresp author-notes');

/** The prefixes of identifiers in other media, where they are locators as a whole (LOC-7). */
const IDENTIFIER_LABEL = /(?<![\p{L}\p{N}])(?:ark|arxiv|doi|hdl|isbn|issn|pmcid|pmid|swh):$/iu;

/** JATS, BITS and the NLM sets before them (https://jats.nlm.nih.gov/). */
export const jats: Vocabulary = {
  isRoot({ namespace, name, attribute }, doctype) {
    if (namespace !== '') return false;
    if (ROOTS.has(name)) return true;
    if (!SHARED_ROOTS.has(name)) return false;
    if (/JATS|BITS|NLM/.test(doctype)) return true;
    if (attribute('article-type') !== undefined || attribute('dtd-version') !== undefined) return true;
    return doctype.includes('DocBook') ? false : null;
  },
  isFirst: ({ namespace, name }) => namespace === '' && FIRST.has(name),
  formula: GAP,
  display(element, parent) {
    const { name } = element;
    const outer = parent?.element.name ?? '';
    if (METADATA.has(outer)) return SHOWN_METADATA.has(name) ? BLOCK : ABSENT;
    if (name === 'xref') return MARKS.has(element.attribute('ref-type') ?? '') ? BOX : INLINE;
    // A title within a reference is a part of its line, or stands apart where the reference has no punctuation.
    if ((name === 'article-title' || name === 'trans-title') && outer.endsWith('-citation')) return BOX;
    if (outer === 'element-citation' || outer === 'nlm-citation') return DISPLAY.get(name) === ABSENT ? ABSENT : BOX;
    return DISPLAY.get(name) ?? AUTO;
  },
  label: ({ name }) => (name === 'pub-id' ? IDENTIFIER_LABEL : null),
};

const ROOTS = setOf('pmc-articleset book-part-wrapper');
/** Roots that it shares with others, and what they begin with if it is JATS. */
const SHARED_ROOTS = setOf('article book book-part');
const FIRST = setOf(
  'processing-meta front journal-meta article-meta book-meta collection-meta book-part-meta front-matter body',
);
