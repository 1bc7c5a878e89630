import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from './corpus.ts';
import { type Cost, cost, inFolder, MAIN, optionOf, printTable } from './measure.ts';

const [TEXTS, WORDS, ROUNDS] = [20_000, 200, 5];

/** rensa as its README uses it, with its own tokens; a row is removed if a kept one is a candidate, which is not verified. */
const RENSA = `
import json, sys
from rensa import RMinHash, RMinHashLSH
lsh = RMinHashLSH(threshold=0.8, num_perm=128, num_bands=16)
with open(sys.argv[1]) as rows, open(sys.argv[2], "w") as out:
    for key, row in enumerate(map(json.loads, rows)):
        minhash = RMinHash(num_perm=128, seed=42)
        minhash.update(row["text"].split())
        if not lsh.query(minhash):
            lsh.insert(key, minhash)
            out.write(json.dumps(row) + "\\n")
`;

const PYTHON = `
import json, sys, simhash_doc
with open(sys.argv[1]) as rows, open(sys.argv[2], "w") as out:
    for row in simhash_doc.dedupe(map(json.loads, rows), text="text").rows:
        out.write(json.dumps(row) + "\\n")
`;

/** Rows of words, each with a copy in which 3 words are others, in random order. */
function makeRows(): string {
  const random = createRandom(1);
  const letter = (): string => String.fromCharCode(97 + (random() % 26));
  const vocabulary = Array.from({ length: 20_000 }, () => Array.from({ length: 2 + (random() % 7) }, letter).join(''));
  const word = (): string => vocabulary[random() % vocabulary.length]!;
  const texts = Array.from({ length: TEXTS }, () => Array.from({ length: WORDS }, word)).flatMap((text) => {
    const copy = text.map((each, at) => (at % 67 === 0 ? word() : each));
    return [text, copy].map((words) => ({ text: words.join(' '), place: random() }));
  });
  texts.sort((a, b) => a.place - b.place);
  return texts.map(({ text }, id) => `${JSON.stringify({ id, text })}\n`).join('');
}

/** Compares `dedupe` with rensa and the Python package, of a virtual environment that `--venv=FOLDER` names. */
export async function benchDuplicates(): Promise<void> {
  const python = join(optionOf('venv') ?? 'build/python', 'bin/python');
  if (spawnSync(python, ['-c', 'import rensa, simhash_doc']).status !== 0)
    return console.log('not measured: rensa or simhash_doc is missing\n');
  await inFolder(async (folder) => {
    const [rows, out] = [join(folder, 'rows.jsonl'), join(folder, 'out.jsonl')];
    writeFileSync(rows, makeRows());
    const programs: [string, string, string[], Cost[]][] = [
      ['dedupe', process.execPath, [MAIN, 'dedupe', '--quiet', rows, '--out', out], []],
      ['simhash_doc.dedupe', python, ['-c', PYTHON, rows, out], []],
      ['rensa, not verified', python, ['-c', RENSA, rows, out], []],
    ];
    for (let round = 0; round < ROUNDS; round++)
      for (const [, program, args, costs] of programs) {
        rmSync(out, { force: true });
        costs.push(await cost(program, args));
      }
    const lines = programs.map(([name, , , costs]) => {
      const [cpu, peak] = (['cpu', 'peak'] as const).map((key) => Math.min(...costs.map((each) => each[key])));
      return [name, cpu!, Math.round(peak!)];
    });
    printTable([[`${2 * TEXTS} rows of ${WORDS} words`, 'CPU, s', 'peak, MB'], ...lines]);
  });
}
