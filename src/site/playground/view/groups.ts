import { pluralize } from '../../../common/text.ts';
import { answerOf, DOCUMENT_LABEL } from '../../../duplicates/answer.ts';
import type { Actions } from '../actions.ts';
import { button, h } from '../dom.ts';
import type { State } from '../store.ts';
import type { Group, Member } from '../work/types.ts';
import { archiveOf, documentList, nameOf } from './documents.ts';
import { capitalise } from './sentences.ts';
import { createFold, createView, type View } from './view.ts';

export function createGroups(actions: Actions): View {
  /** The key of the button that opened the view, to which the focus returns. */
  let origin = '';
  const fold = createFold();

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
    h('section', { class: 'groups', 'aria-labelledby': 'groups-title' }),
    (state) => [state.docs, state.label, state.shown, state.groups],
    (state) => {
      if (state.docs.length < 3) return [];
      if (state.shown.every((id) => id !== 0))
        return wayBack(state.docs.length, origin, () => go(origin, actions.showGroups));
      const show = (pane: number, id: number): void => go(`show ${pane} ${id}`, () => actions.show(pane, id));
      const list = documentList(state, actions, show);
      const found = groupList(state, (kept, id) => go(`pair ${kept} ${id}`, () => actions.showPair(kept, id)));
      return [...found, fold(`All ${pluralize(state.docs.length, 'document')}`, list)];
    },
  );
  return view;
}

function wayBack(count: number, key: string, goBack: () => void): HTMLElement[] {
  return [
    h('h2', { id: 'groups-title', class: 'visually-hidden' }, 'A pair of the documents'),
    button(`← Back to all ${count} documents`, goBack, { 'data-key': key }),
  ];
}

type Show = (kept: number, id: number) => void;

function groupList(state: State, show: Show): HTMLElement[] {
  const { groups = [] } = state;
  const archive = archiveOf(state);
  const title = h('h2', { id: 'groups-title' }, `Groups of near-duplicates${archive === '' ? '' : ` in ${archive}`}`);
  if (groups.length === 0) return [title];
  return [
    title,
    h(
      'p',
      { class: 'soft' },
      'The first document of each group stands for the others. Choose one of the others to see how it differs.',
    ),
    h(
      'div',
      { class: 'group-list' },
      groups.map((group) => groupItem(group, state, show)),
    ),
  ];
}

function groupItem({ kept, members }: Group, state: State, show: Show): HTMLElement {
  return h(
    'div',
    { class: 'group' },
    h('p', { class: 'kept' }, nameOf(state, kept)),
    h(
      'ul',
      {},
      members.map((member) => h('li', {}, memberItem(kept, member, state, show))),
    ),
  );
}

function memberItem(kept: number, member: Member, state: State, show: Show): HTMLElement[] {
  const { document: id, distance } = member;
  const [finding] = answerOf({ label: DOCUMENT_LABEL, ...member }).sentence.split(';');
  return [
    button(nameOf(state, id), () => show(kept, id), { class: 'plain', 'data-key': `pair ${kept} ${id}` }),
    h('span', { class: 'soft' }, ` ${capitalise(finding!)} · distance ${distance}`),
  ];
}
