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
.about { display: inline; }
dl { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: .5rem 0; }
dt { color: var(--faint); font-size: .875rem; }
dd { margin: 0; font-size: 1.25rem; font-weight: 600; }
svg { display: block; width: min(100%, 25rem); height: auto; }
path { stroke: var(--line); }
circle { fill: var(--link); fill-opacity: .7; }
text { fill: var(--faint); font-size: 12px; }
text:last-child { text-anchor: end; }
button { font: inherit; }
.remarks, .note { color: var(--faint); font-size: .875rem; }
.note { margin: .5rem 0; }
.differs { color: var(--old); }
#tools { position: sticky; top: 0; z-index: 1; padding: .5rem 0; background: var(--back); border-bottom: 1px solid var(--line); }
#tools:not([hidden]) { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; }
#filter { font: inherit; flex: 1 1 16rem; min-width: 0; padding: .25rem .5rem; }
#tools p { flex-basis: 100%; margin: 0; }
section { padding: .75rem; border-top: 1px solid var(--line); scroll-margin-top: 7rem; content-visibility: auto; contain-intrinsic-size: auto 10rem; }
main.one section:not(.current) { display: none; }
section:focus { outline: 2px solid var(--link); outline-offset: -2px; }
summary { cursor: pointer; }
table { width: 100%; table-layout: fixed; border-collapse: collapse; margin: .5rem 0; font-size: .9rem; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: start; vertical-align: top; overflow-wrap: anywhere; }
td { white-space: pre-line; }
del, ins { border-radius: .2em; padding: 0 .1em; }
del { color: var(--old); background: var(--old-back); text-decoration: line-through; }
ins { color: var(--new); background: var(--new-back); text-decoration: underline; }
.gap { color: var(--faint); }
#removal { position: sticky; bottom: 0; padding: .5rem 0; background: var(--back); border-top: 1px solid var(--line); }
#removal p { margin: 0; }
pre { max-height: 4.5em; margin: .25rem 0 0; overflow: auto; font-size: .875rem; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  #tools { position: static; }
  #hint { display: none; }
  section { scroll-margin-top: 0; }
}
@media print {
  #tools:not([hidden]), #removal, .remove { display: none; }
  main.one section:not(.current) { display: block; }
  section { content-visibility: visible; padding: .75rem 0; }
  h2 { break-after: avoid; }
  tr { break-inside: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
}`;

/** The script of the page: one group at a time, the filter, the keys, and the command. */
export const SCRIPT = `'use strict';
const [tools, filter, keys, one, count, removal, ticked, command, copy] = ['tools', 'filter', 'keys', 'one', 'count', 'removal',
  'ticked', 'command', 'copy'].map((id) => document.getElementById(id));
const main = document.querySelector('main');
const sections = [...document.querySelectorAll('section')];
const boxes = [...document.querySelectorAll('.remove')];
const texts = [];
const textOf = (index) => texts[index] ??= [tools.dataset.label, ...[...sections[index].querySelectorAll('h2, .about')]
  .map((element) => element.textContent)].join(' ').toLowerCase();
const show = (number) => number.toLocaleString('en-US');

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

let visible = sections;
let current;
function apply() {
  const tests = filter.value.toLowerCase().split(/\\s+/).filter((word) => word !== '').map(testOf);
  visible = sections.filter((section, index) => {
    section.hidden = !tests.every((test) => test(index));
    return !section.hidden;
  });
  choose(visible.includes(current) ? current : visible[0]);
}

function choose(section) {
  current?.classList.remove('current');
  current = section;
  current?.classList.add('current');
  if (one.checked) for (const each of current?.querySelectorAll('details') ?? []) each.open = true;
  const shown = visible.length === sections.length ? show(sections.length) : \`\${show(visible.length)} of \${show(sections.length)}\`;
  count.textContent = one.checked && visible.length > 0 ? \`\${show(visible.indexOf(current) + 1)} of \${show(visible.length)} shown\` : \`\${shown} shown\`;
}

function move(step) {
  const from = visible.indexOf(one.checked ? current : document.activeElement.closest('section'));
  // The first one is there already, if nothing else has the focus.
  const isFirst = from < 0 || (one.checked && step > 0 && document.activeElement === filter);
  choose(visible[isFirst ? Math.max(from, 0) : Math.min(Math.max(from + step, 0), visible.length - 1)]);
  current?.focus();
  current?.scrollIntoView({ block: 'start' });
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

// The page may have moved with the files that it links to.
const pathOf = (box) => decodeURIComponent(new URL(box.nextElementSibling.querySelector('a').href).pathname);

/** Writes the command for a POSIX shell: in single quotes, only a single quote has a meaning. */
function writeCommand() {
  const chosen = boxes.filter((box) => box.checked);
  const size = chosen.reduce((sum, box) => sum + Number(box.dataset.size), 0);
  const paths = chosen.map((box) => "'" + pathOf(box).replaceAll("'", "'\\\\''") + "'");
  ticked.textContent = \`\${show(chosen.length)} of \${show(boxes.length)} files ticked, \${show(size)} bytes.\`;
  command.textContent = paths.length === 0 ? '' : 'rm -- ' + paths.join(' ');
  copy.disabled = paths.length === 0;
}

async function copyCommand() {
  getSelection().selectAllChildren(command);
  await navigator.clipboard.writeText(command.textContent).then(() => { ticked.textContent += ' Copied.'; },
    () => { ticked.textContent += ' The command is selected: copy it.'; });
}

let closed = [];
filter.addEventListener('input', apply);
one.addEventListener('change', () => {
  main.classList.toggle('one', one.checked);
  apply();
});
document.getElementById('previous').addEventListener('click', () => move(-1));
document.getElementById('next').addEventListener('click', () => move(1));
copy.addEventListener('click', copyCommand);
main.addEventListener('change', writeCommand);
addEventListener('pageshow', () => { apply(); writeCommand(); });
addEventListener('hashchange', () => {
  const section = document.getElementById(location.hash.slice(1));
  if (sections.includes(section)) choose(section);
});
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
removal.hidden = boxes.length === 0;
for (const box of boxes) box.hidden = false;
main.classList.add('one');
apply();
writeCommand();
`;
