import { createEngine, type Engine } from './engine.ts';

/** Engines that are not in use. More than a few would only hold memory. */
const idle: Engine[] = [];
const MAX_IDLE = 4;

/** Takes an engine for one document, or returns undefined if the kernel cannot run here or gets no memory. */
export function takeEngine(): Engine | undefined {
  const engine = idle.pop() ?? createEngine();
  engine?.reset();
  return engine;
}

/** Gives an engine back after its document. */
export function returnEngine(engine: Engine): void {
  if (idle.length < MAX_IDLE && !engine.isLarge) idle.push(engine);
}
