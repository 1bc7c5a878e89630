import { type Command, JSON_OPTION } from '../../command.ts';
import { FORMATS, LIMITS } from '../../help/topics.ts';
import { JOBS_OPTION, QUIET_OPTION } from '../../options.ts';

/** `simhash-doc dupes`: groups of near-duplicates among documents, or among fingerprints. */
export const dupes: Command = {
  name: 'dupes',
  summary: 'Find groups of similar documents',
  usage: '[OPTION…] [PATH…|-]',
  details: [
    `PATH is a file or a folder, as for hash. A file that is named, and standard input (- or no PATH), may also be JSON Lines
of fingerprints with the keys path, label, fingerprint, as hash --json prints them.`,
    `Two documents make a pair if their fingerprints differ in at most K bits. Groups are the connected components of the
pairs. The first document of a group is the one nearest to all the others, which follow with their distance to it. The size
that can be reclaimed is theirs; links to the same file are one document, and documents in archives count as 0. With --pairs,
documents with equal fingerprints are each paired with the first of them, and only that one is paired with others.`,
    `--tsv prints group, distance, size, fingerprint, path; with --pairs a, b, distance, similarity. In paths, tab, line feed,
carriage return and backslash are escaped as \\t, \\n, \\r and \\\\.`,
    `With --json, each group is an object with the keys label, documents (each with path, fingerprint, distance, size, and
member, recordId and date as for hash), reclaimable; with --pairs, each pair is an object with the keys a, b, distance,
similarity. Sizes are in bytes, null if unknown.`,
    'Exit code: 0 something was found, 1 nothing was found or some documents have no fingerprint, 2 wrong usage.',
  ],
  options: [
    { name: 'distance', short: 'k', value: 'K', help: 'the most bits that may differ, 0 to 7 (default: 3)' },
    { name: 'pairs', help: 'print pairs instead of groups' },
    { name: 'tsv', help: 'print tab-separated values' },
    JSON_OPTION,
    JOBS_OPTION,
    QUIET_OPTION,
  ],
  topics: [FORMATS, LIMITS],

  async run(args) {
    const { runDupes } = await import('./run.ts');
    return runDupes(args);
  },
};
