import { describe, expect, test } from 'vitest';
import { styleFor } from '../../../src/cli/terminal/print.ts';
import { createProgress, progressLine } from '../../../src/cli/terminal/progress.ts';
import { inOrder } from '../../../src/documents/in-order.ts';

describe('the progress line', () => {
  /** A terminal that notes what is drawn, and a clock that the test moves. */
  function terminal(quiet = false, isTTY = true) {
    const drawn: string[] = [];
    const clock = { now: 0 };
    const stream = { isTTY, columns: 40, write: (text: string) => drawn.push(text) };
    return { drawn, clock, stream, progress: createProgress(stream, quiet, () => clock.now) };
  }

  test('appears after a delay and at intervals, and is never wider than the terminal', () => {
    const { drawn, clock, progress } = terminal();
    progress.expect(10, 1000);
    progress.update(1, 100);
    expect(drawn).toEqual([]);
    clock.now = 600;
    progress.update(2, 200);
    progress.update(3, 300);
    expect(drawn).toHaveLength(1);
    expect(drawn[0]!.replace('\r\x1b[K', '')).toMatch(/^█+░+ 20 % {2}2 of 10/);
    expect([...drawn[0]!].length - 4).toBeLessThanOrEqual(39);
    expect(drawn[0]).toMatch(/ 2 of 10 documents$/);
    clock.now = 800;
    progress.update(4, 400);
    expect(drawn).toHaveLength(2);
    progress.hide();
    progress.hide();
    expect(drawn.slice(2)).toEqual(['\r\x1b[K']);
    progress.update(5, 500);
    expect(drawn).toHaveLength(4);
    progress.end();
    clock.now = 2000;
    progress.update(6, 600);
    expect(drawn.slice(4)).toEqual(['\r\x1b[K']);
  });

  test('drops parts that do not fit, and marks a cut detail', () => {
    const { drawn, clock, progress, stream } = terminal();
    const shownAt = (columns: number): string => {
      stream.columns = columns;
      clock.now += 600;
      progress.update(10, 1000);
      return drawn.at(-1)!.replace('\r\x1b[K', '');
    };
    progress.expect(1000, 100_000);
    expect(shownAt(80)).toMatch(/ 10 of 1,000 documents {2}\S+ \S+ {2}\S+ left$/);
    expect(shownAt(55)).toMatch(/ 10 of 1,000 documents {2}\S+ left$/);
    expect(shownAt(45)).toMatch(/ 10 of 1,000 documents$/);
    progress.detail('page 1 of 20 of a long name');
    expect(shownAt(55)).toMatch(/ 10 of 1,000 documents {2}page 1 of 2\S*…$/);
  });

  test('shows a detail until the number of documents changes', () => {
    const { drawn, clock, progress } = terminal();
    const shown = (documents: number): boolean => {
      clock.now += 600;
      progress.update(documents, 0);
      return drawn.at(-1)!.includes('  new');
    };
    expect(shown(1)).toBe(false);
    // The documents that were counted since then are those that the detail is about.
    progress.detail('new');
    expect([shown(2), shown(2), shown(3), shown(3)]).toEqual([true, true, false, false]);
  });

  test.each([
    ['quiet', true, true],
    ['no terminal', false, false],
  ])('is not drawn: %s', (_, quiet, isTTY) => {
    const { drawn, clock, progress } = terminal(quiet, isTTY);
    clock.now = 9999;
    progress.update(1, 1);
    progress.end();
    expect(drawn).toEqual([]);
  });

  test('shows counts, rate and remaining time', () => {
    expect(progressLine(1, 2 << 20, 2)).toBe('1 document  2 MiB  1 MiB/s');
    expect(progressLine(1500, 25 << 20, 10, { documents: 6000, bytes: 100 << 20 })).toBe(
      '███░░░░░░░░░ 25 %  1,500 of 6,000 documents  2.5 MiB/s  0:30 left',
    );
    expect(progressLine(0, 1 << 20, 1, { documents: 1, bytes: 4000 * 2 ** 20 })).toContain(
      '  0 of 1 document  1 MiB/s  1:06:39 left',
    );
    expect(progressLine(1, 2 << 20, 1, { documents: 1, bytes: 10 })).toBe('1 document  2 MiB  2 MiB/s');
    expect(progressLine(3, 5, 1, { documents: 1, bytes: 10 })).toBe('3 documents  5 bytes  5 bytes/s');
    expect(progressLine(1, 0, 1, { documents: 1, bytes: 0 })).toContain(' 100 % ');
  });
});

describe('styleFor', () => {
  const coloured = (isTTY: boolean, env: NodeJS.ProcessEnv) => styleFor({ isTTY }, env).good('x') !== 'x';

  test.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [false, { FORCE_COLOR: '' }, false],
  ])('colours by terminal %s, %j: %s', (isTTY, env, expected) => {
    expect(coloured(isTTY, env)).toBe(expected);
  });
});

test('inOrder keeps the order of the documents, and begins no more of them than the window', async () => {
  let begun = 0;
  let consumed = 0;
  let max = 0;
  const work = async (document: number) => {
    begun++;
    max = Math.max(max, begun - consumed);
    await new Promise((resolve) => setTimeout(resolve, document % 3));
    return document;
  };
  const documents = Array.from({ length: 40 }, (_, i) => i);
  const seen: number[] = [];
  for await (const document of inOrder(documents, work, 4)) {
    seen.push(document);
    consumed++;
  }
  expect(seen).toEqual(documents);
  expect(max).toBe(4);
});
