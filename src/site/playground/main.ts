import { distance, similarityOfDistance, verdictOfDistance } from '../../scheme/compare.ts';
import { serialise } from '../../scheme/serialise.ts';
import { byId, h } from './dom.ts';
import { parseFragment } from './state.ts';
import { runJob } from './work/jobs.ts';
import type { Analysis } from './work/types.ts';

const state = await parseFragment(location.hash);
const documents: (Analysis | undefined)[] = [];
const result = h('output', { class: 'result' });

function pane(index: number, text: string): HTMLElement {
  const name = 'AB'[index]!;
  const area = h('textarea', { id: `text-${name}`, rows: 8, value: text, oninput: () => void analyse() });
  const analyse = async (): Promise<void> => {
    documents[index] = await runJob({ kind: 'analyse', source: { text: area.value, name } });
    show();
  };
  void analyse();
  return h('section', {}, h('label', { for: area.id }, `Document ${name}`), area);
}

function show(): void {
  const [a, b] = documents.map((document) => document?.fingerprints[state.variant] ?? null);
  if (a == null || b == null) {
    result.textContent = '';
    return;
  }
  const d = distance(a, b);
  result.textContent = `${serialise(a)} ${serialise(b)}: distance ${d}, similarity ${similarityOfDistance(d)}, ${verdictOfDistance(d)}`;
}

byId('playground').append(h('div', { class: 'panes' }, pane(0, state.a), pane(1, state.b)), result);
