import { escapeHtml } from '../../common/text.ts';
import type { Vector, VectorGroup } from '../../conformance/vector.ts';
import { linkToVector } from '../playground/state.ts';
import { link, relativeLink } from './html.ts';

const PAGE_SIZE = 75;

export type Citations = ReturnType<typeof collectCitations>;

export function collectCitations(groups: readonly VectorGroup[]) {
  const byRule = new Map<string, Vector[]>();
  const byFlag = new Map<string, Vector[]>();
  const places = new Map<string, string>();
  for (const group of groups)
    for (const { path, vectors } of pagesOfGroup(group))
      for (const vector of vectors) {
        places.set(vector.id, `${path}#${vector.id}`);
        for (const rule of vector.rules) byRule.set(rule, [...(byRule.get(rule) ?? []), vector]);
        for (const flag of vector.flags) byFlag.set(flag, [...(byFlag.get(flag) ?? []), vector]);
      }
  const placeOf = (id: string): string => places.get(id)!;
  return {
    vectorsOfRule: (rule: string): readonly Vector[] => byRule.get(rule) ?? [],
    vectorsOfFlag: (flag: string): readonly Vector[] => byFlag.get(flag) ?? [],
    placeOf,
    list(page: string, vectors: readonly Vector[]): string {
      const items = vectors.map(({ id, title }) => {
        const place = link(relativeLink(page, placeOf(id)), escapeHtml(id));
        return `<li>${place} ${playgroundLink(page, id)} ${escapeHtml(title)}</li>`;
      });
      return `<ul class="cases">\n${items.join('\n')}\n</ul>`;
    },
  };
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
