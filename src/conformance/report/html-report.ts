import { escapeHtml, joinWithAnd, pluralize } from '../../common/text.ts';
import { wrongValue } from '../../errors.ts';
import { LABEL } from '../../index.ts';
import { assertList, assertShape } from '../checks.ts';
import { nameOfResemblance, titleOfResemblance } from '../diagnosis/resemblance.ts';
import { type Counts, isFailure, nameOfClass } from '../judge/conformance-classes.ts';
import type { Results, VectorResult } from '../records/results-file.ts';
import { namedStep, namedSteps } from './printable-text.ts';
import { aboutClass, countByGroup, describeFunctions, wordOf } from './wording.ts';

/**
 * Writes the results of several implementations side by side as one self-contained HTML page.
 * @param all - the results of one run or more, in the order of the columns
 * @throws TypeError `wrong-type`, RangeError `out-of-range`
 */
export function writeHtml(all: readonly Results[]): string {
  assertList('all', all);
  if (all.length === 0) throw wrongValue('out-of-range', 'all', 'at least one run', all, 'none');
  for (const [i, results] of all.entries()) assertShape('results', results, `all[${i}]`);
  const names = columnNames(all);
  const suites = new Set(all.map(({ suite }) => `${suite.version} ${suite.digest}`));
  const title = `Conformance to ${LABEL}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${html(title)}</title>
<style>
${STYLE}
</style>
</head>
<body>
<main>
<h1>${html(title)}</h1>
${suites.size > 1 ? '<p class="note"><strong>These results are of different suites of vectors. Compare them with care.</strong></p>\n' : ''}<p>✓ all passed, ✗ some failed, – not offered or not run. Counts are passed vectors of those that were answered.</p>
${classes(all, names)}
${groups(all, names)}
${diagnoses(all, names)}
${identities(all, names)}
${failures(all, names)}
</main>
</body>
</html>
`;
}

const STYLE = `:root {
  --text: #1b1b1b; --back: #fff; --line: #c8c8c8; --head: #f1f1f1; --faint: #5a5a5a;
  --good: #0b6b2e; --good-back: #e3f4e8; --bad: #a11212; --bad-back: #fbe7e7; --none-back: #f4f4f4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e8e8e8; --back: #161616; --line: #4a4a4a; --head: #242424; --faint: #a8a8a8;
    --good: #7fdc9b; --good-back: #14301d; --bad: #ff9d9d; --bad-back: #3a1616; --none-back: #202020;
  }
}
body { margin: 0; color: var(--text); background: var(--back); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 80rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
table { width: 100%; table-layout: fixed; border-collapse: collapse; }
caption { text-align: left; color: var(--faint); padding-bottom: .5rem; }
th, td { border: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
thead th:first-child { width: 30%; }
thead th, tbody th { background: var(--head); }
td { font-variant-numeric: tabular-nums; }
.good { color: var(--good); background: var(--good-back); }
.bad { color: var(--bad); background: var(--bad-back); font-weight: 600; }
.none { color: var(--faint); background: var(--none-back); }
.note { border-left: .3rem solid var(--bad); padding-left: .8rem; }
code { font-size: .9em; overflow-wrap: anywhere; }
small { color: var(--faint); font-weight: 400; }
a { color: inherit; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: 1rem; padding: 0; list-style: none; }
.cards li { border: 1px solid var(--line); padding: .5rem .8rem; }
.cards h3 { margin: 0; font-size: 1rem; }
.cards dl { display: grid; grid-template-columns: auto 1fr; gap: 0 .8rem; margin: .3rem 0 0; font-size: .875rem; }
dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
.many { font-size: .875rem; }
.many th, .many td { padding: .2rem; }
.many thead th { font-weight: 400; vertical-align: bottom; }
.many thead th:first-child { width: 20%; }
.many thead th + th span { display: inline-block; writing-mode: vertical-rl; line-height: 1; max-height: 14rem; }
@media (max-width: 60rem) {
  main { padding: .75rem; }
  .many thead th:first-child { width: 35%; }
  .many th, .many td { padding: .1rem; text-align: center; }
  .many tbody th { text-align: left; }
  .many .more { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
}`;

const linkTo = (id: string): string => `https://simhash-doc.example/index.html#vector=${encodeURIComponent(id)}`;

/** The number of columns from which on only symbols fit a narrow screen. */
const MANY = 5;

/** Escapes a text for HTML. Characters that HTML does not allow, or that change the order of the text, become U+FFFD. */
function html(text: string): string {
  return escapeHtml(
    text.replace(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, '\ufffd'),
  );
}

function columnNames(all: readonly Results[]): string[] {
  const adapters = all.map(({ adapter }) => adapter);
  return adapters.map(({ name, version }, i) => {
    const namesakes = adapters.filter((each) => each.name === name);
    if (namesakes.length === 1) return name;
    const isOnly = namesakes.filter((each) => each.version === version).length === 1;
    return `${name} ${version}${isOnly ? '' : ` (${i + 1})`}`;
  });
}

function table(caption: string, corner: string, names: readonly string[], rows: readonly Row[]): string {
  const head = names.map((name) => `<th scope="col"><span>${html(name)}</span></th>`).join('');
  const body = rows.map(([name, ...cells]) => `<tr><th scope="row">${name}</th>${cells.join('')}</tr>`).join('\n');
  return `<table${names.length < MANY ? '' : ' class="many"'}>
<caption>${html(caption)}</caption>
<thead>
<tr><th scope="col">${html(corner)}</th>${head}</tr>
</thead>
<tbody>
${body}
</tbody>
</table>`;
}

/** The name and whole cells, all in HTML. */
type Row = readonly [name: string, ...cells: string[]];

/** Makes a cell; its content begins with a symbol, which links to a vector, and which a narrow screen shows alone. */
function cell(kind: 'good' | 'bad' | 'none', content: string, id?: string): string {
  const [symbol, more] = [content.slice(0, 1), content.slice(1)];
  const mark =
    id === undefined ? symbol : `<a href="${linkTo(id)}" aria-label="${symbol} the vector ${html(id)}">${symbol}</a>`;
  return `<td class="${kind}">${mark}<span class="more">${more}</span></td>`;
}

function identities(all: readonly Results[], names: readonly string[]): string {
  const cards = all.map(({ adapter, suite, selection, date }, i) => {
    const facts = [
      ['Version', html(adapter.version)],
      ['Language', html(adapter.language)],
      ['Unicode of NFC', html(adapter.unicode ?? 'not known')],
      ['Declines', html(joinWithAnd(adapter.declines ?? []) || 'nothing')],
      ['Functions', html(describeFunctions(adapter))],
      ['Command', `<code>${html(adapter.command.join(' '))}</code>`],
      ['Vectors', `${html(suite.version)} <small><code>${html(suite.digest.slice(0, 12))}</code></small>`],
      ['Part', selection === null ? 'all' : html(selection)],
      ['Date', `<time datetime="${html(date)}">${html(date)}</time>`],
    ];
    const list = facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('\n');
    return `<li><h3>${html(names[i]!)}</h3>\n<dl>\n${list}\n</dl></li>`;
  });
  return `<h2 id="implementations">What was tested, and with which vectors</h2>
<ul class="cards">
${cards.join('\n')}
</ul>`;
}

function classes(all: readonly Results[], names: readonly string[]): string {
  const known = [...new Set(all.flatMap((results) => results.classes.map(nameOfClass)))];
  const rows = known.map(
    (name): Row => [
      html(name),
      ...all.map(({ classes, selection }) => {
        const found = classes.find((each) => nameOfClass(each) === name);
        if (found === undefined) return cell('none', '–');
        const about = `<br><small>${html(aboutClass(found, selection !== null))}</small>`;
        if (found.verdict === 'conforms') return cell('good', `✓ ${wordOf(found)}${about}`);
        return found.verdict === 'fails'
          ? cell('bad', `✗ fails${about}`, found.firstFailure)
          : cell('none', `– not tested${about}`);
      }),
    ],
  );
  return `<h2 id="classes">Conformance classes</h2>
${table('Verdict for each conformance class', 'Class', names, rows)}`;
}

function countsOf({ groups, vectors }: Results): ReadonlyMap<string, Counts> {
  if (groups !== undefined) return new Map(Object.entries(groups));
  return countByGroup(
    Object.entries(vectors).map(([id, { status }]) => ({ group: id.slice(0, id.indexOf('/')), status })),
  );
}

function countsCell(counts: Counts | undefined, firstFailure?: string): string {
  if (counts === undefined) return cell('none', '– not run');
  const { passed, failed, unsupported, notRun } = counts;
  const silent = [
    unsupported > 0 ? `<br><small>${unsupported} not offered</small>` : '',
    notRun > 0 ? `<br><small>${notRun} not run</small>` : '',
  ].join('');
  if (passed + failed === 0) return cell('none', notRun > 0 ? '– not run' : '– not offered');
  const of = `${passed} of ${passed + failed}${silent}`;
  return failed > 0 ? cell('bad', `✗ ${of}`, firstFailure) : cell('good', `✓ ${of}`);
}

function groups(all: readonly Results[], names: readonly string[]): string {
  const counts = all.map(countsOf);
  const known = [...new Set(counts.flatMap((each) => [...each.keys()]))];
  const firstOf = ({ vectors }: Results, start = ''): string | undefined =>
    Object.keys(vectors).find((id) => id.startsWith(start) && isFailure(vectors[id]!));
  const groupCells = (name: string): string[] =>
    all.map((results, i) => countsCell(counts[i]!.get(name), firstOf(results, `${name}/`)));
  const randomCells = all.map(({ random }) => {
    if (random == null || random.compared === 0) return cell('none', '– not run');
    const seed = `<br><small>seed ${random.seed}</small>`;
    return random.disagreements > 0
      ? cell('bad', `✗ ${random.disagreements} differ${seed}`)
      : cell('good', `✓ ${pluralize(random.compared, 'case')}${seed}`);
  });
  const rows: Row[] = [
    ...known.map((name): Row => [html(name), ...groupCells(name)]),
    ['all vectors', ...all.map((results) => countsCell(results.counts, firstOf(results)))],
    ['random cases', ...randomCells],
  ];
  return `<h2 id="groups">Groups</h2>
${table('Vectors passed in each group', 'Group', names, rows)}`;
}

function diagnoses(all: readonly Results[], names: readonly string[]): string {
  const items = all.flatMap(({ firstStep, resemblances, grade }, i) => {
    const sentences: string[] = [];
    if (firstStep != null) {
      const right = firstStep.right.length > 0 ? `; given correct input, ${namedSteps(firstStep.right)} right` : '';
      sentences.push(`first goes wrong in ${namedStep(firstStep.step)}${right}`);
    }
    for (const each of resemblances ?? [])
      sentences.push(
        `fails like ${nameOfResemblance(each)} on ${each.same} of ${each.failed}: ${titleOfResemblance(each)}`,
      );
    if (grade?.largest != null && grade.largest > 0)
      sentences.push(
        `distance of fingerprints from the reference: mean ${grade.mean?.toFixed(2)}, largest ${grade.largest}`,
      );
    return sentences.length === 0
      ? []
      : [`<dt>${html(names[i]!)}</dt>\n${sentences.map((each) => `<dd>${html(each)}</dd>`).join('\n')}`];
  });
  return items.length === 0 ? '' : `<h2 id="diagnosis">What goes wrong</h2>\n<dl>\n${items.join('\n')}\n</dl>`;
}

const WORDS: Readonly<Record<VectorResult['status'], string>> = {
  pass: '✓ passed',
  fail: '✗ wrong',
  unsupported: '– not offered',
  crash: '✗ crashed',
  timeout: '✗ no answer',
  protocol: '✗ broke the protocol',
  'not-run': '– not run',
};

function failures(all: readonly Results[], names: readonly string[]): string {
  const failing = (result: VectorResult | undefined): boolean =>
    result !== undefined && result.status !== 'pass' && result.status !== 'unsupported';
  const ids = [...new Set(all.flatMap(({ vectors }) => Object.keys(vectors)))].filter((id) =>
    all.some(({ vectors }) => failing(vectors[id])),
  );
  const unlisted = all.flatMap(({ groups }, i) => (groups === undefined ? [] : [html(names[i]!)]));
  const note = unlisted.length === 0 ? '' : `\n<p>Summaries without single vectors: ${joinWithAnd(unlisted)}.</p>`;
  if (ids.length === 0) {
    const none = unlisted.length === all.length ? '' : '\n<p>None.</p>';
    return `<h2 id="failures">Failing vectors</h2>${none}${note}`;
  }
  const rows = ids.map((id): Row => {
    const title = all.map(({ vectors }) => vectors[id]?.title).find((each) => each !== undefined) ?? '';
    const cells = all.map(({ groups, vectors }) => {
      const result = vectors[id];
      if (result === undefined) return cell('none', groups === undefined ? '– not run' : '– not listed');
      const kind = result.status === 'pass' ? 'good' : failing(result) ? 'bad' : 'none';
      const about = result.outcome ?? result.detail;
      return cell(kind, `${WORDS[result.status]}${about === undefined ? '' : `<br><small>${html(about)}</small>`}`, id);
    });
    return [`<a href="${linkTo(id)}"><code>${html(id)}</code></a><br><small>${html(title)}</small>`, ...cells];
  });
  return `<h2 id="failures">Failing vectors</h2>${note}
${table(`${pluralize(ids.length, 'vector')} that at least one implementation fails`, 'Vector', names, rows)}`;
}
