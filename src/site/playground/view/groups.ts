import { pluralize } from '../../../common/text.ts';
import { answerOf, DOCUMENT_LABEL } from '../../../duplicates/answer.ts';
import type { Actions } from '../actions.ts';
import { h } from '../dom.ts';
import type { State } from '../store.ts';
import type { Group, Member } from '../work/types.ts';
import { documentList, nameOf } from './documents.ts';
import { capitalise } from './sentences.ts';
import { createView, type View } from './view.ts';

/** Makes what is shown of more than two documents: groups of near-duplicates, and a list of all. */
export function createGroups(actions: Actions): View {
  return createView(
    h('section', { class: 'groups', 'aria-labelledby': 'groups-title' }),
    (state) => [state.docs, state.label, state.shown, state.groups],
    (state) => {
      if (state.docs.length < 3) return [];
      const { groups = [] } = state;
      return [
        h('h2', { id: 'groups-title' }, 'Groups of near-duplicates'),
        groups.length > 0 &&
          h(
            'p',
            { class: 'soft' },
            'The first document of each group stands for the others. Choose one to see how it differs.',
          ),
        ...groups.map((group) => groupItem(group, state, actions)),
        h(
          'details',
          { open: groups.length === 0 },
          h('summary', {}, `All ${pluralize(state.docs.length, 'document')}`),
          documentList(state, actions),
        ),
      ];
    },
  );
}

function groupItem({ kept, members }: Group, state: State, actions: Actions): HTMLElement {
  return h(
    'div',
    { class: 'group' },
    h('p', { class: 'kept' }, nameIn(state, kept)),
    h(
      'ul',
      {},
      members.map((member) => h('li', {}, memberItem(kept, member, state, actions))),
    ),
  );
}

function memberItem(kept: number, member: Member, state: State, actions: Actions): HTMLElement[] {
  const { document: id, distance } = member;
  const isShown = state.shown[0] === kept && state.shown[1] === id;
  const [finding] = answerOf({ label: DOCUMENT_LABEL, ...member }).sentence.split(';');
  return [
    h(
      'button',
      {
        type: 'button',
        class: 'plain',
        'aria-pressed': String(isShown),
        'data-key': `pair ${kept} ${id}`,
        onclick: () => actions.showPair(kept, id),
      },
      nameIn(state, id),
    ),
    h('span', { class: 'soft' }, ` ${capitalise(finding!)} · distance ${distance}`),
  ];
}

function nameIn({ docs }: State, id: number): string {
  const index = docs.findIndex((doc) => doc.id === id);
  return nameOf(docs[index], index);
}
