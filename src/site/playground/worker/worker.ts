import { analyseText } from './analyse.ts';
import { analysePair } from './pair.ts';
import type { Analysis, JobMessage, JobResults, JobSource, JobTask } from './tasks.ts';

const send = (message: JobMessage): void => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<JobTask>) => {
  run(data).then(
    (result) => send({ kind: 'result', result }),
    (error: unknown) => send({ kind: 'failure', failure: describe(error) }),
  );
});

send({ kind: 'ready' });

async function run(task: JobTask): Promise<JobResults[keyof JobResults]> {
  switch (task.kind) {
    case 'analyse':
      return analyse(task.source, task.limit);
    case 'pair':
      return analysePair(task.label, task.a, task.b);
    case 'vectors': {
      const { vectorOf } = await import('./vector.ts');
      const vectors = task.texts.map((text) => vectorOf(text, task.label));
      return JSON.stringify(vectors.length === 1 ? vectors[0] : vectors, null, 2);
    }
    case 'passages': {
      const { loadPassages } = await import('../../../duplicates/passages.ts');
      return (await loadPassages())(task.a)(task.b);
    }
    case 'groups': {
      const { groupsOf } = await import('./groups.ts');
      return groupsOf(task.sides);
    }
  }
}

async function analyse(source: JobSource, limit: number): Promise<JobResults['analyse']> {
  const { name } = source;
  if ('text' in source) return { ...analyseText(source.text, { name }), ...(await markupOf(source.text)) };
  // The parsers are loaded for the first file only.
  const { extract } = await import('../../../extract/index.ts');
  const onProgress = (done: number, total: number): void => send({ kind: 'progress', done, total });
  const hints = { path: name, type: source.type as 'text' | undefined, ...source.hints };
  try {
    const { text, ...extraction } = await extract(source.bytes, hints, { onProgress });
    return analyseText(text, { name, extraction });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'archive' || limit === 0) throw error;
    const { listDocuments } = await import('./list.ts');
    return listDocuments(source, limit);
  }
}

/** Returns the type of typed text by its content, as the command would detect it in a file. */
async function markupOf(text: string): Promise<Pick<Analysis, 'markup'>> {
  if (!/^\s*</u.test(text)) return {};
  const { DETECTION_WINDOW, detect } = await import('../../../extract/detect.ts');
  const type = detect(new TextEncoder().encode(text.slice(0, DETECTION_WINDOW)), {});
  return type === 'html' || type === 'xml' ? { markup: type } : {};
}

function describe(error: unknown): { code: string; message: string } {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return { code: typeof code === 'string' ? code : 'failed', message: String(message ?? error) };
}
