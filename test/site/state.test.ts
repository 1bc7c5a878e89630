import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createStore, type Doc, shownDocs } from '../../src/site/playground/store.ts';
import { byTag, FakeElement, GLOBALS } from './document.ts';

const doc = (id: number): Doc => ({ id, name: `${id}`, isFile: false, isSample: false, text: '', status: 'done' });

describe('the store', () => {
  test('calls its listeners once for all changes made together', async () => {
    const store = createStore();
    const told: unknown[][] = [];
    for (const listener of [0, 1]) store.subscribe((state) => told.push([listener, state.docs.length, state.notice]));
    store.set({ docs: [doc(1)] });
    store.set({ notice: 'five' });
    expect([store.state.docs.length, told]).toEqual([1, []]);
    await Promise.resolve();
    expect(told).toEqual([
      [0, 1, 'five'],
      [1, 1, 'five'],
    ]);
    store.set({ notice: '' });
    await Promise.resolve();
    expect(told).toHaveLength(4);
  });

  test('changes one document, if it still exists', () => {
    const store = createStore();
    store.set({ docs: [doc(1), doc(2)], shown: [2, 3] });
    store.setDoc(2, { text: 'two' });
    store.setDoc(3, { text: 'three' });
    expect(store.state.docs.map(({ text }) => text)).toEqual(['', 'two']);
    expect(shownDocs(store.state)).toEqual([store.state.docs[1], undefined]);
  });
});

describe('an element of the page', () => {
  interface Modules {
    filesOfDrop(transfer: unknown): Promise<unknown[]>;
    acceptDrops(element: unknown, onFiles: (files: unknown) => void): void;
    fileButton(text: string, folder: boolean, onFiles: (files: unknown) => void): FakeElement;
    h(tag: string, props?: object, ...children: unknown[]): FakeElement;
    svg(tag: string, props: object, ...children: unknown[]): FakeElement;
  }
  let modules: Modules;
  beforeAll(async () => {
    for (const [name, value] of Object.entries(GLOBALS)) vi.stubGlobal(name, value);
    // They are checked with the types of a browser, and not with those of tests.
    const load = (name: string) => import(new URL(`../../src/site/playground/${name}.ts`, import.meta.url).href);
    modules = { ...(await load('files')), ...(await load('dom')) };
  });
  afterAll(() => vi.unstubAllGlobals());

  test('has attributes, a value, listeners and children', () => {
    const onclick = vi.fn();
    const element = modules.h(
      'p',
      { class: 'a', hidden: false, title: null, rows: 0, open: true, lang: undefined, value: 7, onclick },
      'one',
      2,
      null,
      undefined,
      false,
      ['three', [modules.h('b', {}, 'four')]],
    );
    expect([element.tag, [...element.attributes], element.value]).toEqual([
      'p',
      [
        ['class', 'a'],
        ['rows', '0'],
        ['open', ''],
      ],
      '7',
    ]);
    expect(element.textContent).toBe('one2threefour');
    expect(byTag(element, 'b')).toHaveLength(1);
    element.fire('click');
    expect(onclick).toHaveBeenCalledTimes(1);
    expect([...modules.svg('rect', { x: 1 }, new FakeElement('g')).attributes]).toEqual([['x', '1']]);
  });

  const entry = (name: string, children?: readonly unknown[]) => ({
    name,
    isFile: children === undefined,
    file: (resolve: (file: unknown) => void) => resolve({ name }),
    createReader() {
      // In parts of two, as browsers list large folders in parts.
      const left = [...children!];
      return { readEntries: (resolve: (part: unknown) => void) => resolve(left.splice(0, 2)) };
    },
  });
  const transferOf = (...entries: readonly ReturnType<typeof entry>[]) => ({
    items: entries.map((each) => ({ webkitGetAsEntry: () => each })),
    files: entries.map(({ name }) => ({ name })),
    types: ['Files'],
  });

  test('takes a drop of files and of folders, sorted, without hidden ones', async () => {
    const namesOf = async (...entries: readonly ReturnType<typeof entry>[]) =>
      (await modules.filesOfDrop(transferOf(...entries))).map((file) => (file as { name: string }).name);
    expect(await namesOf(entry('b'), entry('a'))).toEqual(['b', 'a']);
    const folder = entry('folder', [
      entry('c'),
      entry('.hidden'),
      entry('a'),
      entry('b', [entry('d')]),
      entry('e', []),
    ]);
    expect(await namesOf(entry('z'), folder)).toEqual(['z', 'a', 'd', 'c']);
    const many = entry(
      'many',
      Array.from({ length: 2010 }, (_, i) => entry(`${i}`)),
    );
    expect(await namesOf(many)).toHaveLength(2000);
  });

  test('takes only dropped files, and is marked meanwhile', async () => {
    const element = new FakeElement('div');
    const onFiles = vi.fn();
    modules.acceptDrops(element, onFiles);
    expect(element.fire('dragover', { dataTransfer: { types: ['text/plain'] } }).isPrevented).toBe(false);
    expect(element.classes).toEqual([]);
    expect(element.fire('dragover', { dataTransfer: transferOf(entry('a')) }).isPrevented).toBe(true);
    expect(element.classes).toEqual(['over']);
    element.fire('dragleave');
    expect(element.classes).toEqual([]);
    expect(element.fire('drop', { dataTransfer: { types: ['text/plain'] } }).isPrevented).toBe(false);
    expect(element.fire('drop', { dataTransfer: transferOf(entry('a')) }).isPrevented).toBe(true);
    await vi.waitFor(() => expect(onFiles).toHaveBeenCalledWith([{ name: 'a' }]));
    expect(onFiles).toHaveBeenCalledTimes(1);
  });

  test('opens files with a button, without hidden ones', () => {
    const onFiles = vi.fn();
    const [input] = byTag(modules.fileButton('Open', true, onFiles), 'input');
    expect([input!.attributes.get('type'), input!.attributes.has('webkitdirectory')]).toEqual(['file', true]);
    const choose = (...names: string[]): void => {
      input!.files = names.map((name) => ({ name }));
      input!.value = names.join();
      input!.fire('change');
    };
    choose('a', '.b');
    expect([onFiles.mock.calls, input!.value]).toEqual([[[[{ name: 'a' }]]], '']);
    choose('.b');
    expect(onFiles).toHaveBeenCalledTimes(1);
  });
});
