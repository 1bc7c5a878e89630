import { type Command, JSON_OPTION } from '../../command.ts';
import { FORMATS, LIMITS } from '../../help/topics.ts';
import { LABEL_OPTION } from '../../options.ts';

/** `simhash-doc compare`: how similar two documents or fingerprints are. */
export const compare: Command = {
  name: 'compare',
  summary: 'Tell how similar two documents are',
  usage: '[OPTION…] A B',
  details: [
    `A and B are files, one of which may be - (standard input), or labelled fingerprints such as simhash-doc:GAQM5KRDOWTU4.
With --label, an argument that is a fingerprint without its label (13 characters, or 52 with minhash-doc-256) is read as one;
write ./NAME for a file of that name. Only fingerprints with the same label are comparable.`,
    `To compute the overlap of two documents, take the smaller and the larger of the counts of each token; the overlap is the
sum of the smaller counts divided by the sum of the larger ones: 1 if both have the same words equally often.`,
    `The verdict is close (distance 0 or 1; up to 5 of 256 bits), loose (up to 6; up to 25 of 256 bits) or none.`,
    `With --json, one object with the keys a, b (each path or null, fingerprint), label, distance, similarity, verdict, and overlap of two documents; or,
for a document without a fingerprint, path, error: { code, message }.`,
    'Exit code: 0 the verdict is close or loose, 1 it is none or a document has no fingerprint, 2 wrong usage.',
  ],
  options: [LABEL_OPTION, JSON_OPTION],
  topics: [FORMATS, LIMITS],

  async run(args) {
    const { runCompare } = await import('./run.ts');
    return runCompare(args);
  },
};
