import { pluralize } from '../../common/text.ts';
import type { Extraction } from '../../extract/index.ts';
import { ARCHIVES, type Command, DOCUMENT_OPTIONS, DONE, FAILED, JSON_OPTION, MEDIA, usageError } from '../command.ts';
import { documentHints, nameOf, type Outcome, placeAsJson } from '../documents/document.ts';
import { outcomesOf } from '../documents/outcomes.ts';
import { createPool } from '../documents/pool.ts';
import { STDIN, walk } from '../documents/walk.ts';
import { print, printable, printJson, warn } from '../terminal/output.ts';
import { createProgress } from '../terminal/progress.ts';

/** How many documents may wait for an earlier one to be printed. */
const WINDOW = 8;

/** `simhash-doc extract`: the texts of documents. */
export const extract: Command = {
  name: 'extract',
  summary: 'Print the text of documents',
  usage: '[OPTION…] [PATH…|-]',
  details: [
    `Prints the text of which hash makes the fingerprint. PATH is as for hash.`,
    `${MEDIA}
${ARCHIVES}`,
    `Where there may be several documents, a line ==> NAME <== stands before each text.`,
    `With --json, an object with the keys path, mediaType, extractor, charset (null where there is none), warnings, text;
or path, error: { code, message }. For a document in an archive, member, recordId and date are as with hash --json.`,
    'Exit code: 0 all texts were extracted, 1 some were not or no document was found, 2 wrong usage.',
  ],
  options: [...DOCUMENT_OPTIONS, JSON_OPTION, { name: 'quiet', short: 'q', help: 'show no progress' }],

  async run(args) {
    const hints = await documentHints(args);
    const json = args.flag('json');
    const roots = args.positionals.length === 0 ? [STDIN] : args.positionals;
    if (roots.filter((root) => root === STDIN).length > 1) throw usageError('- (standard input) can be read once only');
    const progress = createProgress(process.stderr, args.flag('quiet'));
    let done = 0;
    let failures = 0;
    let printed = 0;
    const show = (): void => progress.update(done, pool.octetsRead());
    const pool = createPool(1, hints, {
      onRead: show,
      onPages: (path, pages, total) => progress.detail(`page ${pages} of ${total} of ${printable(path)}`),
    });
    try {
      for await (const outcome of outcomesOf(walk(roots), pool.extract, pool, WINDOW)) {
        const isAlone = roots.length === 1 && outcome.path === roots[0] && outcome.member === undefined;
        if ('failure' in outcome.result) failures++;
        progress.hide();
        await report(outcome, json, isAlone, printed === 0);
        done++;
        if (!('failure' in outcome.result)) printed++;
        show();
      }
    } finally {
      progress.end();
      await pool.close();
    }
    if (done === 0) warn(`no documents found in ${roots.map(printable).join(', ')}`);
    if (failures > 1 && !json) warn(`${failures} of ${pluralize(done, 'document')} failed`);
    return done === 0 || failures > 0 ? FAILED : DONE;
  },
};

/** What a terminal would obey. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

async function report(outcome: Outcome<Extraction>, json: boolean, isAlone: boolean, isFirst: boolean): Promise<void> {
  const { result, warnings } = outcome;
  const name = nameOf(outcome);
  for (const warning of warnings) warn(`${printable(name)}: warning: ${warning}`);
  if ('failure' in result) {
    const { code, message } = result.failure;
    if (json) await printJson({ ...placeAsJson(outcome), error: { code, message } });
    else warn(`${printable(name)}: ${message}`);
    return;
  }
  const { text, mediaType, extractor, charset = null } = result;
  if (json) await printJson({ ...placeAsJson(outcome), mediaType, extractor, charset, warnings, text });
  else {
    const header = isAlone ? '' : `${isFirst ? '' : '\n'}==> ${printable(name)} <==\n`;
    const shown = process.stdout.isTTY ? text.replace(CONTROL, '\uFFFD') : text;
    await print(`${header}${shown}${text === '' || text.endsWith('\n') ? '' : '\n'}`);
  }
}
