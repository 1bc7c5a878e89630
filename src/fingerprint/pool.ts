import { createEngine, type Engine } from './engine.ts';
import { createStreamingPipeline } from './stream.ts';
import type { Pipeline } from './types.ts';

/** Engines that are not in use. More than a few would only hold memory. */
const idle: Engine[] = [];
const MAX_IDLE = 4;

/** The most octets or 16-bit units of a small document. */
export const MAX_SMALL = 4096;

/** So many small documents take less time in the streaming composition than compiling the kernel does. */
const MAX_SMALL_DOCUMENTS = 16;
let smallDocuments = 0;

/** The most engines in use. Each has a WebAssembly memory: among thousands of those, making one takes 25 ms. */
export const MAX_OPEN = 256;
let open = 0;

/** Discounts the engines of documents that are dropped before their end. Where it is missing, they count as open. */
const dropped =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<null>(() => {
        open--;
      });

/**
 * Takes a pipeline for one document: the kernel, or the streaming composition where the kernel cannot run or gets no memory,
 * or where {@link MAX_OPEN} documents are open.
 * @param size - the size of the document, in octets or 16-bit units; infinity if it is not known
 */
export function takePipeline(size: number): Pipeline {
  if (idle.length === 0 && size <= MAX_SMALL && smallDocuments < MAX_SMALL_DOCUMENTS) {
    smallDocuments++;
    return createStreamingPipeline();
  }
  const engine = open < MAX_OPEN ? (idle.pop() ?? createEngine()) : undefined;
  if (engine === undefined) return createStreamingPipeline();
  open++;
  dropped?.register(engine, null, engine);
  engine.reset();
  return engine;
}

/** Gives a pipeline back after its document. */
export function returnPipeline(pipeline: Pipeline): void {
  if (!isEngine(pipeline)) return;
  open--;
  dropped?.unregister(pipeline);
  if (idle.length < MAX_IDLE && !pipeline.isLarge) idle.push(pipeline);
}

function isEngine(pipeline: Pipeline): pipeline is Engine {
  return 'isLarge' in pipeline;
}
