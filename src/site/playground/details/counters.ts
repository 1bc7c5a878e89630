import { formatNumber } from '../../../common/text.ts';
import { h, svg } from '../dom.ts';
import { fingerprintsOf, type State } from '../store.ts';
import { createView, type View } from '../view/view.ts';
import { createSlider, scrollTable } from '../view/widgets.ts';
import type { CounterPair, DifferingBit } from '../worker/tasks.ts';

const COLUMN = 10;
const GAP = 6;
const HEIGHT = 120;
const WIDTH = 64 * COLUMN + 7 * GAP;

const leftOf = (bit: number): number => bit * COLUMN + Math.floor(bit / 8) * GAP;

export function createCounters(): View {
  return createView(
    h('section.counters', { 'aria-labelledby': 'counters-title' }),
    (state) => [state.pair],
    (state) =>
      state.pair?.origin.method !== 'simhash' || fingerprintsOf(state).every((value) => value == null)
        ? []
        : draw(state, state.pair.origin),
  );
}

function draw(state: State, origin: CounterPair): Node[] {
  const [a, b] = fingerprintsOf(state);
  const hasBoth = a != null && b != null;
  const detail = h('div.bit-detail.detail', { role: 'status' });
  const differing = new Map(hasBoth ? origin.bits.map((each) => [each.bit, each]) : []);
  return [
    h('h2', { id: 'counters-title' }, 'Counters'),
    h(
      'p.soft',
      'Each token adds 1 to the counter of a bit, or takes 1 away, as its hash says. A bit of the fingerprint is 1 if its counter is above 0. ',
      'Bits that differ stand on a band. Choose a bit with the pointer or the arrow keys.',
    ),
    chart(origin, differing, [a != null, b != null], detail),
    detail,
    ...(hasBoth && origin.bits.length > 0 ? [tips(origin)] : []),
  ];
}

function chart(
  pair: CounterPair,
  differing: ReadonlyMap<number, DifferingBit>,
  has: readonly boolean[],
  detail: HTMLElement,
): HTMLElement {
  const cursor = svg('rect', { class: 'cursor', x: 0, y: 0, width: COLUMN, height: 2 * HEIGHT });
  const bands = Array.from(differing.keys(), (bit) =>
    svg('rect', { class: 'band', x: leftOf(bit), y: 0, width: COLUMN, height: 2 * HEIGHT }),
  );
  const drawing = svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${2 * HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    ...bands,
    ...(has[0] ? bars(pair.countersA, 'a', 0) : []),
    ...(has[1] ? bars(pair.countersB, 'b', HEIGHT) : []),
    cursor,
  );
  const describe = (bit: number): string => {
    cursor.setAttribute('x', String(leftOf(bit)));
    const [a, b] = [pair.countersA[bit]!, pair.countersB[bit]!];
    const text = [has[0] && `A ${signed(a)}`, has[1] && `B ${signed(b)}`].filter(Boolean).join(', ');
    const tip = differing.get(bit);
    const about = tip ? tippedBy(tip) : has[0] && has[1] ? 'Equal in both.' : '';
    detail.replaceChildren(h('p', h('strong', `Bit ${bit}`), ` · counters ${text}. `, about));
    return `bit ${bit}: ${text}`;
  };
  const { element, choose } = createSlider('bars', 'Bit', 64, STEPS, drawing, describe);
  const onPointer = (event: PointerEvent): void => {
    const { left, width } = element.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * WIDTH;
    choose(Math.floor((x - Math.floor(x / (8 * COLUMN + GAP)) * GAP) / COLUMN));
  };
  element.addEventListener('pointermove', onPointer);
  element.addEventListener('pointerdown', onPointer);
  choose(differing.keys().next().value ?? 0);
  return element;
}

const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 8, PageDown: -8 };

function bars(counters: readonly number[], side: string, top: number): SVGElement[] {
  const max = Math.max(1, ...counters.map(Math.abs));
  const middle = top + HEIGHT / 2;
  return [
    svg('line', { class: 'axis', x1: 0, x2: WIDTH, y1: middle, y2: middle }),
    ...counters.map((counter, bit) => {
      const height = Math.max(0.8, (Math.abs(counter) / max) * (HEIGHT / 2 - 6));
      const y = counter > 0 ? middle - height : middle;
      const kind = `bar side-${side}${counter > 0 ? '' : ' zero'}`;
      return svg('rect', { class: kind, x: leftOf(bit) + 1.5, y, width: COLUMN - 3, height });
    }),
  ];
}

const signed = (value: number): string => `${value > 0 ? '+' : value < 0 ? '−' : ''}${formatNumber(Math.abs(value))}`;

function tippedBy({ pushes, enough }: DifferingBit): HTMLElement {
  const times = enough === 1 ? 'this one token is enough' : `the first ${formatNumber(enough)} are enough`;
  return h(
    'span',
    `From A to B, ${times}: `,
    pushes.map(({ token, a, b, change }, index) => [
      index > 0 ? ', ' : '',
      h('span.push', h('q', { class: b > a ? 'side-b' : 'side-a' }, token), ` (${a} → ${b}: ${signed(change)})`),
    ]),
    enough > pushes.length ? ', …' : '',
  );
}

function tips({ bits }: CounterPair): HTMLElement {
  const rows = bits.map((bit) =>
    h(
      'tr',
      h('th', { scope: 'row' }, bit.bit),
      h('td.number', signed(bit.counterA)),
      h('td.number', signed(bit.counterB)),
      h('td', tippedBy(bit)),
    ),
  );
  return h(
    'details',
    h('summary', `What tips the ${bits.length === 1 ? 'bit that differs' : `${bits.length} bits that differ`}`),
    scrollTable({ 'aria-label': 'Tokens that tip bits' }, ['Bit', 'A', 'B', 'Tokens that push it from A to B'], rows),
  );
}
