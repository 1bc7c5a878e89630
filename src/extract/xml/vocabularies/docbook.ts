import { ABSENT, BLOCK, BOX, CELL, displayTable, INLINE, setOf } from '../../render/display.ts';
import { AUTO, PREFORMATTED, type Vocabulary, type XmlDisplay } from '../xml-renderer.ts';

const DOCBOOK = 'http://docbook.org/ns/docbook';

const DISPLAY: ReadonlyMap<string, XmlDisplay> = displayTable<XmlDisplay>([
  [ABSENT, 'titleabbrev indexterm remark alt toc lot index revhistory areaspec beginpage refmeta itermset'],
  [INLINE, 'emphasis phrase literal code command option filename function varname parameter replaceable userinput'],
  [INLINE, 'computeroutput prompt constant classname methodname interfacename exceptionname type symbol systemitem'],
  [INLINE, 'link ulink xref anchor acronym abbrev quote foreignphrase firstterm wordasword citetitle application'],
  [INLINE, 'productname envar email uri subscript superscript trademark token tag sgmltag markup package'],
  [BOX, 'keycap guibutton guiicon guilabel guimenu guimenuitem guisubmenu menuchoice keycombo personname firstname'],
  [BOX, 'surname othername honorific lineage footnoteref co'],
  [BLOCK, 'para simpara formalpara title subtitle abstract section chapter part appendix preface listitem term member'],
  [BLOCK, 'itemizedlist orderedlist variablelist varlistentry simplelist footnote figure table informaltable row'],
  [BLOCK, 'blockquote attribution example note tip warning caution important caption bibliography biblioentry'],
  [BLOCK, 'bibliomixed glossary glossentry glossterm glossdef refentry refnamediv refsect1 refsect2 step procedure'],
  [BLOCK, 'sect1 sect2 sect3 sect4 sect5 simplesect sidebar bridgehead question answer qandaset qandaentry callout'],
  [CELL, 'entry td th seg'],
  [PREFORMATTED, 'programlisting screen literallayout synopsis address'],
  [PREFORMATTED, 'synopsisinfo classsynopsisinfo funcsynopsisinfo'],
]);

/** The elements in which DocBook keeps the metadata of a part; of 5 and, with the part's name before it, of 4. A synopsis has text there. */
const INFO = /^[a-z0-9]*(?<!synopsis)info$/;
const SHOWN_INFO: ReadonlySet<string> = new Set(['title', 'subtitle', 'abstract']);

/** DocBook, 5 and 4 (https://docbook.org/), without the metadata of a part except its title and abstract. */
export const docbook: Vocabulary = {
  isRoot: ({ namespace, name }, doctype) =>
    namespace === DOCBOOK || (namespace === '' && (doctype.includes('DocBook') || ROOTS.has(name))),
  isFirst: ({ namespace, name }) => namespace === '' && FIRST.has(name),
  display(element, parent) {
    const { name } = element;
    const outer = parent?.element.name ?? '';
    if (INFO.test(outer)) return SHOWN_INFO.has(name) ? BLOCK : ABSENT;
    if (INFO.test(name) || name === 'artheader') return name === 'msginfo' ? ABSENT : BLOCK;
    if (name === 'textobject' && (outer === 'mediaobject' || outer === 'inlinemediaobject')) return ABSENT;
    return DISPLAY.get(name) ?? AUTO;
  },
};

/** Roots that only DocBook 4 has, and the first children that identify it under shared roots. */
const ROOTS = setOf('refentry chapter set appendix part reference sect1');
const FIRST = setOf('title subtitle info articleinfo bookinfo artheader chapter preface section sect1 para simpara');
