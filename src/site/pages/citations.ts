import { escapeHtml } from '../../common/text.ts';
import type { Vector, VectorGroup } from '../../conformance/types.ts';
import { linkToVector } from '../playground/state.ts';
import { link, relativeLink } from './html.ts';

const PAGE_SIZE = 75;

export interface Citations {
  readonly vectorsOfRule: (rule: string) => readonly Vector[];
  readonly vectorsOfFlag: (flag: string) => readonly Vector[];
  readonly placeOf: (id: string) => string;
  /** Writes a list of vectors for a page, with links to their cases and into the playground. */
  readonly list: (page: string, vectors: readonly Vector[]) => string;
}

export function collectCitations(groups: readonly VectorGroup[]): Citations {
  const byRule = new Map<string, Vector[]>();
  const byFlag = new Map<string, Vector[]>();
  const places = new Map<string, string>();
  for (const group of groups)
    for (const { path, vectors } of pagesOfGroup(group))
      for (const vector of vectors) {
        places.set(vector.id, `${path}#${vector.id}`);
        for (const rule of vector.rules) append(byRule, rule, vector);
        for (const flag of vector.flags) append(byFlag, flag, vector);
      }
  const placeOf = (id: string): string => places.get(id)!;
  return {
    vectorsOfRule: (rule) => byRule.get(rule) ?? [],
    vectorsOfFlag: (flag) => byFlag.get(flag) ?? [],
    placeOf,
    list: (page, vectors) => {
      const items = vectors.map(({ id, title }) => {
        const place = link(relativeLink(page, placeOf(id)), escapeHtml(id));
        return `<li>${place} ${playgroundLink(page, id)} ${escapeHtml(title)}</li>`;
      });
      return `<ul class="cases">\n${items.join('\n')}\n</ul>`;
    },
  };
}

function append(map: Map<string, Vector[]>, key: string, vector: Vector): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [vector]);
  else list.push(vector);
}

export function pagesOfGroup({ group, vectors }: VectorGroup): { path: string; vectors: readonly Vector[] }[] {
  const count = Math.ceil(vectors.length / PAGE_SIZE);
  const size = Math.ceil(vectors.length / count);
  return Array.from({ length: count }, (_, i) => ({
    path: `vectors/${group}${i === 0 ? '' : `-${i + 1}`}.html`,
    vectors: vectors.slice(i * size, (i + 1) * size),
  }));
}

export function playgroundLink(page: string, id: string): string {
  const href = relativeLink(page, linkToVector(id));
  return `<a class="open" href="${escapeHtml(href)}">open in the playground</a>`;
}
