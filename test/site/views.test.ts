import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { pluralize } from '../../src/common/text.ts';
import { answerOf } from '../../src/duplicates/answer.ts';
import { loadPassages } from '../../src/duplicates/passages.ts';
import { distance, type Fingerprint, LABELS, serialise, toHex } from '../../src/index.ts';
import { type Doc, EMPTY, type State, sideUnder } from '../../src/site/playground/store.ts';
import { analyseText } from '../../src/site/playground/worker/analyse.ts';
import { analysePair } from '../../src/site/playground/worker/pair.ts';
import { all, byClass, byTag, type FakeElement, GLOBALS, page, textsOf } from './document.ts';

interface View {
  readonly element: FakeElement;
  render(state: State): void;
}

/** Loads a part of the playground, which is checked with the types of a browser and not with those of tests. */
const load = (name: string): Promise<Record<string, (...args: unknown[]) => View>> =>
  import(new URL(`../../src/site/playground/${name}.ts`, import.meta.url).href);

let views: Record<string, (...args: unknown[]) => View>;
const copied: string[] = [];
/** The actions that the parts called: the name of the action and its arguments. */
const asked: unknown[][] = [];
const record =
  (name: string | symbol) =>
  (...args: unknown[]) =>
    void asked.push([name, ...args]);
const actions = new Proxy({}, { get: (_, name) => record(name) });

beforeAll(async () => {
  for (const [name, value] of Object.entries(GLOBALS)) vi.stubGlobal(name, value);
  vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => void copied.push(text) } });
  const names = ['answer', 'differences', 'winners', 'groups', 'pane', 'vector', 'fingerprints'];
  views = Object.assign({}, ...(await Promise.all(names.map((name) => load(`view/${name}`)))));
});
afterAll(() => vi.unstubAllGlobals());

const A = 'The ferry to the island leaves at nine from https://example.org/pier, and the bell rings';
const B = 'The ferry to the islands leaves at ten from the pier, and a bell rings twice';
const FAR = 'Quite another text, which shares no sentence with those two';
const NEAR = `${'one two three four five six seven eight nine ten eleven twelve '.repeat(20)}`;

const docOf = (text: string, id: number, part: Partial<Doc> = {}): Doc => ({
  ...{ id, name: 'AB'[id - 1] ?? `file ${id}`, isFile: id > 2, isSample: false, text, status: 'done' },
  analysis: analyseText(text, { name: 'x' }),
  ...part,
});
const runningDoc = (id: number, part: Partial<Doc> = {}): Doc =>
  docOf('', id, { analysis: undefined, status: 'running', ...part });
const failedDoc = (id: number, code = 'damaged', message = 'is damaged'): Doc =>
  docOf('', id, { analysis: undefined, status: 'failed', failure: { code, message } });

/** The state with documents, of which the first two are shown and compared. */
function stateOf(texts: readonly string[], label: string, part: Partial<State> = {}): State {
  const docs = texts.map((text, i) => docOf(text, i + 1));
  const [a, b] = docs.map(({ analysis }) => sideUnder(label, analysis!));
  const pair = a === undefined || b === undefined ? {} : { pair: analysePair(label, a, b) };
  return { ...EMPTY, docs, shown: [1, 2], label, ...pair, ...part };
}

function draw(name: string, state: State, ...args: unknown[]): FakeElement {
  const view = views[name]!(...args);
  view.render(state);
  return view.element;
}

/** Presses keys, and expects what is chosen after each; any other key is left to the browser. */
function expectKeys<T>(element: FakeElement, chosen: () => T, keys: readonly (readonly [string, T])[]): void {
  for (const [key, expected] of keys) {
    expect(element.fire('keydown', { key }).isPrevented).toBe(true);
    expect([key, chosen()]).toEqual([key, expected]);
  }
  for (const key of ['Tab', 'a']) expect(element.fire('keydown', { key }).isPrevented).toBe(false);
}

const fingerprintsOf = ({ docs, label }: State): Fingerprint[] => docs.map((doc) => doc.analysis!.fingerprints[label]!);
const bitsOf = (value: Fingerprint): string => {
  const hex = toHex(value);
  return BigInt(`0x${hex}`)
    .toString(2)
    .padStart(4 * hex.length, '0');
};
const differingBits = (state: State): number[] => {
  const [a, b] = fingerprintsOf(state).map(bitsOf);
  return [...a!].flatMap((digit, bit) => (digit === b![bit] ? [] : [bit]));
};

describe.each(LABELS)('the result of %s', (label) => {
  test('shows two documents', () => {
    const state = stateOf([A, B], label);
    const [a, b] = fingerprintsOf(state) as [Fingerprint, Fingerprint];
    const drawn = draw('createFingerprints', state);
    const codes = textsOf(byTag(drawn, 'code'));
    expect(codes).toEqual([a, b].flatMap((value) => [`${label}:${serialise(value)}`, toHex(value)]));
  });

  test('shows one document alone, and none', () => {
    for (const texts of [
      [A, ''],
      ['', A],
    ])
      expect(draw('createFingerprints', stateOf(texts, label)).textContent).toContain('no fingerprint');
    expect(draw('createFingerprints', stateOf(['', ''], label))).toMatchObject({ hidden: true, children: [] });
  });
});

describe('the answer', () => {
  const answer = (state: State): string[] => textsOf(byTag(draw('createAnswer', state), 'p'));

  test.each(LABELS)('is the sentence of compare with its measures (%s)', (label) => {
    const state = stateOf([A, B], label);
    const [a, b] = fingerprintsOf(state) as [Fingerprint, Fingerprint];
    const { overlap, differs } = state.pair!;
    const { sentence, isNear } = answerOf({ label, distance: distance(a, b), overlap: overlap!, differs });
    const [finding] = sentence.split(';');
    const drawn = draw('createAnswer', state);
    expect(textsOf(byTag(drawn, 'p'))).toEqual([
      finding!.charAt(0).toUpperCase() + finding!.slice(1),
      [
        `Distance ${distance(a, b)} of ${bitsOf(a).length} bits`,
        'near-duplicates share at least 80 % of their words',
        'fingerprints of fewer than 80 words are unreliable',
      ].join(' · '),
    ]);
    expect(byClass(drawn, isNear ? 'answer-near' : 'answer-far')).toHaveLength(1);
  });

  test('names differences other than in the words, and warns of short texts alone', () => {
    const [sentence, evidence] = answer(stateOf([`${NEAR} 12`, `${NEAR} 13`], 'minhash-doc-256'));
    expect(sentence).toBe('Same words, but numbers differ');
    expect(evidence).toBe('Distance 0 of 256 bits · near-duplicates share at least 80 % of their words');
  });

  test('names missing parts', () => {
    const label = 'minhash-doc-256';
    const { docs, ...state } = stateOf([A, B], label);
    const cases = [
      [[docs[0]!, { ...failedDoc(2), isFile: true }], 'Document B was not read, so there is nothing to compare.'],
      [[docOf('', 1), docs[1]!], 'Type, paste or drop document A.'],
      [[docs[0]!, runningDoc(2, { isFile: true })], 'Reading…'],
      [[docs[0]!, docOf('1 2', 2)], 'Document B has no letters, so it has no fingerprint.'],
    ] as const;
    for (const [docs, expected] of cases) expect(answer({ ...state, docs })).toEqual([expected]);
    expect(answer({ ...state, docs, pair: undefined })).toEqual(['Comparing…']);
  });
});

describe.each(['minhash-doc', 'minhash-doc-256'])('the bins of %s', (label) => {
  const state = stateOf([A, B], label);
  const [winnersA, winnersB] = state.pair!.winners!;
  const kinds = winnersA.map((a, bin) => {
    const b = winnersB[bin]!;
    return a.bit !== b.bit ? 'differs' : a.token === b.token && a.round === b.round ? 'same' : 'chance';
  });

  test('are a picture of the winners, with the number of each kind', () => {
    const drawn = draw('createWinners', state);
    const bins = byClass(drawn, 'bin');
    expect(bins.map(({ classes }) => classes[1])).toEqual(kinds.map((kind) => `bin-${kind}`));
    expect(bins.flatMap(({ classes }, bin) => (classes.includes('bin-differs') ? [bin] : []))).toEqual(
      differingBits(state),
    );
    const numbers = ['same', 'chance', 'differs'].map((kind) => kinds.filter((each) => each === kind).length);
    expect(textsOf(byTag(drawn, 'strong'))).toEqual(numbers.map((number) => `${pluralize(number, 'bin')}. `));
    expect(draw('createWinners', stateOf([A, B], 'simhash-doc')).hidden).toBe(true);
    expect(draw('createWinners', stateOf([A, ''], label)).hidden).toBe(true);
  });

  test('are chosen by keys and by the pointer, and described', () => {
    const drawn = draw('createWinners', state);
    const [slider] = byClass(drawn, 'bins');
    const detail = (): string => byClass(drawn, 'bin-detail')[0]!.textContent;
    const first = kinds.indexOf('differs');
    const won = (bin: number): string => {
      const [a, b] = [winnersA[bin]!, winnersB[bin]!];
      if (kinds[bin] === 'same') return `Bin ${bin}: ${a.token} wins in both, bit ${a.bit}.`;
      return `Bin ${bin}: ${a.token} wins in A, bit ${a.bit}; ${b.token} in B, bit ${b.bit}.`;
    };
    expect(detail()).toContain(won(first));
    const now = (): number => {
      const bin = Number(slider!.attributes.get('aria-valuenow'));
      expect(detail()).toContain(won(bin));
      return bin;
    };
    expectKeys(slider!, now, [
      ['ArrowRight', first + 1],
      ['ArrowDown', Math.min(first + 33, kinds.length - 1)],
      ['Home', 0],
      ['End', kinds.length - 1],
    ]);
    slider!.fire('pointerover', { target: byClass(drawn, 'bin')[3] });
    expect(detail()).toContain(won(3));
    expect(byClass(drawn, 'chosen')).toEqual([byClass(drawn, 'bin')[3]]);
  });
});

test('differences are passages side by side, and tokens that are not equally frequent', async () => {
  const state = stateOf([A, B], 'minhash-doc-256');
  const passages = (await loadPassages())(A)(B);
  const drawn = draw('createDifferences', { ...state, passages });
  const sides = byClass(drawn, 'passage');
  expect(sides).toHaveLength(2 * passages.shown.length);
  expect(textsOf(byTag(sides[0]!, 'mark'))).toEqual(['island', 'nine', 'https://example.org/pier', 'the']);
  expect(textsOf(byTag(sides[1]!, 'mark')).slice(0, 2)).toEqual(['islands', 'ten']);
  expect(sides[1]!.textContent).toMatch(/^B The ferry to the islands leaves/);
  expect(byTag(drawn, 'p')[0]!.textContent).toBe('1 passage that differs.');
  expect(textsOf(byTag(drawn, 'summary'))).toEqual([
    `Tokens that do not occur equally often: ${state.pair!.differenceCount}`,
  ]);
  const note = (passages: State['passages']): string =>
    textsOf(byTag(draw('createDifferences', { ...state, passages }), 'p')).join();
  expect(note(null)).toMatch(/^These documents share too little/);
  expect(note({ shown: [], total: 0, isComplete: true })).toBe('No word differs.');
  expect(note({ ...passages, total: 40, isComplete: false })).toMatch(/^The first 1 of 40 passages .* as a whole\./);
});

describe('more than two documents', () => {
  const failed = failedDoc(6);
  const stopped = failedDoc(7, 'cancelled', 'cancelled');
  const running = runningDoc(8);

  const group = {
    kept: 1,
    members: [
      { document: 4, distance: 3, overlap: 0.913, differs: [] },
      { document: 2, distance: 0, overlap: 1, differs: ['numbers' as const] },
    ],
  };

  test('are groups with differences, and a click shows the pair', () => {
    const state = { ...stateOf([A, B, FAR, A], 'simhash-doc'), groups: [group], shown: [0, 0] as const };
    const drawn = draw('createGroups', state, actions);
    expect(textsOf(byTag(byClass(drawn, 'group')[0]!, 'p'))).toEqual(['1. typed text 1']);
    expect(textsOf(byTag(byClass(drawn, 'group')[0]!, 'li'))).toEqual([
      '4. file 4 Near-duplicate: 91 % of the words are shared · distance 3',
      '2. typed text 2 Same words, but numbers differ · distance 0',
    ]);
    byTag(byClass(drawn, 'group')[0]!, 'button')[0]!.fire('click');
    expect(asked.at(-1)).toEqual(['showPair', 1, 4]);
    expect(draw('createGroups', stateOf([A, B], 'simhash-doc'), actions).hidden).toBe(true);
  });

  test('keep the focus on the way back from a pair, and on the member again', async () => {
    const view = views['createGroups']!(actions);
    const state: State = { ...stateOf([A, B, FAR, A], 'simhash-doc'), groups: [group], shown: [0, 0] };
    view.render(state);
    byTag(view.element, 'button')[1]!.fire('click');
    view.render({ ...state, shown: [1, 2] });
    await Promise.resolve();
    expect(page.activeElement!.textContent).toBe('← Back to all 4 documents');
    page.activeElement!.fire('click');
    expect(asked.at(-1)).toEqual(['showGroups']);
    view.render(state);
    await Promise.resolve();
    expect(page.activeElement!.textContent).toBe('2. typed text 2');
  });

  test('name an archive once', () => {
    const docs = ['a.txt', 'b.txt', 'c.txt'].map((name, at) =>
      docOf(A, at + 1, { isFile: true, name: `all.zip: ${name}` }),
    );
    const drawn = draw('createGroups', { ...EMPTY, docs }, actions);
    expect(byTag(drawn, 'h2')[0]!.textContent).toBe('Groups of near-duplicates in all.zip');
    expect(textsOf(byClass(drawn, 'doc-name'))).toEqual(['1. a.txt', '2. b.txt', '3. c.txt']);
  });

  test('have an answer that counts groups and differences until a pair is chosen', () => {
    const answer = (part: Partial<State>): string[] =>
      textsOf(byTag(draw('createAnswer', { ...stateOf([A, B, FAR, A], 'minhash-doc-256'), ...part }), 'p'));
    const { docs } = stateOf([A, B, FAR, A], 'minhash-doc-256');
    expect(answer({ shown: [0, 0], docs: [...docs, running] })).toEqual(['Reading: 4 of 5 documents…']);
    expect(answer({ shown: [0, 0] })).toEqual(['Comparing…']);
    expect(answer({ shown: [0, 0], docs: [...docs, failed], groups: [group] })).toEqual([
      '1 group of near-duplicates among 5 documents',
      '4 documents compared word by word · 2 near-duplicates, of which 1 differs in numbers · 1 not read',
    ]);
    expect(answer({ shown: [0, 0], groups: [{ ...group, members: group.members.slice(0, 1) }] })[1]).toMatch(
      / · 1 near-duplicate$/,
    );
    expect(answer({ shown: [0, 0], groups: [] })[0]).toBe('No near-duplicates among 4 documents');
    expect(answer({ groups: [group] })[0]).toMatch(/words are shared$/);
  });

  test('are a list with the outcome of each', () => {
    const base = stateOf([A, B, FAR, A, '1'], 'simhash-doc');
    const groups = [{ ...group, members: [group.members[0]!] }];
    const state = { ...base, docs: [...base.docs, failed, stopped, running], groups, shown: [0, 2] as const };
    const drawn = draw('createGroups', state, actions);
    expect(textsOf(byTag(drawn, 'summary'))).toEqual(['All 8 documents']);
    const [list] = byTag(drawn, 'tbody').map((body) => byTag(body, 'tr'));
    const [a, b, far] = fingerprintsOf({ ...state, docs: base.docs.slice(0, 3) }) as [bigint, bigint, bigint];
    const tokens = base.docs.map((doc) => `${doc.analysis!.bare.total}`);
    expect(list!.map((row) => textsOf(byTag(row, 'td')).slice(1))).toEqual([
      [serialise(a), tokens[0], '1'],
      [serialise(b), tokens[1], ''],
      [serialise(far), tokens[2], ''],
      [serialise(a), tokens[3], '1'],
      ['no letters in the document, so it has no fingerprint', '0', ''],
      ['It is damaged.', ''],
      ['Cancelled.', ''],
      ['reading… Cancel', ''],
    ]);
    byTag(list![7]!, 'button').at(-1)!.fire('click');
    expect(asked.at(-1)).toEqual(['cancel', 8]);
    const panes = byTag(list![1]!, 'button');
    expect(panes.map(({ attributes }) => attributes.get('aria-pressed'))).toEqual(['false', 'true']);
    panes[0]!.fire('click');
    expect(asked.at(-1)).toEqual(['show', 0, 2]);
  });

  test('are copied as hash --json prints them', async () => {
    const base = stateOf([A, NEAR, '1'], 'simhash-doc');
    const state = { ...base, docs: [...base.docs, failed], shown: [0, 0] as const };
    all(draw('createGroups', state, actions), ({ dataset }) => dataset['key'] === 'lines')[0]!.fire('click');
    await vi.waitFor(() => expect(asked.at(-1)).toEqual(['notify', 'One line of JSON for each document is copied.']));
    const lines = JSON.parse(`[${copied.at(-1)!.trimEnd().replaceAll('\n', ',')}]`);
    const [a, near] = fingerprintsOf({ ...base, docs: base.docs.slice(0, 2) }) as [bigint, bigint];
    const label = 'simhash-doc';
    expect(lines).toEqual([
      {
        ...{ path: 'typed text 1', label, fingerprint: serialise(a), hex: toHex(a) },
        ...{ tokens: base.docs[0]!.analysis!.bare.total, short: true },
      },
      { path: 'typed text 2', label, fingerprint: serialise(near), hex: toHex(near), tokens: 240 },
      { path: 'file 3', error: { code: 'no-tokens', message: expect.stringContaining('no letters') } },
      { path: 'file 6', error: { code: 'damaged', message: 'is damaged' } },
    ]);
  });
});

test('the reason why a document is not read is a sentence', async () => {
  const { failureSentence } = (await load('view/sentences')) as unknown as Record<
    string,
    (...texts: string[]) => string
  >;
  for (const [message, sentence] of [
    ['is damaged', 'x.bin is damaged.'],
    ['cannot be read as PDF: it has no pages', 'x.bin cannot be read as PDF: it has no pages.'],
    ['cannot read binary data', 'x.bin is not read: this page cannot read binary data.'],
    ['the charset cannot be guessed', 'x.bin cannot be read: the charset cannot be guessed.'],
  ] as const)
    expect(failureSentence!('x.bin', message)).toBe(sentence);
});

describe('a pane', () => {
  const statusOf = (doc: Doc): string => {
    const drawn = draw('createPane', { ...EMPTY, docs: [doc], shown: [1, 1], label: 'simhash-doc' }, 0, actions);
    return byClass(drawn, 'pane-status')[0]!.textContent;
  };

  test('shows the facts about its document', () => {
    expect(statusOf(docOf('a ferry, a bell', 1))).toBe(
      '15 characters · 4 tokens, 3 different · short: fingerprints of fewer than 80 tokens are unreliable',
    );
    expect(statusOf(docOf(NEAR, 1))).toBe(`${NEAR.length.toLocaleString('en')} characters · 240 tokens, 12 different`);
    expect(statusOf(docOf('1 2', 1))).toBe('3 characters · 0 tokens, 0 different · no fingerprint: there is no letter');
    expect(statusOf(docOf('', 1))).toBe('');
    expect(statusOf(failedDoc(1))).toBe('A is damaged.');
    expect(statusOf(failedDoc(1, 'cancelled', ''))).toBe('Cancelled.');
    expect(statusOf(runningDoc(1))).toBe('Computing…Cancel');
    const progress = { done: 3, total: 1200 };
    expect(statusOf(runningDoc(1, { isFile: true, progress }))).toBe('Reading 3 of 1,200…Cancel');
  });

  test('holds typed text, or the card of a file', () => {
    const view = views['createPane']!(1, actions);
    const state = stateOf([A, B], 'simhash-doc');
    view.render(state);
    const [area] = byTag(view.element, 'textarea');
    expect([area!.value, area!.hidden, byClass(view.element, 'file-card')[0]!.hidden]).toEqual([B, false, true]);
    area!.value = 'typed';
    area!.fire('input');
    expect(asked.at(-1)).toEqual(['type', 1, 'typed']);
    const extraction = { mediaType: 'text/html', extractor: 'html/2', charset: 'utf-8', warnings: ['one thing'] };
    const file = docOf(B, 2, {
      isFile: true,
      name: 'b.html',
      analysis: analyseText(B, { name: 'b.html', extraction }),
    });
    view.render({ ...state, docs: [state.docs[0]!, file] });
    const [card] = byClass(view.element, 'file-card');
    expect([area!.hidden, card!.hidden, card!.textContent]).toEqual([
      true,
      false,
      'b.htmltext/html · html/2 · utf-8one thingEdit the textRemove',
    ]);
    byTag(card!, 'button')[0]!.fire('click');
    expect(asked.at(-1)).toEqual(['edit', 1]);
    byTag(card!, 'button')[1]!.fire('click');
    expect(asked.at(-1)).toEqual(['remove', 2]);
  });

  test('offers to read markup', () => {
    const doc = docOf('<p>a', 1, { analysis: { ...analyseText('<p>a', { name: 'A' }), markup: 'html' } });
    const drawn = draw('createPane', { ...EMPTY, docs: [doc], shown: [1, 1], label: 'simhash-doc' }, 0, actions);
    const [button] = all(drawn, ({ dataset }) => dataset['key'] === 'markup');
    expect(button!.textContent).toBe('Read it as HTML');
    button!.fire('click');
    expect(asked.at(-1)).toEqual(['readMarkup', 0]);
  });
});

test('an open vector shows whether this page agrees', () => {
  const state = stateOf([A, ''], 'simhash-doc');
  const [a] = fingerprintsOf({ ...state, docs: state.docs.slice(0, 1) }) as [bigint];
  const vector = { id: 'fingerprint/x', title: 'a title', rules: ['SIM-2', 'SIM-4'], json: '{}', hasDocument: true };
  const textOf = (part: object): string =>
    draw('createVectorView', { ...state, vector: { ...vector, ...part } }).textContent;
  expect(textOf({ fingerprint: serialise(a) })).toBe(
    'Test vector fingerprint/xa title. Rules: SIM-2, SIM-4.✓ This page computes the fingerprint that the vector expects.The vector{}',
  );
  expect(textOf({ fingerprint: 'AAAAAAAAAAAAC' })).toContain(
    `✗ The vector expects AAAAAAAAAAAAC, this page computes ${serialise(a)}.`,
  );
  expect(textOf({ fingerprint: null })).toContain('✗ The vector expects null');
  expect(textOf({})).not.toMatch(/[✓✗]/);
  expect(textOf({ hasDocument: false })).toContain('Its input is not a document, so the panes stay empty.');
  expect(draw('createVectorView', state).hidden).toBe(true);
});

test('a part is redrawn only for other inputs, and keeps the focus', () => {
  const view = views['createGroups']!(actions);
  const state: State = { ...stateOf([A, B, FAR], 'simhash-doc'), shown: [0, 0] };
  view.render(state);
  const before = view.element.children;
  view.render({ ...state, notice: 'another' });
  expect(view.element.children).toBe(before);
  byTag(view.element, 'button')[1]!.focus();
  view.render({ ...state, label: LABELS[1]! });
  expect(view.element.children).not.toBe(before);
  expect(page.activeElement).toBe(byTag(view.element, 'button')[1]);
});

test('each part is named by its heading, and scrolling parts have a name and can be reached by keys', () => {
  const state = stateOf([A, B, FAR], 'simhash-doc');
  const drawn = ['Fingerprints', 'Groups'].map((name) => draw(`create${name}`, state, actions));
  drawn.push(draw('createWinners', stateOf([A, B], 'minhash-doc')));
  for (const { tag, attributes, children } of drawn) {
    const [heading] = children as FakeElement[];
    expect([tag, heading!.tag, heading!.id]).toEqual(['section', 'h2', attributes.get('aria-labelledby')]);
    expect(heading!.id).toMatch(/^[a-z]+-title$/);
  }
  expect(new Set(drawn.map(({ children: [heading] }) => (heading as FakeElement).id)).size).toBe(drawn.length);
  for (const box of drawn.flatMap((each) => byClass(each, 'scroll')))
    expect([
      box.tag,
      box.attributes.get('role'),
      box.attributes.get('tabindex'),
      box.attributes.has('aria-label'),
    ]).toEqual(['div', 'region', '0', true]);
});
