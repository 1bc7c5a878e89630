/** Matches the beginning of the page with the groups. */
export const PAGE_MARK =
  /^<!doctype html>\n[\s\S]*?\n<title>simhash-doc: [\d,]+ groups? among [\d,]+ documents?<\/title>\n/;

export const STYLE = `:root {
  color-scheme: light dark;
  --text: light-dark(#1b1b1b, #e8e8e8); --back: light-dark(#fff, #161616); --line: light-dark(#c8c8c8, #4a4a4a);
  --faint: light-dark(#595959, #a8a8a8); --link: light-dark(#0b4fa8, #8ab8ff);
  --old: light-dark(#8a0d20, #ffb1ac); --old-back: light-dark(#fde8e8, #43191b);
  --new: light-dark(#0b5a22, #8fe3a3); --new-back: light-dark(#e2f5e6, #153a20);
}
body { margin: 0 auto; max-width: 80rem; padding: 0 1rem 3rem; color: var(--text); background: var(--back); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin-bottom: .5rem; }
h2 { font-size: 1.1rem; margin: 0 0 .5rem; }
a { color: var(--link); }
code { font-size: .9em; overflow-wrap: anywhere; }
ul { margin: 0; padding: 0; list-style: none; }
li { margin: .5rem 0; }
.remarks, .note { color: var(--faint); font-size: .875rem; }
.note { margin: .5rem 0; }
.differs { color: var(--old); }
#tools { position: sticky; top: 0; z-index: 1; padding: .5rem 0; background: var(--back); border-bottom: 1px solid var(--line); }
#tools:not([hidden]) { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; }
#filter { font: inherit; flex: 1 1 16rem; min-width: 0; padding: .25rem .5rem; }
#tools p { flex-basis: 100%; margin: 0; }
section { padding: .75rem; border-top: 1px solid var(--line); scroll-margin-top: 7rem; content-visibility: auto; contain-intrinsic-size: auto 10rem; }
section:focus { outline: 2px solid var(--link); outline-offset: -2px; }
summary { cursor: pointer; }
table { width: 100%; table-layout: fixed; border-collapse: collapse; margin: .5rem 0; font-size: .9rem; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: start; vertical-align: top; overflow-wrap: anywhere; }
td { white-space: pre-line; }
del, ins { border-radius: .2em; padding: 0 .1em; }
del { color: var(--old); background: var(--old-back); text-decoration: line-through; }
ins { color: var(--new); background: var(--new-back); text-decoration: underline; }
.gap { color: var(--faint); }
@media print {
  #tools:not([hidden]) { display: none; }
  section { content-visibility: visible; padding: .75rem 0; }
  h2 { break-after: avoid; }
  tr { break-inside: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
}`;

/** The script of the page, for the filter and the keys only. */
export const SCRIPT = `'use strict';
const [tools, filter, keys, count] = ['tools', 'filter', 'keys', 'count'].map((id) => document.getElementById(id));
const sections = [...document.querySelectorAll('section')];
const texts = [];
const textOf = (index) => texts[index] ??= [tools.dataset.label, ...[...sections[index].querySelectorAll('h2, .about')]
  .map((element) => element.textContent)].join(' ').toLowerCase();

const UNITS = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };
function testOf(word) {
  const [, sign, number, unit] = /^([<>])(\\d+(?:\\.\\d+)?)([kmgt]?)(?:i?b)?$/.exec(word) ?? [];
  if (sign === undefined) return (index) => textOf(index).includes(word);
  const limit = number * UNITS[unit];
  return (index) => {
    const size = Number(sections[index].dataset.size);
    return sign === '>' ? size > limit : size < limit;
  };
}

function apply() {
  const tests = filter.value.toLowerCase().split(/\\s+/).filter((word) => word !== '').map(testOf);
  let shown = 0;
  sections.forEach((section, index) => {
    section.hidden = !tests.every((test) => test(index));
    if (!section.hidden) shown++;
  });
  const all = sections.length.toLocaleString('en-US');
  count.textContent = tests.length === 0 ? \`\${all} shown\` : \`\${shown.toLocaleString('en-US')} of \${all} shown\`;
}

function move(step) {
  const visible = sections.filter(({ hidden }) => !hidden);
  const current = visible.indexOf(document.activeElement.closest('section'));
  const next = visible[current < 0 ? 0 : Math.min(Math.max(current + step, 0), visible.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: 'start' });
}

function toggle(section) {
  const all = [...section.querySelectorAll('details')];
  const open = !all.every((each) => each.open);
  for (const each of all) each.open = open;
}

function press(event) {
  const { key, target } = event;
  if (target === filter) {
    if (key === 'Escape') {
      filter.value = '';
      apply();
    } else if (key === 'Enter' || key === 'ArrowDown') move(1);
    else return false;
  } else if (!keys.checked) return false;
  else if (key === 'j') move(1);
  else if (key === 'k') move(-1);
  else if (key === '/') filter.focus();
  else if (target.tagName !== 'SECTION') return false;
  else if (key === 'ArrowDown') move(1);
  else if (key === 'ArrowUp') move(-1);
  else if (key === 'Enter') toggle(target);
  else return false;
  return true;
}

let closed = [];
filter.addEventListener('input', apply);
addEventListener('pageshow', apply);
addEventListener('keydown', (event) => {
  if (!event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing && press(event)) event.preventDefault();
});
addEventListener('beforeprint', () => {
  closed = [...document.querySelectorAll('details:not([open])')];
  for (const each of closed) each.open = true;
});
addEventListener('afterprint', () => {
  for (const each of closed) each.open = false;
});
tools.hidden = false;
apply();
`;
