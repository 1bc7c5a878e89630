import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Result } from '../../../src/cli/commands/dupes/dupes-result.ts';
import { writeHtml } from '../../../src/cli/commands/dupes/html-report.ts';
import type { Session } from '../../../src/cli/session.ts';
import { collectionOf } from '../../../src/cli/stores/stored-documents.ts';
import type { DocumentGroupMember } from '../../../src/duplicates/group.ts';
import { attribute, parsePage, textOf } from '../../page.ts';
import { capturesOf } from '../archives.ts';
import { folder, jsonOf, lettersOf, run, runProcess, stdoutOf, withoutPackages, wordsOf } from '../command.ts';

const WORDS = wordsOf('w', 300);
const TEXT = WORDS.join(' ');
const NEAR = WORDS.with(50, 'other').join(' ');

/** Reads the page in a file. */
function readPage(path: string) {
  const html = readFileSync(path, 'utf8');
  const { errors, elements } = parsePage(html);
  expect(errors).toEqual([]);
  const all = (...names: string[]) => elements.filter(({ tagName }) => names.includes(tagName));
  const texts = (...names: string[]): string[] => all(...names).map(textOf);
  const links = all('a').map((element) => attribute(element, 'href')!);
  return { html, elements, all, texts, files: links.filter((link) => !link.startsWith('#')) };
}

/** The path that a browser opens, as bytes. */
function bytesOf(link: string, page: string): Buffer {
  const { pathname } = new URL(link, pathToFileURL(page));
  return Buffer.from(
    pathname.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  );
}

describe('the page of dupes --html', () => {
  test('shows passages that differ, with links to the files', async () => {
    const cwd = folder({ 'a.txt': TEXT, 'b/near.txt': NEAR, 'c.txt': TEXT });
    expect(await run(['dupes', '--html', 'b/page.html', '.'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    const { texts, files } = readPage(join(cwd, 'b/page.html'));
    expect(texts('h1')).toEqual(['1 group among 3 documents']);
    expect(texts('dd')).toEqual(['3', '1', expect.stringMatching(/KiB$/)]);
    expect(texts('title').slice(1)).toEqual(
      [expect.stringMatching(/^1 document at \d+ bits?$/), '1 document at 0 bits'].sort(),
    );
    expect(texts('del', 'ins')).toEqual([`w${lettersOf(50)}`, 'other']);
    expect(texts('summary')).toEqual(['1 passage that differs']);
    expect(files.sort()).toEqual(['../a.txt', '../c.txt', 'near.txt']);
    expect(readdirSync(join(cwd, 'b')).sort()).toEqual(['near.txt', 'page.html']);
  });

  test('shows texts and names as plain text, with links to the files', async () => {
    const names = [
      '"><img src=x onerror=alert(1)>',
      '</script><script>alert(1)</script>',
      'javascript:alert(1)',
      '%41#?&',
      "a'b",
    ];
    const files = names.map((name) => [name.replaceAll('/', '\\'), `${TEXT} ${name}`] as const);
    const cwd = folder({ ...Object.fromEntries(files), 'a\nb\u202etxt.exe': `${TEXT} \u202ex \u200b \x07` });
    const odd = Buffer.concat([Buffer.from(`${cwd}/odd-`), Buffer.of(0xff, 0xfe), Buffer.from('.txt')]);
    writeFileSync(odd, `${NEAR} <b onclick="alert(1)">`);
    expect(await run(['dupes', '--html', 'page.html', '.'], { cwd })).toMatchObject({ code: 0 });
    const page = join(cwd, 'page.html');
    const { html, elements, all, files: links } = readPage(page);
    expect(all('script').length).toBe(1);
    expect(all('img', 'b').length).toBe(0);
    expect(
      elements.flatMap(({ attrs }) => attrs).filter(({ name }) => name.startsWith('on') || name === 'src'),
    ).toEqual([]);
    expect(html).not.toMatch(/[\u200b\u202e]|https?:/);
    expect(html).toContain('<bdi>./a\\x0ab\\u{202e}txt.exe</bdi>');
    expect(html).toContain('./odd-\\xff\\xfe.txt');
    expect(new Set(links).size).toBe(names.length + 2);
    for (const link of links) expect(existsSync(bytesOf(link, page)), link).toBe(true);
    expect(links).toContain('odd-%FF%FE.txt');
    expect(links).toContain('javascript%3Aalert%281%29');
  });

  test('allows only its own style and script by its policy', async () => {
    const cwd = folder({ a: TEXT, b: TEXT });
    await run(['dupes', '--html', 'page.html', '.'], { cwd });
    const { all } = readPage(join(cwd, 'page.html'));
    const hashOf = (name: string): string =>
      `'sha256-${createHash('sha256')
        .update(textOf(all(name)[0]!))
        .digest('base64')}'`;
    expect(attribute(all('meta').find((element) => attribute(element, 'http-equiv') !== undefined)!, 'content')).toBe(
      `default-src 'none'; script-src ${hashOf('script')}; style-src ${hashOf('style')}; base-uri 'none'; form-action 'none'`,
    );
  });

  test('links to a folder after a symbolic link and .. as the system resolves it', async () => {
    const cwd = folder({ 'real/in/x': '', 'real/a.txt': TEXT, 'b.txt': TEXT });
    symlinkSync('real/in', join(cwd, 'link'));
    mkdirSync(join(cwd, 'out'));
    expect((await run(['dupes', '--html', 'out/page.html', 'link/../a.txt', 'b.txt'], { cwd })).code).toBe(0);
    const page = join(cwd, 'out/page.html');
    for (const link of readPage(page).files) expect(existsSync(bytesOf(link, page)), link).toBe(true);
  });

  test('shows passages in the first 200 groups', async () => {
    const files = Array.from({ length: 201 }, (_, i) => {
      const words = Array.from({ length: 40 }, (_, j) => `g${i}w${j}`);
      return [
        [`${i}a`, words.join(' ')],
        [`${i}b`, words.with(20, `other${i}`).join(' ')],
      ] as const;
    });
    const cwd = folder(Object.fromEntries(files.flat()));
    expect((await run(['dupes', '--html', 'page.html', '.'], { cwd })).code).toBe(0);
    const { texts, all } = readPage(join(cwd, 'page.html'));
    expect(all('section').length).toBeGreaterThan(200);
    expect(all('details').length).toBe(200);
    expect(texts('header')[0]).toContain('Passages are shown in the first 200 groups.');
  });

  test('marks documents that differ other than in the words as not removed', async () => {
    const differs = ['numbers', '<b>' as 'case'] as const;
    const member: DocumentGroupMember = {
      document: 1,
      distance: 0,
      overlap: 1,
      isConfirmed: true,
      isIdentical: false,
      differs,
    };
    const facts = { occurrence: 0, size: 5, tokens: 1, isReference: false };
    const documents = ['a', 'b'].map((path) => ({ place: { path }, ...facts }));
    const result: Result = {
      collection: collectionOf('x', documents, { words: 1, values: BigUint64Array.of(0n, 0n) }),
      groups: [{ kept: 0, members: [member], reclaimable: 0 }],
      contained: [],
      isVerified: false,
      flagsOf: () => [],
    };
    const path = join(folder(), 'page.html');
    await writeHtml(path, result, null as unknown as Session);
    expect(readPage(path).texts('strong')).toEqual(['differs: numbers, <b>; not removed']);
  });

  test('has no passages without the package diff, and reports that', async () => {
    const cwd = folder({ a: TEXT, b: NEAR });
    const node = withoutPackages('diff');
    expect(await runProcess(['dupes', '--html', 'page.html', '.'], { cwd, node })).toMatchObject({
      ...{ code: 0, stderr: 'simhash-doc: showing passages needs one more package: npm install diff\n' },
    });
    const { texts, files } = readPage(join(cwd, 'page.html'));
    expect(texts('header')[0]).toContain('Passages are missing: they need the package diff.');
    expect(files).toEqual(['a', 'b']);
  });

  test('is rejected before anything is read if its folder does not exist', async () => {
    const cwd = folder({ a: TEXT, b: TEXT });
    const { code, stderr } = await run(['dupes', '--html', 'no/page.html', '.'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('--html: no/page.html: no such folder: no');
    expect(existsSync(join(cwd, 'no'))).toBe(false);
  });
});

test('dupes shows the dates of captures of one URL', async () => {
  const dates = ['2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z'] as const;
  const cwd = folder({ 'a.warc': capturesOf([TEXT, NEAR], dates), 'b.txt': NEAR });
  const name = './a.warc!http://a.b/';
  const stdout = await stdoutOf(['dupes', '--html', 'page.html', '.'], { cwd });
  for (const date of dates) expect(stdout).toContain(`${name}  ${date}\n`);
  const { texts, files } = readPage(join(cwd, 'page.html'));
  for (const [index, date] of dates.entries()) expect(texts('li')[index]).toContain(date);
  expect(files).toEqual(['a.warc', 'a.warc', 'b.txt']);
  const rows = (await stdoutOf(['dupes', '--tsv', '.'], { cwd })).split('\n').slice(0, -1);
  expect(rows.map((row) => row.split('\t').slice(-3, -1))).toEqual([
    ...dates.map((date) => [date, name]),
    ['', './b.txt'],
  ]);
  const pair = ['dupes', '--pairs', 'a.warc'];
  expect(await stdoutOf(pair, { cwd })).toContain(`a.b/  ${dates[0]}  a.warc!http://a.b/  ${dates[1]}\n`);
  expect(await jsonOf([...pair, '--json'], { cwd })).toMatchObject([{ aDate: dates[0], bDate: dates[1] }]);
});
