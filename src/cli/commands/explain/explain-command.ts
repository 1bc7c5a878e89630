import { LABEL, LABELS } from '../../../scheme/labels/label.ts';
import { type Command, JSON_OPTION } from '../../command.ts';
import { FORMATS, LIMITS } from '../../help/topics.ts';
import { DOCUMENT_LABEL, LABEL_OPTION } from '../../options.ts';

export const explain: Command = {
  name: 'explain',
  summary: 'Show how the fingerprint of a document is computed',
  usage: '[OPTION…] PATH|-  or  --diff A B',
  examples: [
    { typed: 'explain report.txt', about: 'each step of the computation' },
    { typed: 'explain --diff report.html report.txt', about: 'why two documents differ' },
  ],
  details: [
    `Shows what each step of the scheme does with one document of up to 4 Mi characters: how it was read; what was replaced,
deleted and stripped; the most frequent tokens; the 64 counters and the bits that follow from them, or with minhash-doc the
token that wins each bin and its draw; the fingerprint in all its forms, and its keys in the 16 tables.`,
    `With --json, one object with the keys path, label, mediaType, extractor, steps: { decoded, normalised, stripped },
tokens, hashes, counters, winners (each word, bin, token, round, draw, bit), fingerprint, hex, keys. counters is null with
minhash-doc, winners with simhash-doc; the last three are null if there are no tokens. Or, for a document that cannot be read,
path, error: { code, message }.`,
    `--diff says whether two documents are near-duplicates, as compare does, and shows why they differ: the tokens whose counts differ most, and for each bit in which the fingerprints
differ its two counters, or with minhash-doc the tokens that win its bin. One of these two is missing from the other document:
that tips the bit. With --json, one object with the keys answer, near, a, b (each path, fingerprint, tokens), label, distance, overlap, bits (each bit,
a, b: its counters, or token and shared, true if both documents have the token), differences (each token, a, b: its counts), the
largest first.`,
  ],
  options: [
    { name: 'diff', help: 'show why two documents differ' },
    {
      ...LABEL_OPTION,
      help: `scheme of the fingerprints: ${LABELS.join(', ')} (default: ${LABEL}; with --diff ${DOCUMENT_LABEL})`,
    },
    JSON_OPTION,
  ],
  topics: [FORMATS, LIMITS],
  run: async (args) => (await import('./run-explain.ts')).runExplain(args),
};
