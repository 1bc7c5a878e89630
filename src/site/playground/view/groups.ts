import { formatNumber, pluralize } from '../../../common/text.ts';
import { answerOf, DOCUMENT_LABEL, TRUSTED_TOKENS } from '../../../duplicates/answer.ts';
import { serialise, toHex } from '../../../scheme/serialise.ts';
import type { Actions } from '../actions.ts';
import { button, h } from '../dom.ts';
import { type Doc, type State, tokensUnder } from '../store.ts';
import type { ShownMember } from '../worker/tasks.ts';
import { copy } from './copy.ts';
import { capitalise, failureSentence } from './sentences.ts';
import { createView, type View } from './view.ts';

export function createGroups(actions: Actions): View {
  /** The key of the button that opened the view, to which the focus returns. */
  let origin = '';
  /** True while the reader has opened the list of all documents. */
  let isListOpen = false;

  function go(key: string, action: () => void): void {
    origin = key;
    action();
    // The store draws in a microtask, which is queued first.
    queueMicrotask(() => {
      const chosen = view.element.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
      chosen?.focus();
      chosen?.scrollIntoView({ block: 'center' });
    });
  }

  const view: View = createView(
    h('section.groups', { 'aria-labelledby': 'groups-title' }),
    (state) => [state.docs, state.label, state.shown, state.groups],
    (state) => {
      if (state.docs.length < 3) return [];
      if (state.shown.every((id) => id !== 0)) {
        const back = `← Back to all ${state.docs.length} documents`;
        return [
          h('h2', { id: 'groups-title', class: 'visually-hidden' }, 'A pair of the documents'),
          button(back, () => go(origin, actions.showGroups), { 'data-key': origin }),
        ];
      }
      const show = (pane: number, id: number): void => go(`show ${pane} ${id}`, () => actions.show(pane, id));
      const list = documentList(state, actions, show);
      const found = groupList(state, (kept, id) => go(`pair ${kept} ${id}`, () => actions.showPair(kept, id)));
      const ontoggle = (): void => {
        isListOpen = fold.open;
      };
      const summary = h('summary', `All ${pluralize(state.docs.length, 'document')}`);
      const fold = h('details', { open: isListOpen, ontoggle }, summary, list);
      return [...found, fold];
    },
  );
  return view;
}

type Show = (other: number, id: number) => void;

function groupList(state: State, show: Show): HTMLElement[] {
  const { groups = [] } = state;
  const archive = archiveOf(state);
  const title = h('h2', { id: 'groups-title' }, `Groups of near-duplicates${archive === '' ? '' : ` in ${archive}`}`);
  if (groups.length === 0) return [title];
  return [
    title,
    h(
      'p.soft',
      'The first document of each group stands for the others. Choose one of the others to see how it differs.',
    ),
    h(
      'div.group-list',
      groups.map(({ kept, members }) =>
        h(
          'div.group',
          h('p.kept', nameOf(state, kept)),
          h(
            'ul',
            members.map((member) => h('li', memberItem(kept, member, state, show))),
          ),
        ),
      ),
    ),
  ];
}

function memberItem(kept: number, member: ShownMember, state: State, show: Show): HTMLElement[] {
  const { document: id, distance } = member;
  const [finding] = answerOf({ label: DOCUMENT_LABEL, ...member }).sentence.split(';');
  return [
    button(nameOf(state, id), () => show(kept, id), { class: 'plain', 'data-key': `pair ${kept} ${id}` }),
    h('span.soft', ` ${capitalise(finding!)} · distance ${distance}`),
  ];
}

/** The failure of the command for a document without tokens. */
const NO_TOKENS = { code: 'no-tokens', message: 'no letters in the document, so it has no fingerprint' };

function archiveOf({ docs }: State): string {
  const [archive] = docs[0]?.name.split(': ') ?? [];
  return docs.every(({ name }) => name.startsWith(`${archive}: `)) ? archive! : '';
}

function nameOf(state: State, id: number): string {
  const index = state.docs.findIndex((doc) => doc.id === id);
  const archive = archiveOf(state);
  return `${index + 1}. ${pathOf(state.docs[index]!, index).slice(archive === '' ? 0 : archive.length + 2)}`;
}

const pathOf = ({ isFile, name }: Doc, index: number): string => (isFile ? name : `typed text ${index + 1}`);

function documentList(state: State, actions: Actions, show: Show): HTMLElement {
  const groupOf = new Map(
    (state.groups ?? []).flatMap(({ kept, members }, group) =>
      [kept, ...members.map(({ document }) => document)].map((id) => [id, group + 1]),
    ),
  );
  const props = { tabindex: 0, role: 'region', 'aria-label': 'All documents', 'data-key': 'list' };
  const heads = ['Document', 'Show in', 'Fingerprint', 'Tokens', 'Group'].map((name) =>
    h('th', { scope: 'col', class: name === 'Tokens' ? 'number' : null }, name),
  );
  const rows = state.docs.map((doc) => row(doc, groupOf.get(doc.id), state, actions, show));
  const copyLines = () => copy(jsonLines(state), 'One line of JSON for each document is copied.', actions);
  return h(
    'div',
    h('div.scroll.list', props, h('table', h('thead', h('tr', heads)), h('tbody', rows))),
    h('p', button('Copy as JSON Lines', copyLines, { 'data-key': 'lines' })),
  );
}

function row(doc: Doc, group: number | undefined, state: State, actions: Actions, show: Show): HTMLElement {
  return h(
    'tr',
    h('th', { scope: 'row', class: 'doc-name' }, nameOf(state, doc.id)),
    h('td', paneButton(doc, 0, state, show), paneButton(doc, 1, state, show)),
    outcome(doc, state, actions),
    h('td', group ?? ''),
  );
}

function outcome(doc: Doc, { label }: State, actions: Actions): HTMLElement[] {
  if (doc.failure !== undefined) {
    const { code, message } = doc.failure;
    const about = code === 'cancelled' ? 'Cancelled.' : capitalise(failureSentence('it', message));
    return [h('td', { colspan: 2, class: 'failure' }, about)];
  }
  if (doc.analysis === undefined) {
    const cancel = button('Cancel', () => actions.cancel(doc.id), { class: 'plain' });
    return [h('td', { colspan: 2, class: 'soft' }, 'reading… ', cancel)];
  }
  const fingerprint = doc.analysis.fingerprints[label] ?? null;
  return [
    h('td', fingerprint === null ? NO_TOKENS.message : h('code', serialise(fingerprint))),
    h('td.number', formatNumber(tokensUnder(label, doc.analysis).total)),
  ];
}

function paneButton(doc: Doc, pane: number, { docs, shown }: State, show: Show): HTMLElement {
  const letter = 'AB'[pane]!;
  const isShown = shown[pane] === doc.id;
  return button(letter, () => show(pane, doc.id), {
    class: isShown ? `plain letter side-${letter.toLowerCase()}` : 'plain',
    'aria-pressed': String(isShown),
    'aria-label': `Document ${docs.indexOf(doc) + 1} in pane ${letter}`,
    'data-key': `show ${pane} ${doc.id}`,
  });
}

/** The documents in the form of `simhash-doc hash --json`. */
function jsonLines({ docs, label }: State): string {
  const lines = docs.map((doc, index) => {
    const path = pathOf(doc, index);
    if (doc.failure !== undefined) return { path, error: doc.failure };
    const fingerprint = doc.analysis?.fingerprints[label] ?? null;
    if (doc.analysis === undefined || fingerprint === null) return { path, error: NO_TOKENS };
    const tokens = tokensUnder(label, doc.analysis).total;
    const { mediaType, extractor } = doc.analysis.extraction ?? {};
    const short = tokens < TRUSTED_TOKENS ? { short: true } : {};
    const forms = { fingerprint: serialise(fingerprint), hex: toHex(fingerprint) };
    return { path, label, ...forms, tokens, ...short, mediaType, extractor };
  });
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}
