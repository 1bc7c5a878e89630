/** Run by every page of the site: the switch between light and dark, and the table of contents. */

const THEMES = ['auto', 'light', 'dark'];
const KEY = 'simhash-doc-theme';

function storedTheme(): string {
  try {
    return localStorage.getItem(KEY) ?? 'auto';
  } catch {
    // Without permission for storage, the choice lasts as long as the page.
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
  let theme = Math.max(0, THEMES.indexOf(storedTheme()));
  const show = (): void => {
    document.documentElement.dataset['theme'] = THEMES[theme]!;
    button.textContent = `Theme: ${THEMES[theme]}`;
  };
  button.addEventListener('click', () => {
    theme = (theme + 1) % THEMES.length;
    storeTheme(THEMES[theme]!);
    show();
  });
  show();
  button.hidden = false;
}

// If there is room beside the text, the table of contents is open.
const contents = document.querySelector<HTMLDetailsElement>('.contents details');
if (contents !== null && matchMedia('(min-width: 70rem)').matches) contents.open = true;

// On a narrow screen the navigation is one row that scrolls.
const current = document.querySelector<HTMLElement>('.site-header [aria-current]');
if (current?.parentElement?.parentElement) current.parentElement.parentElement.scrollLeft = current.offsetLeft - 32;

const themeButton = document.querySelector<HTMLButtonElement>('button.theme');
if (themeButton !== null) installThemeButton(themeButton);
