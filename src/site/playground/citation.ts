import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Citation {
  readonly authors: string;
  readonly title: string;
  readonly version: string;
  readonly date: string;
  readonly url: string;
}

export function citationOf(root: URL, date = dateOfSpecification(root)): Citation {
  const cff = readFileSync(new URL('CITATION.cff', root), 'utf8');
  const field = (name: string): string => new RegExp(`^ *(?:- )?${name}: "?(.+?)"?$`, 'm').exec(cff)![1]!;
  return { authors: field('name'), title: field('title'), version: field('version'), url: field('url'), date };
}

export function citationText({ authors, title, version, date }: Citation): string {
  return `${authors}: ${title}, version ${version}, ${date.slice(0, 4)}.`;
}

export function bibtexOf({ authors, title, version, date, url }: Citation): string {
  return `@software{simhash-doc,
  author = {{${authors}}},
  title = {{${title}}},
  version = {${version}},
  year = {${date.slice(0, 4)}},
  url = {${url}}
}`;
}

/** Returns the date of the last change of the specification; the current date outside a repository. */
function dateOfSpecification(root: URL): string {
  try {
    const date = execFileSync('git', ['log', '-1', '--format=%cs', '--', 'spec'], {
      cwd: root,
      encoding: 'utf8',
    }).trim();
    if (date !== '') return date;
  } catch {
    // Not a repository, or no git.
  }
  return new Date().toISOString().slice(0, 10);
}
