import { resolve, sep } from 'node:path';
import { nameOf, type Place } from '../../../documents/outcome.ts';

/** Returns the id of a document of a file: its absolute path, followed by `!` and its name if it is in an archive. */
export function idOf({ path, member }: Place): string {
  return nameOf({ path: resolve(path), member });
}

/** Shows an id: a path in the current folder is relative to it. */
export function shownId(id: string): string {
  const folder = process.cwd();
  const start = folder.endsWith(sep) ? folder : folder + sep;
  return id.startsWith(start) && id.length > start.length ? id.slice(start.length) : id;
}

/** Lists the ids that an argument may mean: itself, or that of a path from the current folder. */
export function idsMeant(argument: string): readonly string[] {
  const ids = [argument, resolve(argument)];
  for (let at = argument.indexOf('!'); at > 0; at = argument.indexOf('!', at + 1))
    ids.push(resolve(argument.slice(0, at)) + argument.slice(at));
  return [...new Set(ids)];
}
