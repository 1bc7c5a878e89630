import { escapeHtml, formatNumber, pluralize } from '../../common/text.ts';
import { STEP_OF_OPERATION } from '../../conformance/diagnosis/steps.ts';
import { namedStep } from '../../conformance/report/printable-text.ts';
import { loadFlags } from '../../conformance/suite/load-suite.ts';
import { loadRules } from '../../conformance/suite/rules.ts';
import type { VectorGroup } from '../../conformance/vector.ts';
import { type Citations, pagesOfGroup, playgroundLink } from './citations.ts';
import { anchorOfVectors, pageOfDocument } from './documents.ts';
import { code, contentsOf, heading, link, type Page, relativeLink, table } from './html.ts';
import { vectorHtml } from './vector.ts';

const INDEX = 'vectors/index.html';

const WAYS = `<p>By step: this page. ${link('all.html', 'All vectors')} on one page, with a filter. By ${link('flags.html', 'flag')}, the kind of bug that
they detect. By ${link('rules.html', 'rule')} of the specification. ${link('README.html', 'About the vectors')};
${link('CHANGELOG.html', 'what changed')};
${link('KILLS.html', 'wrong implementations')} that they detect.</p>`;

export function renderVectors(groups: readonly VectorGroup[], citations: Citations): Page[] {
  return [
    indexPage(groups),
    allPage(groups, citations),
    flagsPage(citations),
    rulesPage(citations),
    ...groups.flatMap(groupPages),
  ];
}

function indexPage(groups: readonly VectorGroup[]): Page {
  const rows = groups.map((group) => {
    const [step, ...others] = new Set(group.vectors.map(({ operation }) => STEP_OF_OPERATION[operation]));
    return [
      link(`${group.group}.html`, escapeHtml(group.group)),
      step === undefined || others.length > 0 ? 'several' : escapeHtml(namedStep(step)),
      formatNumber(group.vectors.length),
      escapeHtml(group.description),
      link(`${group.group}.json`, 'JSON'),
    ];
  });
  const total = groups.reduce((sum, { vectors }) => sum + vectors.length, 0);
  return {
    path: INDEX,
    title: 'Test vectors',
    description: `${formatNumber(total)} test vectors for implementations of simhash-doc, by step, flag and rule.`,
    section: 'vectors',
    body: `<h1>Test vectors</h1>
<p>${formatNumber(total)} cases say what an implementation has to give. Each names the rules that it tests and the kinds of bug that it detects, and
opens in the playground.</p>
${WAYS}
${table('Groups of vectors', ['Group', 'Step', 'Vectors', 'About', 'File'], rows)}
`,
  };
}

function allPage(groups: readonly VectorGroup[], citations: Citations): Page {
  const page = 'vectors/all.html';
  const rows = groups
    .flatMap(({ vectors }) => vectors)
    .map(({ id, title, rules, flags }) => [
      `${link(relativeLink(page, citations.placeOf(id)), escapeHtml(id))} ${playgroundLink(page, id)}`,
      escapeHtml(title),
      escapeHtml(rules.join(' ')),
      escapeHtml(flags.join(' ')),
    ]);
  return {
    path: page,
    title: 'All test vectors',
    description: 'All test vectors of simhash-doc in one table.',
    section: 'vectors',
    body: `<h1>All vectors</h1>
<div data-filter="tbody tr" data-filter-label="Filter by name, title, rule or flag">
${table('All vectors', ['Vector', 'What it tests', 'Rules', 'Flags'], rows)}
</div>
`,
  };
}

function flagsPage(citations: Citations): Page {
  const page = 'vectors/flags.html';
  const flags = loadFlags();
  const sections = flags.map(({ name, kind, effect }) => {
    const vectors = citations.vectorsOfFlag(name);
    return `<section>
${heading({ id: name, title: escapeHtml(name), depth: 2 })}<p>The bug: ${escapeHtml(kind)}. Its effect: ${escapeHtml(effect)}.</p>
<details><summary>${pluralize(vectors.length, 'vector')}</summary>
${citations.list(page, vectors)}
</details>
</section>`;
  });
  return {
    path: page,
    title: 'Test vectors by flag',
    description: 'The kinds of bug that the test vectors of simhash-doc detect, with the vectors of each.',
    section: 'vectors',
    body: `<h1>Vectors by flag</h1>
<p>A flag is a kind of bug that a vector detects.</p>
<div data-filter="section" data-filter-label="Filter flags and vectors">
${sections.join('\n')}
</div>
`,
    contents: contentsOf(flags.map(({ name }) => ({ id: name, title: escapeHtml(name), depth: 2 }))),
  };
}

function rulesPage(citations: Citations): Page {
  const page = 'vectors/rules.html';
  const rows = [...loadRules().values()].map((rule) => {
    const vectors = citations.vectorsOfRule(rule.id);
    const document = pageOfDocument(rule.link.split('#')[0]!);
    const lists = relativeLink(page, `${document}#${anchorOfVectors(rule.id)}`);
    return [
      link(relativeLink(page, `${document}#${rule.id}`), rule.id),
      link(lists, pluralize(vectors.length, 'vector')),
      escapeHtml(rule.section),
      escapeHtml(rule.text),
    ];
  });
  return {
    path: page,
    title: 'Test vectors by rule',
    description: 'The rules of simhash-doc, each with the test vectors that cite it.',
    section: 'vectors',
    body: `<h1>Vectors by rule</h1>
<div data-filter="tbody tr" data-filter-label="Filter rules">
${table('Rules', ['Rule', 'Vectors', 'Section', 'Text'], rows)}
</div>
`,
  };
}

function groupPages(group: VectorGroup): Page[] {
  const pages = pagesOfGroup(group);
  const rules = loadRules();
  const placeOfRule = (rule: string): string => {
    const [file, anchor] = rules.get(rule)!.link.split('#') as [string, string];
    return `${pageOfDocument(file)}#${anchor}`;
  };
  const paths = pages.map(({ path }) => path);
  return pages.map(({ path, vectors }, i) => {
    const numbers = pagination(paths, path);
    const part = pages.length === 1 ? '' : ` (${i + 1} of ${pages.length})`;
    return {
      path,
      title: `Vectors: ${group.group}${part}`,
      description: `Test vectors of simhash-doc, group ${group.group}${part}: ${group.description}`,
      section: 'vectors',
      body: `<h1>Vectors: ${escapeHtml(group.group)}${part}</h1>
<p>${escapeHtml(group.description)} ${link('index.html', 'All groups')}; ${link(`${group.group}.json`, 'the file')}. Each case has its input and
the expected result; ${code('‹U+0308›')} stands for a character that is hard to see.</p>
${numbers}<div data-filter="article" data-filter-label="Filter the cases of this page">
${vectors.map((vector) => vectorHtml(vector, { page: path, placeOfRule })).join('')}</div>
${numbers}`,
      contents: contentsOf(
        vectors.map(({ id }) => ({ id, title: escapeHtml(id.slice(id.indexOf('/') + 1)), depth: 2 })),
      ),
    };
  });
}

function pagination(paths: readonly string[], current: string): string {
  if (paths.length === 1) return '';
  const items = paths.map((path, i) =>
    path === current ? `<b>${i + 1}</b>` : link(relativeLink(current, path), `${i + 1}`),
  );
  return `<p class="pages">Pages: ${items.join(' ')}</p>\n`;
}
