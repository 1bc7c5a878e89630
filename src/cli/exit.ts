/** The first major version of Node whose exit does not wait for a collection of garbage. */
const FIXED_IN = 22;

/** Milliseconds before which V8 optimizes hardly any function, and a collection takes a tenth of the time. */
const MIN_TIME = 100;

let isCollected = false;

/**
 * Makes the process end in Node 20, which may wait forever at its exit (nodejs/node#54918): its main thread waits for
 * threads that optimize functions, and these wait for memory, until the main thread collects garbage. Collecting it
 * before gives them the memory in any case. Call it when the work is done: Node waits before it emits `exit`.
 */
export function prepareExit(): void {
  if (isCollected || Number.parseInt(process.versions.node, 10) >= FIXED_IN || performance.now() < MIN_TIME) return;
  // (Node 21 has no such function.)
  if (process.getBuiltinModule === undefined) return;
  isCollected = true;
  // No static imports: most runs need neither module.
  const [v8, vm] = [process.getBuiltinModule('node:v8'), process.getBuiltinModule('node:vm')];
  v8.setFlagsFromString('--expose-gc');
  vm.runInNewContext('gc')();
}
