import { pluralize } from '../../../common/text.ts';
import { answerOf, DEFAULT_OVERLAP, TRUSTED_TOKENS } from '../../../duplicates/answer.ts';
import { schemeOf } from '../../../scheme/labels/label.ts';
import { h } from '../dom.ts';
import { type Doc, isList, type State, shownAnalyses, shownDocs, tokensUnder } from '../store.ts';
import { capitalise } from './sentences.ts';
import { createView, type View } from './view.ts';

export function createAnswer(): View {
  return createView(
    h('section.answer', { 'aria-label': 'Answer', 'aria-live': 'polite' }),
    (state) => [state.docs, state.shown, state.pair, state.groups],
    (state) => {
      if (isList(state)) return groupsAnswer(state);
      const pending = pendingOf(state);
      if (pending !== null) return [h('p.sentence', pending)];
      const { pair } = state;
      if (pair == null || pair.distance === null || pair.overlap === null) return [h('p.sentence', 'Comparing…')];
      const { label, distance, overlap, differs } = pair;
      const { sentence, isNear } = answerOf({ label, distance, overlap, differs });
      const [finding] = sentence.split(';');
      const isShort = shownAnalyses(state).some((analysis) => tokensUnder(label, analysis!).total < TRUSTED_TOKENS);
      const evidence = [
        `Distance ${distance} of ${schemeOf(label).bits} bits`,
        `near-duplicates share at least ${100 * DEFAULT_OVERLAP} % of their words`,
        ...(isShort ? [`fingerprints of fewer than ${TRUSTED_TOKENS} words are unreliable`] : []),
      ];
      return [
        h('p', { class: `sentence ${isNear ? 'answer-near' : 'answer-far'}` }, capitalise(finding!)),
        h('p.evidence.soft', evidence.join(' · ')),
      ];
    },
  );
}

function groupsAnswer({ docs, groups }: State): HTMLElement[] {
  const sentence = (text: string): HTMLElement => h('p.sentence', text);
  const done = docs.filter(({ status }) => status !== 'running').length;
  if (done < docs.length) return [sentence(`Reading: ${done} of ${docs.length} documents…`)];
  if (groups === undefined) return [sentence('Comparing…')];
  const members = groups.flatMap((group) => group.members);
  const differing = members.filter(({ differs }) => differs.length > 0).length;
  const unread = docs.filter(({ analysis }) => analysis === undefined).length;
  const kinds = [...new Set(members.flatMap(({ differs }) => differs))].sort().join(' or ');
  const except = differing === 0 ? '' : `, of which ${differing} ${differing === 1 ? 'differs' : 'differ'} in ${kinds}`;
  const evidence = [
    `${pluralize(docs.length - unread, 'document')} compared word by word`,
    ...(members.length > 0 ? [pluralize(members.length, 'near-duplicate') + except] : []),
    ...(unread > 0 ? [`${unread} not read`] : []),
  ];
  const found = groups.length === 0 ? 'No near-duplicates' : `${pluralize(groups.length, 'group')} of near-duplicates`;
  return [sentence(`${found} among ${docs.length} documents`), h('p.evidence.soft', evidence.join(' · '))];
}

function pendingOf(state: State): string | null {
  const docs: readonly (Doc | undefined)[] = shownDocs(state);
  const unread = docs.findIndex((doc) => doc?.failure !== undefined);
  if (unread >= 0) return `Document ${'AB'[unread]} was not read, so there is nothing to compare.`;
  const empty = docs.findIndex((doc) => doc === undefined || (!doc.isFile && doc.text === ''));
  if (empty >= 0) return `${state.docs.length > 2 ? 'Choose' : 'Type, paste or drop'} document ${'AB'[empty]}.`;
  if (docs.some((doc) => doc?.analysis === undefined)) return 'Reading…';
  const wordless = docs.findIndex((doc) => doc?.analysis?.bare.total === 0);
  return wordless < 0 ? null : `Document ${'AB'[wordless]} has no letters, so it has no fingerprint.`;
}
