import * as scheme from '../../../../src/index.ts';
import { byKernel, bySteps, byStream } from '../../../fingerprint/pipelines.ts';
import * as arbitrary from '../../../twin/arbitraries.ts';
import * as oracle from '../../../twin/twin.ts';
import type { Target } from '../corpus.ts';
import { mutateBytes } from '../mutate.ts';
import { cutAnywhere, randomOf, seedOf } from '../random.ts';
import { agree, outcomeOf, SCHEME_CODES } from './expect.ts';

/** The twin takes quadratic time on long texts. */
const MAX_TWIN = 4000;

/** The way from bytes, and from the 16-bit units that they are read as, to a fingerprint, in all engines. */
export const fingerprint: Target = {
  make(random) {
    const draw = (): Uint8Array => {
      const drawn = random.isOneIn(3) ? random.draw(arbitrary.bytes) : random.draw(arbitrary.textOrUnits);
      return typeof drawn === 'string' ? new TextEncoder().encode(drawn) : drawn;
    };
    const parts = Array.from({ length: 1 + random.below(8) }, draw);
    const bytes = Buffer.concat(random.isOneIn(50) ? Array(2000).fill(parts).flat().slice(0, 3000) : parts);
    return { bytes: random.isOneIn(3) ? mutateBytes(bytes, random) : new Uint8Array(bytes) };
  },
  check({ bytes }) {
    compareEngines(bytes, bytes.length <= MAX_TWIN);
    const units = new Uint16Array(bytes.slice(0, bytes.length & ~1).buffer);
    let text = '';
    for (const unit of units) text += String.fromCharCode(unit);
    compareEngines(text, text.length <= MAX_TWIN / 2);
  },
};

function compareEngines(document: string | Uint8Array, withTwin: boolean): void {
  const bytes = typeof document === 'string' ? new TextEncoder().encode(document) : document;
  const random = randomOf(seedOf(bytes));
  const expected = bySteps(document);
  agree('kernel', byKernel(cutAnywhere(document, random)), expected);
  agree('streaming composition', byStream(cutAnywhere(document, random)), expected);
  agree('fingerprint', scheme.fingerprint(document), expected.fingerprint);
  if (!withTwin) return;
  const { fingerprint: ofTwin, tokens } = oracle.explainTwin(document);
  agree('twin', { fingerprint: ofTwin, tokens: tokens.length }, expected);
}

/** The written forms of a fingerprint. */
export const parse: Target = {
  make(random) {
    const label = random.isOneIn(2) ? '' : random.draw(arbitrary.labelText) + random.choose([':', '', '::', ' :']);
    const bytes = new TextEncoder().encode(label + random.draw(arbitrary.fingerprintText));
    return { bytes: random.isOneIn(3) ? mutateBytes(bytes, random) : bytes };
  },
  async check({ bytes }) {
    const text = new TextDecoder().decode(bytes);
    const bare = oracle.makePipeline();
    const pairs = [
      [scheme.parse, oracle.parseTwin],
      [scheme.parseLabel, bare.parseLabel],
      [scheme.parseLabelled, bare.parseLabelled],
    ] as const;
    for (const [actual, expected] of pairs)
      agree(
        actual.name,
        await outcomeOf<unknown>(SCHEME_CODES, () => actual(text)),
        await outcomeOf<unknown>(SCHEME_CODES, () => expected(text)),
      );
    await outcomeOf(SCHEME_CODES, () => scheme.fromHex(text));
  },
};
