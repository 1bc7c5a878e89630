/** The first major version of Node whose exit does not wait for a collection of garbage. */
const FIXED_IN = 22;

/** Before this many milliseconds, no function has run so often that V8 optimizes it at the exit, and a collection takes a tenth of the time. */
const MIN_TIME = 100;

/**
 * Makes the process end in Node 20, which may wait forever at its exit (nodejs/node#54918): its main thread waits for threads
 * that optimize functions, and these wait for memory, until the main thread collects garbage. Collecting it first gives them
 * the memory, whatever they still do.
 */
export function collectAtExit(): void {
  if (Number.parseInt(process.versions.node, 10) >= FIXED_IN) return;
  process.on('exit', () => {
    if (performance.now() >= MIN_TIME) collectGarbage();
  });
}

function collectGarbage(): void {
  const { getBuiltinModule } = process;
  // No static imports: most runs need neither module.
  const [v8, vm] = [getBuiltinModule('node:v8'), getBuiltinModule('node:vm')];
  v8.setFlagsFromString('--expose-gc');
  vm.runInNewContext('gc')();
}
