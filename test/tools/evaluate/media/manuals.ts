/** A manual that a Debian package ships in several media: where each is, from the root of the package. */
export interface Manual {
  readonly name: string;
  readonly language: string;
  readonly package: string;
  /** Files of each medium: one path, or a folder and a pattern of names of which all together are the document. */
  /**
   * The medium of which the file itself is not the manual, or not as its author wrote it; the rationale has the
   * reason.
   */
  readonly flawed?: ManualMedium;
  readonly media: Readonly<Partial<Record<ManualMedium, string | readonly [folder: string, names: RegExp]>>>;
}

export const MANUAL_MEDIA = ['text', 'html', 'epub', 'pdf'] as const;
export type ManualMedium = (typeof MANUAL_MEDIA)[number];

const DOC = 'usr/share/doc';
const FAQ = `${DOC}/debian/FAQ`;
const REFERENCE = 'usr/share/developers-reference';
const EDU = 'debian-edu-bookworm-manual';

/** Every chapter of a manual that Sphinx made, its front page and none of the pages that a program fills. */
const SPHINX_PAGES = /^(?!search|genindex|.*-index).*\.html$/;

function languages(codes: string, manual: (language: string) => Omit<Manual, 'language'>): Manual[] {
  return codes.split(' ').map((language) => ({ language, ...manual(language) }));
}

function flawedPdf(language: string, among: string): { flawed?: 'pdf' } {
  return among.split(' ').includes(language) ? { flawed: 'pdf' } : {};
}

/** The manuals, in as many languages as they have. */
export const MANUALS: readonly Manual[] = [
  {
    name: 'debian-policy',
    language: 'en',
    package: 'debian-policy',
    media: {
      text: `${DOC}/debian-policy/policy.txt.gz`,
      html: [`${DOC}/debian-policy/policy.html`, SPHINX_PAGES],
      epub: `${DOC}/debian-policy/policy.epub`,
      pdf: `${DOC}/debian-policy/policy.pdf.gz`,
    },
  },
  {
    name: 'fhs',
    language: 'en',
    package: 'debian-policy',
    media: {
      text: `${DOC}/debian-policy/fhs/fhs-3.0.txt.gz`,
      html: `${DOC}/debian-policy/fhs/fhs-3.0.html`,
      pdf: `${DOC}/debian-policy/fhs/fhs-3.0.pdf.gz`,
    },
  },
  ...languages('en de fr it ja ru', (language) => {
    const root = language === 'en' ? REFERENCE : `${REFERENCE}/${language}`;
    return {
      name: 'developers-reference',
      ...flawedPdf(language, 'it ru'),
      package: language === 'en' ? 'developers-reference' : `developers-reference-${language}`,
      media: {
        text: `${root}/developers-reference.txt.gz`,
        html: [root, /^(?!search|developers-reference).*\.html$/],
        epub: `${root}/developers-reference.epub`,
        pdf: `${root}/developers-reference.pdf`,
      },
    };
  }),
  ...languages('en de es fr it ja ko lt pt ru', (language) => ({
    name: 'debian-history',
    ...flawedPdf(language, 'ko'),
    package: 'debian-history',
    media: {
      text: `${DOC}/debian-history/docs/project-history.${language}.txt.gz`,
      html: [`${DOC}/debian-history/docs`, new RegExp(`\\.${language}\\.html$`)],
      epub: `${DOC}/debian-history/docs/project-history.${language}.epub`,
      pdf: `${DOC}/debian-history/docs/project-history.${language}.pdf`,
    },
  })),
  ...languages('en de ja ru zh-cn zh-tw', (language) => ({
    name: 'debmake-doc',
    ...flawedPdf(language, language),
    package: 'debmake-doc',
    media: {
      text: `${DOC}/debmake-doc/debmake-doc.${language}.txt.gz`,
      html: [`${DOC}/debmake-doc/html`, new RegExp(`\\.${language}\\.html$`)],
      epub: `${DOC}/debmake-doc/debmake-doc.${language}.epub`,
      pdf: `${DOC}/debmake-doc/debmake-doc.${language}.pdf`,
    },
  })),
  ...languages('en de es fr it ja nb-no nl pt-br zh-cn', (language) => ({
    name: 'debian-edu',
    package: `debian-edu-doc-${language}`,
    media: {
      html: `${DOC}/debian-edu-doc-${language}/${EDU}.html`,
      epub: `${DOC}/debian-edu-doc-${language}/${EDU}.epub`,
      pdf: `${DOC}/debian-edu-doc-${language}/${EDU}.pdf`,
    },
  })),
  ...languages('en de fr it ja ru zh-cn', (language) => ({
    name: 'debian-faq',
    ...flawedPdf(language, 'ja ru zh-cn'),
    package: language === 'en' ? 'debian-faq' : `debian-faq-${language}`,
    media: {
      text: `${FAQ}/debian-faq.${language}.txt.gz`,
      html: language === 'en' ? [FAQ, /\.en\.html$/] : [`${FAQ}/${language}`, /\.html$/],
      pdf: `${FAQ}/debian-faq.${language}.pdf.gz`,
    },
  })),
  ...languages('en ca de es fr it ja ru zh-cn zh-tw', (language) => {
    const name = language === 'en' ? 'maint-guide' : `maint-guide-${language}`;
    return {
      name: 'maint-guide',
      ...flawedPdf(language, 'ru'),
      package: name,
      media: {
        text: `${DOC}/${name}/maint-guide.${language}.txt.gz`,
        html: [`${DOC}/${name}/html`, /\.html$/] as const,
        pdf: `${DOC}/${name}/maint-guide.${language}.pdf`,
      },
    };
  }),
  ...languages('en de es fr it ja pt zh-cn zh-tw', (language) => ({
    name: 'debian-reference',
    package: `debian-reference-${language}`,
    media: {
      text: `usr/share/debian-reference/debian-reference.${language}.txt.gz`,
      html: ['usr/share/debian-reference', new RegExp(`\\.${language}\\.html$`)],
      pdf: `usr/share/debian-reference/debian-reference.${language}.pdf`,
    },
  })),
  ...languages('en cs de el es fr ja ko pt ru sv vi zh_CN', (language) => {
    const root = `${DOC}/installation-guide-amd64/${language}`;
    return {
      name: 'installation-guide',
      package: 'installation-guide-amd64',
      media: {
        text: `${root}/install.${language}.txt.gz`,
        html: [root, /\.html$/] as const,
      },
    };
  }),
];
