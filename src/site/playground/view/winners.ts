import { pluralize } from '../../../common/text.ts';
import { schemeOf } from '../../../scheme/labels/label.ts';
import { h, svg } from '../dom.ts';
import type { BinWinner } from '../worker/tasks.ts';
import { createView, type View } from './view.ts';

const COLUMNS = 32;
const SIZE = 12;

type Kind = 'same' | 'chance' | 'differs';

const LEGEND: Readonly<Record<Kind, string>> = {
  same: 'The same word wins in both, so the bits are equal.',
  chance: 'Another word wins on each side, and the bits are equal by chance.',
  differs: 'Another word wins on each side, and the bits differ. They are the distance.',
};

export function createWinners(): View {
  return createView(
    h('section.winners', { 'aria-labelledby': 'winners-title' }),
    (state) => [state.pair],
    ({ label, pair }) => (pair?.winners ? draw(label, ...pair.winners) : []),
  );
}

function draw(label: string, winnersA: readonly BinWinner[], winnersB: readonly BinWinner[]): Node[] {
  if (winnersA.length === 0 || winnersB.length === 0) return [];
  const kinds = winnersA.map((winner, bin) => kindOf(winner, winnersB[bin]!));
  const count = (kind: Kind): number => kinds.filter((each) => each === kind).length;
  const share = (bins: number): string => `${Math.round((100 * bins) / kinds.length)} %`;
  const detail = h('p.bin-detail.detail', { role: 'status' });
  return [
    h('h2', { id: 'winners-title' }, 'Where the distance comes from'),
    h(
      'p.soft',
      `A fingerprint has ${schemeOf(label).bits} bins. In each bin every word of a document draws a number, the same in all documents; the smallest one wins and gives the bit. `,
      `The winner is a word that was drawn by lot, so the same word wins about as often as words are shared: here in ${share(count('same'))} of the bins. `,
      'Where other words win, each bit is as good as a coin, and half of them are equal: so the distance is about half of those bins.',
    ),
    picture(kinds, (bin) => detail.replaceChildren(...describe(bin, winnersA[bin]!, winnersB[bin]!))),
    detail,
    h(
      'ul.legend',
      (['same', 'chance', 'differs'] as const).map((kind) =>
        h('li', { class: `bin-${kind}` }, h('strong', `${pluralize(count(kind), 'bin')}. `), LEGEND[kind]),
      ),
    ),
  ];
}

function kindOf(a: BinWinner, b: BinWinner): Kind {
  if (a.bit !== b.bit) return 'differs';
  return a.token === b.token && a.round === b.round ? 'same' : 'chance';
}

function describe(bin: number, a: BinWinner, b: BinWinner): (Node | string)[] {
  const won = ({ token, isShared }: BinWinner, side: string): HTMLElement =>
    h('q', isShared ? {} : { class: `side-${side}` }, token);
  if (kindOf(a, b) === 'same') return [`Bin ${bin}: `, won(a, 'a'), ` wins in both, bit ${a.bit}.`];
  const missing = [a.isShared ? '' : `B lacks ${a.token}`, b.isShared ? '' : `A lacks ${b.token}`].filter(Boolean);
  const end = missing.length === 0 ? '.' : `. ${missing.join(' and ')}.`;
  return [`Bin ${bin}: `, won(a, 'a'), ` wins in A, bit ${a.bit}; `, won(b, 'b'), ` in B, bit ${b.bit}${end}`];
}

function picture(kinds: readonly Kind[], onSelect: (bin: number) => void): HTMLElement {
  const cells = kinds.map((kind, bin) =>
    svg('rect', {
      class: `bin bin-${kind}`,
      x: (bin % COLUMNS) * SIZE + 1,
      y: Math.floor(bin / COLUMNS) * SIZE + 1,
      width: SIZE - 2,
      height: SIZE - 2,
      rx: 2,
    }),
  );
  const rows = Math.ceil(kinds.length / COLUMNS);
  const size = { viewBox: `0 0 ${COLUMNS * SIZE} ${rows * SIZE}`, 'aria-hidden': 'true' };
  const element = h(
    'div.bins',
    {
      ...{ tabindex: 0, role: 'slider', 'aria-label': 'Bin', 'data-key': 'bins' },
      ...{ 'aria-valuemin': 0, 'aria-valuemax': cells.length - 1 },
    },
    svg('svg', size, ...cells),
  );
  let chosen = 0;
  const choose = (bin: number): void => {
    cells[chosen]!.classList.remove('chosen');
    chosen = Math.max(0, Math.min(cells.length - 1, bin));
    cells[chosen]!.classList.add('chosen');
    onSelect(chosen);
    element.setAttribute('aria-valuenow', String(chosen));
    element.setAttribute('aria-valuetext', `bin ${chosen}: ${LEGEND[kinds[chosen]!]}`);
  };
  element.addEventListener('keydown', (event) => {
    const step = { ...STEPS, Home: -cells.length, End: cells.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose(chosen + step);
  });
  const onPointer = ({ target }: Event): void => {
    const bin = cells.indexOf(target as SVGElement);
    if (bin >= 0) choose(bin);
  };
  element.addEventListener('pointerover', onPointer);
  element.addEventListener('click', onPointer);
  choose(kinds.indexOf('differs'));
  return element;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: COLUMNS, ArrowUp: -COLUMNS };
