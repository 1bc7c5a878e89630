import { ABSENT, BLOCK, BOX, CELL, displayTable, GAP, INLINE, setOf } from '../../render/display.ts';
import { SPACE } from '../../render/text-writer.ts';
import type { XmlElement } from '../parse-xml.ts';
import { AUTO, BREAK, type Frame, PREFORMATTED, type Vocabulary, type XmlDisplay } from '../xml-renderer.ts';

const TEI = 'http://www.tei-c.org/ns/1.0';
/** The namespace of what is shown as an example (`egXML`), with the same names. */
const EXAMPLES = 'http://www.tei-c.org/ns/Examples';

/** Elements by their display. Running heads, page numbers and catchwords belong to the pages of one print. */
const DISPLAY: ReadonlyMap<string, XmlDisplay> = displayTable<XmlDisplay>([
  [ABSENT, 'facsimile standOff sourceDoc fsdDecl idno index interp interpGrp'],
  [ABSENT, 'fw del surplus rdg rdgGrp wit certainty precision spanGrp joinGrp linkGrp timeline'],
  [GAP, 'formula notatedMusic'],
  [INLINE, 'hi emph foreign term ref seg distinct mentioned soCalled gloss title c g am ex supplied unclear add corr'],
  [INLINE, 'reg expan abbr orig sic choice subst app lem mod restore damage hyph'],
  [BOX, 'w pc num'],
  [BOX, 'forename surname genName nameLink roleName addName'],
  [BLOCK, 'teiHeader text front body back group div div1 div2 div3 div4 div5 div6 div7 head p ab l lg list item'],
  [
    BLOCK,
    'label quote sp speaker figure figDesc table row note listBibl biblStruct titlePage docTitle titlePart byline',
  ],
  [BLOCK, 'docAuthor docImprint docDate epigraph argument opener closer salute signed dateline trailer floatingText'],
  [BLOCK, 'castList castItem entry sense u abstract'],
  [CELL, 'cell'],
  [PREFORMATTED, 'eg'],
]);

const PASSED_OVER = setOf('sic orig abbr');

const BEGINNINGS = setOf('lb pb cb gb milestone');

/** TEI (https://tei-c.org/release/doc/tei-p5-doc/en/html/). A title page replaces the title of the header. */
export const tei: Vocabulary = {
  isRoot: ({ namespace, name }, _doctype, parent) =>
    namespace === TEI || (parent === null && namespace === '' && OLD_ROOTS.has(name)),
  formula: GAP,
  display(element, parent, revoke) {
    const { name } = element;
    const outer = parent?.element.name ?? '';
    if (isInHeader(parent)) return headerDisplay(name, outer, element);
    if (BEGINNINGS.has(name)) return element.attribute('break') === 'no' ? INLINE : name === 'lb' ? BREAK : SPACED;
    if (outer === 'choice' && PASSED_OVER.has(name)) return ABSENT;
    if ((name === 'titlePage' || name === 'docTitle') && element.namespace !== EXAMPLES) revoke();
    // A word that the encoder has cut in two is one word.
    if (name === 'w' && element.attribute('part') !== undefined && element.attribute('part') !== 'N') return INLINE;
    return DISPLAY.get(name) ?? AUTO;
  },
  remember: (element, parent) => element.name === 'title' && parent?.element.name === 'titleStmt' && isInHeader(parent),
};

/** The roots of the versions before TEI had a namespace. */
const OLD_ROOTS: ReadonlySet<string> = new Set(['TEI', 'TEI.2', 'teiCorpus', 'teiCorpus.2']);

/** A beginning in the middle of a line. */
const SPACED = { separator: SPACE, content: false } as const;

/** The elements of the header in which something to keep may stand. */
const HEADER = setOf('teiHeader fileDesc titleStmt profileDesc');

/** Tests whether an element stands in the header, and not in an example or a bibliography, which have elements of these names. */
function isInHeader(parent: Frame | null): boolean {
  let at = parent;
  while (at !== null && at.element.name !== 'teiHeader' && HEADER.has(at.element.name)) at = at.parent;
  return at?.element.name === 'teiHeader' && at.element.namespace !== EXAMPLES;
}

function headerDisplay(name: string, outer: string, element: XmlElement): XmlDisplay {
  if (HEADER.has(name)) return BLOCK;
  const main = !['short', 'alt', 'desc', 'gmd'].includes(element.attribute('type') ?? '');
  if (outer === 'titleStmt' && name === 'title' && main) return BLOCK;
  return outer === 'profileDesc' && name === 'abstract' ? BLOCK : ABSENT;
}
