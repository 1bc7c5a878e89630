import fc from 'fast-check';
import { html as parse5, type Token } from 'parse5';
import { expect, test } from 'vitest';
import { TextTree } from '../../../src/extract/html/text-tree.ts';
import { extract } from '../../../src/extract/index.ts';
import { forAllAsync, IS_SLOW } from '../../suite.ts';
import { renderWholeTree } from './whole-tree.ts';

const NAMES =
  'a b i u nobr font code p div td tr table tbody caption colgroup col select option svg math title text tspan mi ' +
  'annotation-xml foreignObject desc template noscript script textarea plaintext frameset object ruby rt head body html ' +
  'form li ul dd pre button details dialog br wbr img input hr span h1 h2 marquee iframe x-y meta legend';
const ATTRIBUTES = [
  ...['', '', '', '', ' hidden', ' open', ' data=x', ' x=1', ' encoding=text/html', ' type=hidden'],
  // Where the spans end in which text and attribute values are read: line ends, references, and what is beyond the BMP.
  ...[' title="a>b &lt; c\r\n\u{1F600} d"', ' x="y z"', ` x='y "z'`],
];
const TEXTS = [
  ...['x', 'y ', ' z', '\n', ' ', '\n\n', 'long word here', '&#13;', '\t', '<!--c-->', '<![CDATA[x]]>', '\0'],
  ...['a\r\nb', '\r', 'a \u{1F600} b', 'x &amp; y ', 'a\0b', '&notit; ', 'x\ty\n z'],
];

/** Markup of a few kinds of elements, which meet more often than those of all kinds would. */
const soup = fc.uniqueArray(fc.constantFrom(...NAMES.split(' ')), { minLength: 2, maxLength: 12 }).chain((names) => {
  const name = fc.constantFrom(...names);
  const startTag = fc.tuple(name, fc.constantFrom(...ATTRIBUTES)).map(([each, attribute]) => `<${each}${attribute}>`);
  const endTag = name.map((each) => `</${each}>`);
  const text = fc.tuple(fc.constantFrom(...TEXTS), fc.nat(99)).map(([each, number]) => each + number);
  return fc.array(fc.oneof({ weight: 9, arbitrary: startTag }, { weight: 5, arbitrary: endTag }, text), {
    maxLength: 60,
  });
});

async function textOf(markup: string): Promise<string> {
  return (await extract(new TextEncoder().encode(markup), { type: 'html', charset: 'utf-8' })).text;
}

test('the text of the tokenizer is that of the whole tree', async () => {
  await forAllAsync([soup], IS_SLOW ? 2000 : 600, async (pieces) => {
    const markup = pieces.join('');
    expect(await textOf(markup)).toBe(renderWholeTree(markup));
  });
});

test.each([
  ['a block moves out of a hidden element', '<b>1<span hidden>2<p>3</b>4', '1\n34'],
  ['text behind a link that another one ends in a table', '<a>1<table><tr><td>2<a>3</table>4', '1\n23\n4'],
  ['a table stays open when the link around it ends', 'x<a href=1>1<table><a href=2>2</table>3', 'x12\n3'],
  ['the body is hidden at its end', 'a<body hidden>b', ''],
  ['a copy of a formatting element is hidden too', '<b hidden>1<p>2</b>3', '3'],
  ['text behind an element that is moved', '<i><b>1<p>2</i>3</b>4', '1\n234'],
])('the text is that of the tree: %s', async (_name, markup, text) => {
  expect(renderWholeTree(markup)).toBe(text);
  expect(await textOf(markup)).toBe(text);
});

/** Calls `use` with lists of attributes and returns how often their names are read. */
function countReads(use: (list: (from: number, to: number) => Token.Attribute[]) => void): number {
  let reads = 0;
  const attribute = (index: number): Token.Attribute => ({
    get name() {
      reads++;
      return `a${index}`;
    },
    value: '',
  });
  use((from, to) => Array.from({ length: to - from }, (_, index) => attribute(from + index)));
  return reads;
}

const newTree = (): TextTree => new TextTree({ onElement() {}, onPlaced() {}, onDepth() {} });

test('each attribute of a repeated tag is read a fixed number of times', () => {
  const reads = countReads((list) => {
    const tree = newTree();
    const body = tree.createElement('body', parse5.NS.HTML, list(0, 1));
    for (let at = 1; at < 1000; at++) tree.adoptAttributes(body, list(at, at + 1));
  });
  expect(reads).toBeLessThan(3000);
});

test('the attributes of a formatting element that is reopened are read once', () => {
  const reads = countReads((list) => {
    const [tree, attributes] = [newTree(), list(0, 1000)];
    for (let times = 0; times < 1000; times++) tree.createElement('b', parse5.NS.HTML, attributes);
  });
  expect(reads).toBeLessThan(3000);
});
