import { loadRules } from '../../conformance/suite/rules.ts';

/** The kinds of rules in the order of the steps, then those that belong to no step. */
const KINDS = 'EXT HTM MED DEC CLS NRM LOC TOK BIG STP HSH SIM MIN SER LAB CMP TAB LKP ERR GRD VER IDX CAR SEC'.split(
  ' ',
);

/** Compares two rules by their steps, then by their numbers. */
function compareRules(a: string, b: string): number {
  const placeOf = (id: string): number => KINDS.indexOf(id.slice(0, 3)) * 1000 + Number(id.slice(4));
  return placeOf(a) - placeOf(b);
}

/** Writes the index of the rules, as a document beside spec/. */
export function makeRuleIndex(): string {
  const rules = [...loadRules().values()].sort((a, b) => compareRules(a.id, b.id));
  const rows = rules.map(({ id, origin, section, link }) => [`[${id}](${link.replace('spec/', '')})`, origin, section]);
  return `# Rules of simhash-doc

Rules are in the order of the steps; those of no step come last.
Rules that the proposal states are listed in [rationale.md](rationale.md#origins), with its words.

| Rule | Origin | Section |
|---|---|---|
${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}
`;
}
