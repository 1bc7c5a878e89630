import { type State, shownExample } from '../store.ts';
import type { Kept } from './store.ts';

/** The item of the tab, with its name, which survives a reload; and of the browser, if it has ever kept documents. */
const KEY = 'simhash-doc-tab';

/** Keeps state that the address cannot hold: files, long texts, and that the page was cleared. Loads nothing before. */
export function createKeeper() {
  const load = (): Promise<typeof import('./store.ts')> => import('./store.ts');
  let last: readonly unknown[] = [];
  return {
    /** Keeps a state, unless its fragment holds all of it; returns false if the browser cannot. */
    async keep(state: State, fragment: string): Promise<boolean> {
      const { docs, shown, label, vector } = state;
      const inputs = [fragment, label, ...shown, ...docs.flatMap(({ id, text }) => [id, text])];
      if (inputs.length === last.length && inputs.every((input, index) => input === last[index])) return true;
      last = inputs;
      try {
        const tab = sessionStorage.getItem(KEY);
        const isHeld =
          vector !== undefined ||
          shownExample(state) !== undefined ||
          (fragment !== '' && !docs.some(({ isFile }) => isFile));
        if (!isHeld) {
          const name = tab ?? `${Date.now()} ${Math.random()}`;
          sessionStorage.setItem(KEY, name);
          localStorage.setItem(KEY, 'used');
          await (await load()).keep(name, { docs, shown, label, fragment });
        } else if (tab !== null) {
          await (await load()).forget(tab);
          sessionStorage.removeItem(KEY);
        }
        return true;
      } catch {
        // Storage is forbidden, full or broken.
        return false;
      }
    },
    async recall(): Promise<Kept | undefined> {
      try {
        if (localStorage.getItem(KEY) === null) return undefined;
        return await (await load()).recall(sessionStorage.getItem(KEY));
      } catch {
        return undefined;
      }
    },
  };
}
