import { writeFileSync } from 'node:fs';
import { readResults, writeHtml } from '../../../conformance/index.ts';
import { type Arguments, DONE, usageError } from '../../command.ts';
import { print } from '../../terminal/output.ts';
import { checkWritable, readInput } from './arguments.ts';

/** Writes a page that compares the results of several implementations. */
export async function report(args: Arguments): Promise<number> {
  const path = args.value('html');
  if (path === undefined) throw usageError('expected --html FILE');
  if (args.positionals.length === 0) throw usageError('expected results files, written by --results');
  const results = args.positionals.map((each) => readInput(each, readResults));
  const page = writeHtml(results);
  if (path === '-') {
    await print(page);
    return DONE;
  }
  checkWritable(path);
  writeFileSync(path, page);
  return DONE;
}
