import type { Vector, VectorGroup, VectorOf } from '../types.ts';

/** The end of the id of a document that a vector of a step has. */
const SUFFIX = '/document';

/** The first version of the suite had no documents of steps; the second added them to its vectors. */
const [FIRST, SECOND] = ['0.1.0', '0.2.0'];

export function isDocumentOfStep(id: string): boolean {
  return id.endsWith(SUFFIX) && id.indexOf('/') !== id.lastIndexOf('/');
}

/** Finds the vector that an id stands for: itself, or the one whose document it is. */
export function idOfVector(id: string): string {
  return isDocumentOfStep(id) ? id.slice(0, -SUFFIX.length) : id;
}

/** Makes the vector that asks for the fingerprint of a step's input (spec/conformance.md, "Documents of steps"). */
function documentOf({ id, since, status, title, rules, flags, input, document, agrees }: Vector): Vector[] {
  if (document === undefined) return [];
  const made = {
    id: id + SUFFIX,
    since: since === FIRST ? SECOND : since,
    ...(status !== undefined && { status }),
    operation: 'fingerprint',
    title: `As a document: ${title}`,
    ...{ rules, flags, input, expected: { fingerprint: document }, agrees },
  };
  return [made as VectorOf<'fingerprint'>];
}

/** Adds the documents of steps after the vectors of their group, so that a report shows failures of the step itself first. */
export function withDocuments(groups: readonly VectorGroup[]): VectorGroup[] {
  return groups.map((group) => ({
    ...group,
    vectors: [...group.vectors, ...group.vectors.flatMap(documentOf)],
  }));
}
