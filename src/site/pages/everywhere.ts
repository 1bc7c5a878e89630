import { button, h } from '../playground/dom.ts';

/** Run by every page of the site: the switch between light and dark, the table of contents, and buttons that copy code. */

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

function installThemeButton(button: HTMLButtonElement): void {
  let theme = Math.max(0, THEMES.indexOf(storedTheme()));
  const show = (): void => {
    document.documentElement.dataset['theme'] = THEMES[theme]!;
    button.textContent = `Theme: ${THEMES[theme]}`;
  };
  button.addEventListener('click', () => {
    theme = (theme + 1) % THEMES.length;
    show();
    try {
      localStorage.setItem(KEY, THEMES[theme]!);
    } catch {
      // See above.
    }
  });
  show();
  button.hidden = false;
}

// If there is room beside the text, the table of contents is open.
const contents = document.querySelector<HTMLDetailsElement>('.contents details');
if (contents !== null && matchMedia('(min-width: 70rem)').matches) contents.open = true;

// The entry of the section that is read is marked, and kept in view.
if (contents !== null) {
  const links = new Map(
    Array.from(contents.querySelectorAll('a'), (link) => [document.getElementById(link.hash.slice(1)), link]),
  );
  const mark = (): void => {
    const above = [...links].filter(([heading]) => heading !== null && heading.getBoundingClientRect().top < 120);
    const [, current] = above.at(-1) ?? [];
    for (const link of links.values()) {
      if (link !== current) link.removeAttribute('aria-current');
      else if (link.ariaCurrent !== 'location') {
        link.ariaCurrent = 'location';
        link.scrollIntoView({ block: 'nearest' });
      }
    }
  };
  let isWaiting = false;
  const markSoon = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      mark();
    });
  };
  if (contents.open) addEventListener('scroll', markSoon, { passive: true });
}

// Each block of code can be copied; of a session at a prompt, what is typed.
for (const code of document.querySelectorAll<HTMLElement>('pre > code')) {
  const copy = (): void => {
    const typed = code.textContent.match(/(?<=^\$ ).*(?:\n> .*)*/gm);
    const text = typed === null ? code.textContent.trimEnd() : typed.join('\n').replaceAll('\n> ', '\n');
    void navigator.clipboard.writeText(text).then(
      () => copyButton.replaceChildren('Copied'),
      () => copyButton.replaceChildren('Not allowed'),
    );
  };
  const copyButton = button('Copy', copy, { class: 'copy' });
  const box = h('div.code');
  code.parentElement!.replaceWith(box);
  box.append(code.parentElement!, copyButton);
}

// On a narrow screen the navigation is one row that scrolls.
const current = document.querySelector<HTMLElement>('.site-header [aria-current]');
if (current?.parentElement?.parentElement) current.parentElement.parentElement.scrollLeft = current.offsetLeft - 32;

// Chromium refuses modules, such as the playground, when a page is opened as a file.
addEventListener('load', () => {
  const playground = document.getElementById('playground');
  if (playground === null || playground.hasChildNodes()) return;
  const notice =
    'This browser runs the playground only from a web server: serve this folder, for example with npx serve.';
  playground.append(h('p.notice', notice));
});

const themeButton = document.querySelector<HTMLButtonElement>('button.theme');
if (themeButton !== null) installThemeButton(themeButton);
