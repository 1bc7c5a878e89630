import { pluralize } from '../../../common/text.ts';
import { canDraw } from '../../terminal/progress.ts';

const DELAY = 500;
const INTERVAL = 100;

/** A line on standard error that shows the progress of a run. */
export interface VectorProgress {
  update(done: number, all: number, group: string): void;
  end(): void;
}

/** Makes a progress line; it shows nothing if standard error is not a terminal that can redraw a line. */
export function createVectorProgress(quiet: boolean): VectorProgress {
  const { stderr } = process;
  if (quiet || !canDraw(stderr)) return { update() {}, end() {} };
  let due = performance.now() + DELAY;
  let isVisible = false;
  return {
    update(done, all, group) {
      const now = performance.now();
      if (now < due) return;
      due = now + INTERVAL;
      isVisible = true;
      const line = done < all ? `${done} of ${pluralize(all, 'vector')}  ${group}` : 'random cases';
      stderr.write(`\r\x1b[K${line.slice(0, (stderr.columns || 80) - 1)}`);
    },
    end() {
      if (isVisible) stderr.write('\r\x1b[K');
    },
  };
}
