/** What every page of the site runs: offline use and the switch between light and dark. */

const THEMES = ['auto', 'light', 'dark'] as const;
const KEY = 'simhash-doc-theme';

function storedTheme(): string {
  try {
    return localStorage.getItem(KEY) ?? 'auto';
  } catch {
    // Storage is forbidden: the choice lasts as long as the page.
    return 'auto';
  }
}

function storeTheme(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // See above.
  }
}

function installThemeButton(button: HTMLButtonElement): void {
  let theme = storedTheme();
  const show = (): void => {
    document.documentElement.dataset['theme'] = theme;
    button.textContent = `Theme: ${theme}`;
  };
  button.addEventListener('click', () => {
    theme = THEMES[(THEMES.findIndex((each) => each === theme) + 1) % THEMES.length]!;
    storeTheme(theme);
    show();
  });
  show();
  button.hidden = false;
}

const themeButton = document.querySelector<HTMLButtonElement>('button.theme');
if (themeButton !== null) installThemeButton(themeButton);

// Without a service worker the site works as well, but only online.
if ('serviceWorker' in navigator)
  navigator.serviceWorker
    .register(new URL(/* @vite-ignore */ '../service-worker.js', import.meta.url))
    .catch(() => undefined);
