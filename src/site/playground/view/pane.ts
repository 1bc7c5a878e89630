import { formatNumber } from '../../../common/text.ts';
import { TRUSTED_TOKENS } from '../../../duplicates/answer.ts';
import type { Actions } from '../actions.ts';
import { button, h } from '../dom.ts';
import { acceptDrops, fileButton } from '../files.ts';
import { type Doc, type State, shownDocs, tokensUnder } from '../store.ts';
import { failureSentence } from './sentences.ts';
import type { View } from './view.ts';

/** The length above which a text is not put into a text area, which would take seconds. */
const MAX_EDITABLE = 500_000;

export function createPane(pane: number, actions: Actions): View {
  const [name, side] = ['AB'[pane]!, 'ab'[pane]!];
  const area = h('textarea', {
    id: `text-${name}`,
    spellcheck: 'false',
    rows: 8,
    placeholder: 'Type, paste or drop a document',
    oninput: () => actions.type(pane, area.value),
    onpaste: (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text.length <= MAX_EDITABLE) return;
      event.preventDefault();
      actions.open(pane, [new File([text], 'pasted.txt', { type: 'text/plain' })]);
    },
  });
  const label = h('label', { for: area.id, class: 'pane-name row' }, h('span.letter', name), `Document ${name}`);
  const open = (files: readonly File[]): void => actions.open(pane, files);
  const card = h('div.file-card.box');
  const status = h('div.pane-status', { role: 'status' });
  const element = h('section', { class: `pane pane-${side} side-${side}`, 'aria-label': `Document ${name}` });
  element.append(h('div.pane-head.row', label, fileButton('Open', false, open)), area, card, status);
  acceptDrops(element, open);
  let last: Doc | undefined;
  let lastLabel = '';
  return {
    element,
    render(state) {
      const doc = shownDocs(state)[pane];
      element.hidden = doc === undefined;
      if (doc === undefined || (doc === last && state.label === lastLabel)) return;
      last = doc;
      lastLabel = state.label;
      area.hidden = doc.isFile;
      card.hidden = !doc.isFile;
      if (!doc.isFile && document.activeElement !== area) area.value = doc.text;
      card.replaceChildren(...(doc.isFile ? fileCard(doc, pane, actions) : []));
      status.replaceChildren(...statusOf(doc, pane, state, actions));
    },
  };
}

function fileCard(doc: Doc, pane: number, actions: Actions): Node[] {
  const about = doc.analysis?.extraction;
  const facts = [about?.mediaType, about?.extractor, about?.charset].filter((part) => part !== undefined);
  const warnings = (about?.warnings ?? []).map((warning) => h('li', warning));
  const text = doc.analysis?.text ?? null;
  const isEditable = text !== null && text.length <= MAX_EDITABLE;
  return [
    h('p.file-name', doc.name),
    about !== undefined && h('p.soft', facts.join(' · ')),
    warnings.length > 0 && h('ul.warnings', warnings),
    h(
      'p.row',
      isEditable && button('Edit the text', () => actions.edit(pane), { 'data-key': 'edit' }),
      button('Remove', () => actions.remove(doc.id), { 'data-key': 'remove' }),
    ),
  ].filter((node) => node instanceof Node);
}

function statusOf(doc: Doc, pane: number, state: State, actions: Actions): Node[] {
  if (doc.status === 'running') return [progressOf(doc, actions)];
  if (doc.failure !== undefined) {
    const { code, message } = doc.failure;
    if (code === 'cancelled') return [h('p.soft', 'Cancelled.')];
    return [h('p.failure', failureSentence(doc.name, message))];
  }
  const { analysis } = doc;
  if (analysis === undefined || analysis.length === 0) return [];
  const { total, counts } = tokensUnder(state.label, analysis);
  const sizes = `${formatNumber(analysis.length)} characters · ${formatNumber(total)} tokens, ${formatNumber(counts.hashes.length)} different`;
  const hint =
    total === 0
      ? ' · no fingerprint: there is no letter'
      : total < TRUSTED_TOKENS
        ? ' · short: fingerprints of fewer than 80 tokens are unreliable'
        : '';
  const size = h('p.soft', sizes, hint);
  if (analysis.markup === undefined) return [size];
  const name = analysis.markup.toUpperCase();
  const read = button(`Read it as ${name}`, () => actions.readMarkup(pane), { 'data-key': 'markup' });
  return [size, h('p.row', `This is the source of ${name}. `, read)];
}

/** Makes the progress line, which the style shows after a moment, so that short work does not flicker. */
function progressOf({ id, progress, isFile }: Doc, actions: Actions): HTMLElement {
  const pages = progress === undefined ? '' : ` ${formatNumber(progress.done)} of ${formatNumber(progress.total)}`;
  return h(
    'p.row.working',
    h('progress', {
      'aria-label': 'Reading the document',
      ...(progress === undefined ? {} : { value: progress.done, max: progress.total }),
    }),
    h('span', `${isFile ? 'Reading' : 'Computing'}${pages}…`),
    button('Cancel', () => actions.cancel(id)),
  );
}
