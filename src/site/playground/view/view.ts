import type { State } from '../store.ts';

export interface View {
  readonly element: HTMLElement;
  render(state: State): void;
}

/** Makes a part that is redrawn when an input changes, and hidden without content. The focus stays at its `data-key`. */
export function createView(
  element: HTMLElement,
  inputsOf: (state: State) => readonly unknown[],
  draw: (state: State) => readonly (Node | '' | null | false)[],
): View {
  let last: readonly unknown[] | undefined;
  return {
    element,
    render(state) {
      const inputs = inputsOf(state);
      if (last !== undefined && inputs.every((input, index) => input === last![index])) return;
      last = inputs;
      const focused = document.activeElement;
      const key = focused instanceof HTMLElement && element.contains(focused) ? focused.dataset['key'] : undefined;
      const content = draw(state).filter((node) => node instanceof Node);
      element.hidden = content.length === 0;
      element.replaceChildren(...content);
      if (key !== undefined) element.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
    },
  };
}

export function createLazyView(
  element: HTMLElement,
  isNeeded: (state: State) => boolean,
  load: () => Promise<readonly View[]>,
): View {
  let loaded: Promise<void> | undefined;
  let views: readonly View[] = [];
  let last: State;
  const renderAll = (): void => {
    for (const view of views) view.render(last);
  };
  return {
    element,
    render(state) {
      last = state;
      if (!isNeeded(state)) {
        // Parts that are loaded hide themselves.
        renderAll();
        return;
      }
      loaded ??= load().then(
        (made) => {
          views = made;
          element.append(...views.map((view) => view.element));
        },
        () => element.append('This part of the page could not be loaded. Check the connection and reload the page.'),
      );
      void loaded.then(renderAll);
    },
  };
}
