import { DEFAULT_OVERLAP } from '../../../duplicates/answer.ts';
import { LABELS } from '../../../scheme/labels/label.ts';
import { type Command, JSON_OPTION } from '../../command.ts';
import { FORMATS, LIMITS } from '../../help/topics.ts';
import { DOCUMENT_LABEL, LABEL_OPTION } from '../../options.ts';

export const compare: Command = {
  name: 'compare',
  summary: 'Tell whether two documents are near-duplicates',
  usage: '[OPTION…] A B',
  examples: [
    { typed: 'compare report.html report.txt', about: 'two documents' },
    { typed: 'compare simhash-doc:4L3UPEMLCUTGM report.txt', about: 'a fingerprint and a document' },
  ],
  details: [
    `A and B are files, one of which may be - (standard input), or fingerprints: labelled ones such as simhash-doc:GAQM5KRDOWTU4, or 52
characters, or 13 with --label, unless a file has that name. A document that is compared with a fingerprint gets its label. Only
fingerprints with the same label are comparable.`,
    `Two documents are near-duplicates if their overlap is at least SHARE, as for dupes. To compute the overlap, take the smaller
and the larger of the counts of each word in the two documents; the overlap is the sum of the smaller counts divided by the sum of
the larger ones: 1 if both have the same words equally often.`,
    `If A or B is a fingerprint, only the distance is known. Fingerprints are near if they differ in at most 6 of 64 bits or 25 of 256.
Fingerprints of minhash-doc-256 that are near come from documents that share most of their words; with the labels of 64 bits, compare the
documents.`,
    `With --json, one object with the keys answer (the sentence), near (true or false), a, b (each path or null, fingerprint), label,
distance, and overlap of two documents; where only fingerprints are compared, similarity and verdict of step 10 of the
specification instead. The similarity is the share of equal bits: about 0.5 for unrelated documents, not 0. The verdict is close (similarity at
least 0.98), loose (at least 0.9) or none. For a document without a fingerprint: path, error: { code, message }.`,
  ],
  options: [
    {
      name: 'min-overlap',
      value: 'SHARE',
      help: `minimum overlap of near-duplicates, 0 to 1 (default: ${DEFAULT_OVERLAP})`,
    },
    {
      ...LABEL_OPTION,
      help: `scheme of the fingerprints: ${LABELS.join(', ')} (default: the label of a given fingerprint, or ${DOCUMENT_LABEL})`,
    },
    JSON_OPTION,
  ],
  topics: [FORMATS, LIMITS],
  run: async (args) => (await import('./run-compare.ts')).runCompare(args),
};
