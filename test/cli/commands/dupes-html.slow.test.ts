import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  BROWSERS,
  expectAccessible,
  expectNarrow,
  findProgram,
  openPage,
  screenshot,
  startBrowser,
} from '../../site/browser.ts';
import { folder, run } from '../command.ts';

const GROUPS = 30;
const wordsOf = (group: number): string[] => Array.from({ length: 100 + group }, (_, i) => `g${group}w${i}`);
const files = Array.from({ length: GROUPS }, (_, i) => [
  [`${i}.txt`, wordsOf(i).join(' ')] as const,
  [`${i}'s near.txt`, wordsOf(i).with(50, '</script><script>document.title = 1</script>').join(' ')] as const,
]).flat();
const cwd = folder(
  Object.fromEntries([...files, ['large-a.txt', 'one '.repeat(5000)], ['large-b.txt', 'one '.repeat(5000)]]),
);

describe.each(BROWSERS)('the page of dupes --html in %s', (name, program) => {
  const executable = findProgram(program);
  let browser: Browser;
  const errors: string[] = [];
  const url = pathToFileURL(join(cwd, 'page.html')).href;

  beforeAll(async () => {
    expect((await run(['dupes', '--html', 'page.html', '--include', '*.txt', '.'], { cwd })).code).toBe(0);
    if (executable !== undefined) browser = await startBrowser(name, executable);
  });
  afterAll(() => browser?.close());

  const visible = (page: Page): Promise<unknown> =>
    page.evaluate(`document.querySelectorAll('section:not([hidden])').length`);
  const focused = (page: Page): Promise<unknown> => page.evaluate('document.activeElement.id');
  const open = (page: Page): Promise<unknown> =>
    page.evaluate(`document.querySelectorAll('.current details[open]').length`);

  test.skipIf(executable === undefined)('filters', async () => {
    const page = await openPage(browser, url, errors);
    expect(await visible(page)).toBe(GROUPS + 1);
    await page.type('#filter', "7's NEAR");
    expect(await visible(page)).toBe(3);
    expect(await page.evaluate(`document.getElementById('count').textContent`)).toBe('1 of 3 shown');
    await page.keyboard.press('Escape');
    await page.type('#filter', '>10k');
    expect(await visible(page)).toBe(1);
    await page.keyboard.press('Escape');
    await page.type('#filter', 'identical >1k');
    expect(await visible(page)).toBe(1);
    expect(await page.title()).toMatch(/^simhash-doc/);
    await page.close();
  });

  test.skipIf(executable === undefined)(
    'keys move between the groups that are shown, and open their passages',
    async () => {
      const page = await openPage(browser, url, errors);
      await page.keyboard.press('/');
      await page.keyboard.type('near');
      expect(await focused(page)).toBe('filter');
      await page.keyboard.press('Enter');
      const first = await focused(page);
      expect(first).toMatch(/^g\d+$/);
      await page.keyboard.press('j');
      expect(await focused(page)).not.toBe(first);
      await page.keyboard.press('k');
      expect(await focused(page)).toBe(first);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      expect(await focused(page)).toBe(first);
      expect(await open(page), 'the passages of a group are open').toBe(1);
      await page.keyboard.press('Enter');
      expect(await open(page)).toBe(0);
      await page.click('#keys');
      await page.keyboard.press('j');
      expect(await focused(page)).toBe('keys');
      await page.close();
    },
  );

  test.skipIf(executable === undefined)('shows one group, and the command that removes what is ticked', async () => {
    const page = await openPage(browser, url, errors);
    const shown = (): Promise<unknown> =>
      page.evaluate(
        `[...document.querySelectorAll('section')].filter((each) => each.checkVisibility()).map(({ id }) => id)`,
      );
    const command = (): Promise<string> => page.$eval('#command', (element) => element.textContent ?? '');
    expect(await shown()).toEqual(['g1']);
    expect(await command(), 'identical files are ticked').toBe(`rm -- '${join(realpathSync(cwd), 'large-b.txt')}'`);
    await page.click('#next');
    expect(await shown()).toEqual(['g2']);
    await page.click('.current .remove');
    expect((await command()).split("' '")).toHaveLength(2);
    await page.click('#previous');
    await page.click('.current .remove');
    expect(
      spawnSync('sh', ['-c', (await command()).replace('rm', 'ls')], { encoding: 'utf8' }).stdout.split('\n'),
    ).toHaveLength(2);
    await page.click('#one');
    expect(await shown()).toHaveLength(GROUPS + 1);
    await page.close();
  });

  test.skipIf(executable === undefined)(
    'is accessible, fits a narrow screen, and works without JavaScript',
    async () => {
      const page = await openPage(browser, url, errors);
      await page.click('#one');
      await page.evaluate(`for (const each of document.querySelectorAll('details')) each.open = true;
        for (const each of document.querySelectorAll('section')) each.style.contentVisibility = 'visible';`);
      for (const value of ['light', 'dark']) {
        // Firefox can emulate neither this nor a browser without JavaScript.
        if (name === 'chrome') await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
        await expectAccessible(page);
      }
      await screenshot(page, `dupes-${name}`);
      await expectNarrow(page);
      if (name === 'chrome') {
        await page.setJavaScriptEnabled(false);
        await page.reload();
        expect((await page.$$('section')).length).toBe(GROUPS + 1);
        expect(await page.$eval('#tools', (element) => element.checkVisibility())).toBe(false);
      }
      await page.close();
      expect(errors).toEqual([]);
    },
  );
});
