import { basename } from 'node:path';

/** The words that started this program, for commands that can be typed as they are printed; `script` is what Node runs. */
export function programName(script = process.argv[1] ?? '', env: NodeJS.ProcessEnv = process.env): string {
  const { npm_lifecycle_event: event } = env;
  if (event === 'start' && basename(script, '.js') === 'start') return 'npm start --';
  return event === 'npx' ? 'npx simhash-doc' : 'simhash-doc';
}

export function quoteWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
