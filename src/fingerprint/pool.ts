import type { Scheme } from '../scheme/labels/label.ts';
import { createEngine, type Engine } from './engine.ts';
import type { OnTokens } from './pipeline.ts';
import { type Composition, createStreamingPipeline, takeSmallPipeline } from './stream.ts';

export type TakenPipeline = Engine | Composition;

/** Engines that are not in use. More than a few would only hold memory. */
const idle: Engine[] = [];
const MAX_IDLE = 4;

/** The maximum number of engines in use: with thousands of WebAssembly memories, making one takes 25 ms. */
export const MAX_OPEN = 256;
let open = 0;

/** Discounts the engines of documents that are dropped before their end. Without it, they count as open. */
const dropped =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<null>(() => {
        open--;
      });

/** Takes the kernel, or the streaming composition if it cannot run or gets no memory. `size` is in bytes or 16-bit units. */
export function takePipeline(size: number, scheme: Scheme, onTokens?: OnTokens): TakenPipeline {
  const small = idle.length === 0 ? takeSmallPipeline(size, { scheme, onTokens }) : undefined;
  if (small !== undefined) return small;
  const engine = idle.pop() ?? createEngine();
  engine?.reset(scheme, onTokens);
  return engine ?? createStreamingPipeline({ scheme, onTokens });
}

export function returnPipeline(pipeline: TakenPipeline): void {
  if (pipeline.kind === 'kernel' && idle.length < MAX_IDLE) idle.push(pipeline);
}

/** Takes a pipeline for a document that stays open: the streaming composition beyond {@link MAX_OPEN}. */
export function openPipeline(size: number, scheme: Scheme, onTokens?: OnTokens): TakenPipeline {
  if (open >= MAX_OPEN) return createStreamingPipeline({ scheme, onTokens });
  const pipeline = takePipeline(size, scheme, onTokens);
  if (pipeline.kind === 'kernel') {
    open++;
    dropped?.register(pipeline, null, pipeline);
  }
  return pipeline;
}

export function closePipeline(pipeline: TakenPipeline): void {
  if (pipeline.kind === 'kernel') {
    open--;
    dropped?.unregister(pipeline);
  }
  returnPipeline(pipeline);
}
