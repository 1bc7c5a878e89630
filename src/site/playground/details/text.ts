import { hexDigits } from '../../../common/bytes.ts';
import { formatNumber } from '../../../common/text.ts';
import { schemeOf } from '../../../scheme/labels/label.ts';
import { h } from '../dom.ts';
import { type State, shownAnalyses, tokensUnder } from '../store.ts';
import { createView, type View } from '../view/view.ts';
import type { Analysis, Mark, Tokens } from '../worker/tasks.ts';

/** The names of the forms of locators: LOC-5 to LOC-11. */
const FORMS = ['', 'URL', 'www address', 'identifier', 'DOI', 'e-mail address', 'UUID', 'digest'] as const;

export function createTexts(): View {
  return createView(
    h('section.texts', { 'aria-labelledby': 'texts-title' }),
    (state) => [...shownAnalyses(state), schemeOf(state.label).bg1],
    (state) => {
      const analyses = shownAnalyses(state);
      if (analyses.every((analysis) => (analysis?.length ?? 0) === 0)) return [];
      return [
        h('h2', { id: 'texts-title' }, 'Text and tokens'),
        h(
          'p.soft',
          'Underlined runs of letters are the tokens that are counted; a coloured one is missing on the other side. ',
          h('del', 'Locators'),
          ' such as URLs and e-mail addresses are stripped first. Point at a token, or move through them with the arrow keys.',
        ),
        h(
          'div.panes',
          analyses.map((analysis, index) => textPane(state, analysis, analyses[1 - index], index)),
        ),
      ];
    },
  );
}

function textPane(
  state: State,
  analysis: Analysis | undefined,
  other: Analysis | undefined,
  index: number,
): HTMLElement {
  const name = 'AB'[index]!;
  if (analysis === undefined) return h('div');
  const own = tokensUnder(state.label, analysis);
  const others = other && tokensUnder(state.label, other);
  const detail = h('p.token-detail.detail', { role: 'status' }, 'No token is selected.');
  const { spans, content } = markedText(analysis, own.marks, others);
  const describe = (at: number): void => {
    const mark = own.marks[at]!;
    detail.replaceChildren(
      h('strong', mark.text),
      ` ${mark.classes} · hash `,
      h('code', mark.hash),
      ` · ${countOf(own, mark)} × in ${name}${others ? `, ${countOf(others, mark)} × in ${'AB'[1 - index]}` : ''}`,
    );
  };
  const text = h(
    'div',
    {
      class: 'marked box',
      tabindex: 0,
      role: 'group',
      'aria-label': `Text of document ${name} with its tokens`,
      'data-key': `text-${name}`,
    },
    content,
  );
  installSelection(text, spans, describe);
  return h('div', { class: `marked-pane side-${name.toLowerCase()}` }, text, detail, shownPart(analysis, own));
}

function shownPart(analysis: Analysis, { marks, total }: Tokens): HTMLElement | null {
  if (analysis.excerpt.length === analysis.length) return null;
  return h(
    'p.soft',
    `The first ${formatNumber(marks.length)} of ${formatNumber(total)} tokens are shown. The fingerprint is of the whole document.`,
  );
}

function countOf({ counts: { hashes, counts } }: Tokens, mark: Mark): number {
  const hash = BigInt(`0x${mark.hash}`);
  let [low, high] = [0, hashes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hashes[middle]! < hash) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === hash ? counts[low]! : 0;
}

/** The text with a span for each token and locators struck through. Pairs of `bg1` overlap: each span ends where the next begins. */
function markedText({ excerpt, locators }: Analysis, marks: readonly Mark[], others: Tokens | undefined) {
  const content: Node[] = [];
  const spans: HTMLElement[] = [];
  let at = 0;
  let passed = 0;
  const addPlain = (end: number): void => {
    for (; passed < locators.length && locators[passed]!.start < end; passed++) {
      const { start, end: stop, form } = locators[passed]!;
      content.push(document.createTextNode(visible(excerpt.slice(at, start))));
      content.push(h('del', { title: `stripped: ${FORMS[form]} (form ${form})` }, visible(excerpt.slice(start, stop))));
      at = stop;
    }
    if (at < end) content.push(document.createTextNode(visible(excerpt.slice(at, end))));
    at = Math.max(at, end);
  };
  marks.forEach((mark, index) => {
    addPlain(mark.start);
    const end = Math.min(mark.end, marks[index + 1]?.start ?? mark.end);
    const isMissing = others !== undefined && others.total > 0 && countOf(others, mark) === 0;
    const span = h('span', { class: isMissing ? 'token missing' : 'token' }, visible(excerpt.slice(at, end)));
    spans.push(span);
    content.push(span);
    at = Math.max(at, end);
  });
  addPlain(excerpt.length);
  return { content, spans };
}

function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}\u202a-\u202e\u2066-\u2069\ufffd]/gu, (character) =>
    /[\n\t\r]/.test(character) || /[\ufe0e\ufe0f]/.test(character)
      ? character
      : `‹${hexDigits(character.codePointAt(0)!, 4).toUpperCase()}›`,
  );
}

function installSelection(text: HTMLElement, spans: readonly HTMLElement[], describe: (index: number) => void): void {
  let selected = -1;
  const indices = new Map(spans.map((span, index) => [span as EventTarget, index]));
  const select = (index: number): void => {
    if (spans[index] === undefined) return;
    spans[selected]?.classList.remove('selected');
    selected = index;
    spans[index].classList.add('selected');
    describe(index);
  };
  const onPointer = (event: Event): void => {
    const index = indices.get(event.target!);
    if (index !== undefined) select(index);
  };
  text.addEventListener('pointerover', onPointer);
  text.addEventListener('click', onPointer);
  text.addEventListener('focus', () => {
    if (selected < 0 && text.matches(':focus-visible')) select(0);
  });
  const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 10, ArrowLeft: -1, ArrowUp: -10 };
  text.addEventListener('keydown', (event) => {
    const step = steps[event.key];
    const target = event.key === 'Home' ? 0 : event.key === 'End' ? spans.length - 1 : selected + (step ?? 0);
    if (step === undefined && event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    select(Math.max(0, Math.min(spans.length - 1, target)));
    spans[selected]?.scrollIntoView({ block: 'nearest' });
  });
}
