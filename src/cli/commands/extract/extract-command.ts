import { type Command, JSON_OPTION } from '../../command.ts';
import { FILES, FORMATS, LIMITS } from '../../help/topics.ts';
import { JOBS_OPTION, QUIET_OPTION } from '../../options.ts';

export const extract: Command = {
  name: 'extract',
  summary: 'Print the text of documents',
  usage: '[OPTION…] [PATH…|-]',
  examples: [
    { typed: 'extract report.html', about: 'the text of a document' },
    { typed: 'extract --extractor article report.html', about: 'without navigation and the like' },
  ],
  details: [
    `Prints the text from which hash computes the fingerprint. PATH is as for hash.`,
    `If there may be several documents, a line ==> NAME <== precedes each text.`,
    `With --json, each document is an object with the keys path, mediaType, extractor, charset (null if there is none),
losses, warnings, text; or path, error: { code, message }. For a document in an archive, member, recordId and date are as for hash.`,
  ],
  options: [JSON_OPTION, JOBS_OPTION, QUIET_OPTION],
  topics: [FILES, FORMATS, LIMITS],
  run: async (args) => (await import('./run-extract.ts')).runExtract(args),
};
