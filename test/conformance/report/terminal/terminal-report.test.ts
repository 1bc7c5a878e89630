import { describe, expect, test } from 'vitest';
import { writeTerminal } from '../../../../src/conformance/report/terminal/terminal-report.ts';
import { diagnose } from '../../../../src/conformance/report/wording.ts';
import { FAILING, PASSING } from '../report.ts';

const text = writeTerminal(FAILING, { again: "-- python3 'my adapter.py'" });

describe('the report for a person', () => {
  test('names the implementation and the vectors', () => {
    expect(text).toMatch(/^Conformance to simhash-doc, vectors 1\.2\.3\n/);
    expect(text).toContain('9.9 (Python)');
    expect(text).toContain('Unicode of NFC  15.0.0');
    expect(text).toMatch(/unknown here +dance/);
  });

  test('counts per group', () => {
    expect(text).toMatch(/✗ tokenise +1 passed +2 failed\n/);
    expect(text).toMatch(/✗ token-hash +0 passed +3 failed {2}1 not run\n/);
    expect(text).toMatch(/– lookup +0 passed +0 failed {2}1 not offered\n/);
    expect(text).toMatch(/✗ 300 cases with seed 42: 2 differences found/);
  });

  test('gives each conformance class its verdict with the reason', () => {
    expect(text).toMatch(/hash +fails +4 of 4 vectors failed\n/);
    expect(text).toMatch(/text +not tested +needs fingerprint\n/);
    expect(text).toMatch(/extraction \(html\) +vectors passed +all of 1 vector\n/);
    expect(writeTerminal(PASSING)).toMatch(
      /text +conforms +all of 700 vectors; not answered: 30 of fingerprint \(utf16\), 70 of classify and 3 accumulated\n/,
    );
    const part = writeTerminal({ ...PASSING, selection: '--group tokenise' });
    expect(part).toContain('only            --group tokenise');
    expect(part).toContain('All of 1 vector passed; the others were not run.');
  });

  test('names what keeps a class from being awarded, and does not conform without a class', () => {
    const left = [
      { operation: 'parse', vectors: 12, randomCases: 3, isAllowed: false },
      { operation: 'compare', vectors: 0, randomCases: 3, isAllowed: false },
      { operation: 'classify', vectors: 70, randomCases: 0, isAllowed: true },
    ] as const;
    const classes = [{ ...PASSING.classes[0]!, verdict: 'untested', unanswered: left } as const];
    const untested = writeTerminal({ ...PASSING, verdict: 'untested', classes });
    expect(untested).toMatch(
      /hash +not tested +needs answers, not given to 12 of parse and 3 random cases of compare\n/,
    );
    expect(untested).toContain('Does not conform yet: nothing is wrong, but no class was answered as a whole.');
  });

  test('names the functions of the product, recomposed operations, and declined inputs', () => {
    const report = writeTerminal(PASSING);
    expect(report).toContain('Product functions\n  fine_parse (parse)\n  recomposed: tokenise\n');
    expect(report).toMatch(/declines +utf16\n/);
    expect(text).toContain('Product functions\n  None is named: what conforms is what the adapter recomposes.\n');
    const functions = Object.fromEntries(['parse', 'tokenise'].map((name) => [name, name.repeat(12)]));
    const wrapped = writeTerminal({ ...PASSING, adapter: { ...PASSING.adapter, functions } });
    expect(wrapped).toMatch(/ {2}(parse){12} \(parse\);\n {2}(tokenise){12} \(tokenise\)\n\n/);
  });

  test('names the first step, the known mistake, and newer tables, in words', () => {
    expect(diagnose(FAILING).slice(3, 5)).toEqual([
      'First goes wrong in step 4 (strip locators), 12 vectors; given correct input, steps 5 to 9 are right.',
      'Fails like utf16-units-hashed on 14 of 14: hashes UTF-16 units.',
    ]);
    expect(text).toContain('on 5 of 14 (which would fail 3 more; its outcome on 2 others is not recorded)');
    expect(text).toContain('Newer Unicode data explain every failure');
    const firstStep = { step: 3, vectors: 0, right: [4], wrong: [7, 9] };
    expect(diagnose({ ...FAILING, firstStep })[3]).toBe(
      'First goes wrong in step 3 (normalise), random cases; given correct input, step 4 is right, steps 7 and 9 are also wrong.',
    );
  });

  test('shows failures around the first difference, with invisible characters escaped', () => {
    expect(text).toContain('      expected  tokens[1]: "cafe\\u{0301}"\n      actual    tokens[1]: "café"\n');
    const [line] = /^.*actual {4}tokens\[1\].*$/m.exec(text)!;
    const [mark] = /^ +\^$/m.exec(text)!;
    expect(line[mark.length - 1]).toBe('é');
    expect(text).toContain('expected  { tokens: ["x"] }');
    expect(text).toContain('actual    error <b a=\\"1\\">');
  });

  test('distinguishes crashes, hangs and breaches, with the end of standard error', () => {
    expect(text).toContain('crashed: ended by SIGSEGV');
    expect(text).toContain('did not answer: no reply within 10 ms');
    expect(text).toContain('broke the protocol: ');
    expect(text).toMatch(/stderr: last words <b/);
    expect(text).toContain('1 vector not run: failed 3 times');
  });

  test('shows the input of a crash', () => {
    const outcomes = FAILING.outcomes.map((each) =>
      each.status === 'crash' ? { ...each, input: { text: 'boom' } } : each,
    );
    expect(writeTerminal({ ...FAILING, outcomes }, { again: '' })).toMatch(
      /✗ token-hash\/crashed .*\n +input +\{ text: "boom" \}\n +crashed: ended by SIGSEGV\n/,
    );
  });

  test('shows random cases with small inputs, and how to repeat them', () => {
    expect(text).toContain('--seed 42 repeats them');
    expect(text).toMatch(/✗ tokenise case 7\n +input +\{ text: "small /);
    expect(text).toContain('crashed: ended with exit code 3');
  });

  test('grades fingerprints only if some differ', () => {
    expect(text).toContain('10 documents: 1 without a fingerprint, as expected; 2 fingerprints missing, 0 unexpected');
    expect(text).toContain('mean 5.29, largest 31; equal 57.1 %, within 1 57.1 %, within 3 85.7 %, within 6 85.7 %');
    expect(text.indexOf('Grade')).toBeGreaterThan(text.indexOf('Random cases that differ'));
    expect(text).not.toContain('█');
    expect(writeTerminal(PASSING)).not.toContain('Grade');
  });

  test('names process failures before any step', () => {
    const [crash, timeout, protocol] = diagnose(FAILING);
    expect(crash).toBe('The adapter crashed on 1 of 6 vectors, first token-hash/crashed: ended by SIGSEGV.');
    expect(timeout).toBe('The adapter did not answer 1 of 6 vectors, first token-hash/hung: no reply within 10 ms.');
    expect(protocol).toMatch(/^The adapter broke the protocol on 1 of 6 vectors, first token-hash\/garbage: /);
    expect(text).toContain('Fix the crashes first: they are not attributed to a step.');
    const slow = { ...FAILING, outcomes: FAILING.outcomes.filter(({ status }) => status !== 'crash') };
    expect(writeTerminal(slow)).toContain('Fix the missing answers first, or allow more time (--deadline 60)');
  });

  test('has no random cases if none ran', () => {
    const none = { seed: 1, cases: 100, compared: 0, disagreements: [], unanswered: [] };
    expect(writeTerminal({ ...PASSING, random: none })).not.toContain('Random cases');
    expect(writeTerminal(PASSING)).toContain('Random cases');
  });

  test('gives advice', () => {
    expect(text).toContain('simhash-doc conformance explain token-hash/crashed');
    expect(text).toContain("simhash-doc conformance --group token-hash -- python3 'my adapter.py'");
    expect(writeTerminal(PASSING)).not.toContain('Next');
  });

  test('shows the requested number of failures, some of each group', () => {
    expect(text).toContain('Failures 5 shown');
    const two = writeTerminal(FAILING, { failures: 2 });
    expect(two).toContain('Failures 2 of 5 shown; --failures 5 shows all');
    expect(two).toContain('✗ tokenise/bad ');
    expect(two).toContain('✗ token-hash/crashed ');
    expect(two).not.toContain('✗ tokenise/refused ');
  });

  test('has no colours by default, and no control character', () => {
    for (const report of [text, writeTerminal(PASSING)]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
      expect(report).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]|\p{Cs}/u);
      expect(report).toMatch(/[^\n]\n$/);
    }
  });

  test('has colours if they are given', () => {
    const mark = (name: string) => (value: string) => `<${name}>${value}</${name}>`;
    const paint = { strong: mark('b'), faint: mark('i'), good: mark('g'), bad: mark('r') };
    expect(writeTerminal(FAILING, { paint })).toContain(
      '<r>Does not conform: 5 vectors failed, 1 was not run and random cases differ.</r>',
    );
    expect(writeTerminal(PASSING, { paint })).toContain(
      '<g>Conforms to classes hash and text of simhash-doc, by vectors 1.2.3.</g>',
    );
  });
});
