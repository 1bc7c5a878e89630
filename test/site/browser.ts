import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { expect } from 'vitest';
import { root } from '../engines/tools.ts';
import { PROCESS_TIMEOUT } from '../process.ts';

/** Browsers of Debian, by their names in Puppeteer. */
export const BROWSERS = [
  ['chrome', 'chromium'],
  ['firefox', 'firefox-esr'],
] as const;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Finds a program; undefined if it is not installed. */
export function findProgram(name: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** Starts a browser without a window. */
export function startBrowser(browser: 'chrome' | 'firefox', executablePath: string): Promise<Browser> {
  const args = browser === 'chrome' ? ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] : [];
  return puppeteer.launch({
    ...{ browser, executablePath, headless: true, args },
    ...{ timeout: PROCESS_TIMEOUT, protocolTimeout: 2 * PROCESS_TIMEOUT },
  });
}

/** Opens a page, and fails on what it reports as an error. */
export async function openPage(browser: Browser, url: string, errors: string[]): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(PROCESS_TIMEOUT);
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(url);
  return page;
}

/** Opens the parts of the playground that are closed at first. */
export async function openParts(page: Page): Promise<void> {
  await page.waitForSelector('.advanced');
  await page.evaluate("for (const part of document.querySelectorAll('.advanced')) part.open = true");
}

/** Reads the text of an element, once it has one that matches. */
export async function textOf(page: Page, selector: string, pattern = /./): Promise<string> {
  const content = `(document.querySelector(${JSON.stringify(selector)})?.textContent ?? '')`;
  const source = `new RegExp(${JSON.stringify(pattern.source)}, 'u').test(${content}) && ${content}`;
  try {
    return (await (await page.waitForFunction(source)).jsonValue()) as string;
  } catch (cause) {
    const text = await page.evaluate(content).catch(() => 'unknown');
    throw new Error(`${selector}: expected a text that matches ${pattern}, not ${JSON.stringify(text)}`, { cause });
  }
}

/**
 * Clicks an element where it is. A click of the mouse takes two steps, to find the place and to press there; what is loaded
 * between them moves the element.
 */
export async function press(page: Page, selector: string): Promise<void> {
  await page.waitForSelector(selector);
  await page.$eval(selector, (element) => (element as unknown as { click(): void }).click());
}

/** Drops a file on an element, as a user would. */
export async function dropFile(page: Page, selector: string, name: string, bytes: Uint8Array): Promise<void> {
  const base64 = Buffer.from(bytes).toString('base64');
  await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${base64}'), (character) => character.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], ${JSON.stringify(name)}));
    const target = document.querySelector(${JSON.stringify(selector)});
    for (const type of ['dragover', 'drop'])
      target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
  })()`);
}

/** Drops files and folders of this machine on an element. Only Chromium has a way to do that. */
export async function dropPaths(page: Page, selector: string, paths: readonly string[]): Promise<void> {
  const { x, y } = (await (await page.$(selector))!.clickablePoint()) as { x: number; y: number };
  const session = await page.createCDPSession();
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', {
      ...{ type, x, y },
      data: { items: [], files: [...paths], dragOperationsMask: 1 },
    });
  await session.detach();
}

/** Lets a page copy, and keeps what it copies in `copied`: without a window, no permission can be requested. */
export async function catchCopies(page: Page): Promise<void> {
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async (text) => { window.copied = text; } },
  })`);
}

/** Returns what a page has copied. */
export async function copiedBy(page: Page): Promise<string> {
  const handle = await page.waitForFunction(
    '(() => { const { copied } = window; window.copied = undefined; return copied; })()',
  );
  return (await handle.jsonValue()) as string;
}

/** Checks a page with axe-core. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(AXE);
  const violations = await page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target).join(' ')))`,
  );
  expect(violations).toEqual([]);
}

/** Checks that a page has no horizontal scroll on a narrow screen. */
export async function expectNarrow(page: Page): Promise<void> {
  await page.setViewport({ width: 360, height: 740 });
  const tooWide = await page.evaluate(
    `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('main *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1).slice(0, 5).map((element) => element.outerHTML.slice(0, 100))`,
  );
  expect(tooWide).toEqual([]);
}

/** Leaves a screenshot for a person. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = join(root, 'build/site-screenshots');
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
