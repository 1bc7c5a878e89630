import { cpSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Fault, faultsFor, withFaults } from '../faults.ts';
import { IS_SLOW } from '../suite.ts';
import { folder, run, wordsOf } from './command.ts';

const TEXT = wordsOf('', 100).join(' ');
const CHECK = 'conformance --group simhash --random 0 --one-shot --quiet';

async function surroundings(): Promise<string> {
  const cwd = folder({
    'docs/a.txt': TEXT,
    'docs/b.txt': `${TEXT} more`,
    'in.jsonl': `{"text":"${TEXT}"}\n{"text":"${TEXT}"}\n{"text":"${wordsOf('o', 100).join(' ')}"}\n`,
    'in.cdxj': '!a comment\n',
    'out/enriched.cdxj': '!an older one\n',
  });
  const out = join(cwd, 'out');
  for (const typed of [
    `dupes ${cwd}/docs/a.txt --html ${out}/page.html`,
    `dedupe ${cwd}/in.jsonl --text-field text --groups ${out}/groups.jsonl --duplicates ${out}/removed.jsonl --ignore-numbers --min-overlap 1 --keep longest`,
    `${CHECK} --write-skip ${out}/skip.txt -- cat`,
  ])
    await run(typed.split(' '), { cwd });
  return cwd;
}

const template = await surroundings();

/** Command lines that write files to the folder `out`, and how many of the points of failure the fast suite tries. */
const LINES = [
  'dupes docs --html out/page.html',
  'dedupe in.jsonl --text-field text --out out/kept.jsonl --groups out/groups.jsonl --duplicates out/removed.jsonl --json',
  'dedupe in.jsonl --text-field text --out out/kept.jsonl.gz',
  'enrich in.cdxj --out out/enriched.cdxj',
  `${CHECK} --junit out/junit.xml -- echo GAQM5KRDOWTU4`,
  `${CHECK} --write-skip out/skip.txt -- echo GAQM5KRDOWTU4`,
];

const contents = (path: string): ReadonlyMap<string, string> =>
  new Map(readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'latin1')]));

test.each(LINES)('%s leaves the old or the new file after any fault', async (typed) => {
  const attempt = async (fault?: Fault) => {
    const cwd = folder();
    cpSync(template, cwd, { recursive: true });
    const isOurs = (path: string): boolean => /(?:^|\/)out(?:\/|$)/.test(path);
    const { result, calls } = await withFaults(isOurs, () => run(typed.split(' '), { cwd }), fault);
    for (const name of ['in.jsonl', 'in.cdxj', 'docs/a.txt'])
      expect(readFileSync(join(cwd, name), 'utf8')).toBe(readFileSync(join(template, name), 'utf8'));
    return { ...result, calls, files: contents(join(cwd, 'out')) };
  };
  const before = contents(join(template, 'out'));
  const usual = await attempt();
  const stride = IS_SLOW ? 1 : 17;
  for (const [i, fault] of faultsFor(usual.calls).entries()) {
    if (i % stride !== 0) continue;
    const { code, stderr, files } = await attempt(fault);
    const about = `${JSON.stringify(fault)} ${usual.calls[fault.at]}: ${stderr}`;
    const isNew = [...usual.files].every(([name, text]) => files.get(name) === text);
    for (const [name, text] of files)
      if (!name.endsWith('.tmp')) expect([before.get(name), usual.files.get(name)], `${about}${name}`).toContain(text);
    // Reports of an earlier run are removed before a new one.
    if (fault.isLasting !== true)
      expect(
        [...files.keys()].filter((name) => name.endsWith('.tmp')),
        about,
      ).toEqual([]);
    if (code === usual.code) expect(isNew, about).toBe(true);
    else
      expect([code, stderr], about).toEqual([
        expect.toBeOneOf([2, 3]),
        expect.stringMatching(/^simhash-doc: .*out\//m),
      ]);
    expect(stderr, about).not.toMatch(/bug in this program|\.tmp/);
  }
});

test('index sync is complete after the next run, whatever fault one had', async () => {
  const start = folder({
    'docs/a.txt': TEXT,
    'docs/b.txt': 'old words',
    'docs/c.txt': 'gone words',
    'docs/d.txt': TEXT,
  });
  await run('index sync store docs'.split(' '), { cwd: start });
  const sync = async (cwd: string) => run('index sync store docs --quiet'.split(' '), { cwd });
  const idsOf = async (cwd: string) => {
    const { stdout } = await run('index export store'.split(' '), { cwd });
    return stdout.replaceAll(cwd, '').split('\n').sort();
  };
  const attempt = async (fault?: Fault) => {
    const cwd = realpathSync(folder());
    cpSync(start, cwd, { recursive: true });
    // Its ids are absolute, so the documents of the other folder stay.
    await sync(cwd);
    writeFileSync(join(cwd, 'docs/b.txt'), 'new words');
    writeFileSync(join(cwd, 'docs/d.txt'), '');
    rmSync(join(cwd, 'docs/c.txt'));
    const isOurs = (path: string): boolean => /(?:^|\/)store(?:\/|$)/.test(path);
    const { result, calls } = await withFaults(isOurs, () => sync(cwd), fault);
    return { ...result, cwd, calls };
  };
  const usual = await attempt();
  expect(usual).toMatchObject({
    code: 0,
    stdout: 'added 0 documents, replaced 1, removed 2, skipped 1 unchanged file\n',
  });
  const expected = await idsOf(usual.cwd);
  const stride = IS_SLOW ? 1 : 23;
  for (const [i, fault] of faultsFor(usual.calls).entries()) {
    if (i % stride !== 0) continue;
    const { code, stdout, stderr, cwd } = await attempt(fault);
    const about = `${JSON.stringify(fault)} ${usual.calls[fault.at]}: ${code} ${stdout}${stderr}`;
    expect(stderr, about).not.toMatch(/bug in this program/);
    if (code === 0) expect([stdout, await idsOf(cwd)], about).toEqual([usual.stdout, expected]);
    else
      expect([code, stderr], about).toEqual([
        expect.toBeOneOf([2, 3]),
        expect.stringMatching(/^simhash-doc: .*store/m),
      ]);
    expect((await run('index verify store'.split(' '), { cwd })).stdout, about).toContain('no faults');
    // The end of the process would release the index, if that failed.
    for (const name of readdirSync(join(cwd, 'store'))) if (/^writer/.test(name)) rmSync(join(cwd, 'store', name));
    expect((await sync(cwd)).code, about).toBe(0);
    expect(await idsOf(cwd), about).toEqual(expected);
  }
});
