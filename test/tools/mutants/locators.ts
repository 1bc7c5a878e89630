/** Wrong implementations of step 4: strip locators. */
import {
  type LocatorForm,
  type LocatorName,
  type LocatorParts,
  locatorNames,
  locatorParts,
  locatorPatterns,
  type Steps,
  steps,
} from '../../twin/twin.ts';
import { type Mutation, mistakesOfStep } from './mutation.ts';

const strip = mistakesOfStep(4);

/** A form with its pattern, by which all places of a text can be searched at once (run.ts). */
export interface PatternForm extends LocatorForm {
  readonly pattern: string;
  readonly flags: string;
}

function patternForm(name: LocatorName, pattern: string, flags: string): PatternForm {
  const expression = new RegExp(pattern, `y${flags}`);
  return {
    ...{ form: locatorNames.indexOf(name) + 1, name, pattern, flags },
    match(text, at) {
      expression.lastIndex = at;
      const match = expression.exec(text);
      return match === null ? undefined : at + match[0].length;
    },
  };
}

/** The seven forms with other parts. */
function forms(parts: Partial<LocatorParts>, flags = ''): { readonly locatorForms: readonly PatternForm[] } {
  const all = locatorPatterns({ ...locatorParts, ...parts });
  return { locatorForms: locatorNames.map((name) => patternForm(name, all[name], flags)) };
}

/** The right forms. */
export const { locatorForms } = forms({});

/** The seven forms, some with other patterns. */
const patterns = (changed: Partial<Record<LocatorName, string>>): Partial<Steps> => ({
  locatorForms: locatorNames.map((name, i) => {
    const pattern = changed[name];
    return pattern === undefined ? locatorForms[i]! : patternForm(name, pattern, '');
  }),
});

/** The forms, each match of some of them cut at its end. */
function cut(names: readonly string[], end: RegExp): Pick<Steps, 'locatorForms'> {
  return {
    locatorForms: locatorForms.map((form): LocatorForm => {
      if (!names.includes(form.name)) return form;
      return {
        ...{ form: form.form, name: form.name },
        match(text, at) {
          const to = form.match(text, at);
          return to === undefined ? undefined : at + text.slice(at, to).replace(end, '').length;
        },
      };
    }),
  };
}

const uricForms: readonly LocatorName[] = ['scheme', 'www', 'prefix', 'doi'];
/** 26 letters and what some engines fold to them. */
const folding =
  (folds: Readonly<Record<string, string>>): LocatorParts['anyCase'] =>
  (word) =>
    Array.from(word, (one) => `[${one}${one.toUpperCase()}${folds[one] ?? ''}]`).join('');

/** Parts of the right patterns. */
const URIC = `[${locatorParts.uric}]`;
const LOCAL = `[${locatorParts.localPart}]`;
const SCHEME = '[A-Za-z][A-Za-z0-9+.\\-]*';
const DOI = '10[.][0-9]{4,9}(?:[.][0-9]+)*';
const DOMAIN = '[A-Za-z0-9\\-]+(?:[.][A-Za-z0-9\\-]+)+';

const wordEnd = '(?!\\w)';

const CHUNK = 65536;

export const locatorMutations: readonly Mutation[] = [
  strip('locators-kept', 'strips no locators', { findLocators: () => [] }, 'most libraries of simhash'),
  strip(
    'forms-one-by-one',
    'strips all matches of one form before it searches for the next form',
    {
      stripLocators: (text, s) =>
        s.locatorForms.reduce((rest, form) => steps.stripLocators(rest, { ...s, locatorForms: [form] }), text),
    },
    'one call of a replace function for each pattern',
  ),
  strip(
    'locators-in-chunks',
    `searches blocks of ${CHUNK} code points one by one`,
    {
      stripLocators: (text, s) => {
        const all = Array.from(text);
        let result = '';
        for (let at = 0; at < all.length; at += CHUNK)
          result += steps.stripLocators(all.slice(at, at + CHUNK).join(''), s);
        return result;
      },
    },
    { source: 'streams searched chunk by chunk', long: ['fingerprint/buffers-locators', 'fingerprint/long-locator'] },
  ),
  strip(
    'start-not-behind-unicode',
    'lets no match start after a letter or digit of any script',
    { mayStart: (preceding) => preceding === undefined || !/^[\p{L}\p{N}]$/u.test(preceding) },
    '\\b of engines with Unicode word characters',
  ),
  strip(
    'start-not-behind-word',
    'lets no match start after a letter, a digit or an underscore',
    { mayStart: (preceding) => preceding === undefined || !/^\w$/.test(preceding) },
    '\\b of patterns',
  ),
  strip(
    'start-behind-white-space',
    'lets a match start only after white space',
    { mayStart: (preceding) => preceding === undefined || /^\s$/.test(preceding) },
    'texts split at white space before locators are looked for',
  ),

  // Characters of an address.
  strip(
    'uric-non-space',
    'continues an address up to white space',
    patterns({
      scheme: `${SCHEME}://\\S+`,
      www: '[Ww][Ww][Ww][.]\\S+',
      prefix: prefixWith('\\S+'),
      doi: `${DOI}/\\S+`,
    }),
    'https?://\\S+ of clean-up scripts',
  ),
  strip(
    'uric-with-letters',
    'continues an address at letters of any script',
    forms({ uric: `${locatorParts.uric}\\u00aa-\\u1fff\\u3040-\\ud7ff\\uf900-\\ufaff` }),
    'patterns for internationalised addresses',
  ),
  strip(
    'address-end-trimmed',
    'leaves punctuation at the end of an address',
    cut(uricForms, /[.,:;!?]+$/),
    'linkify of many libraries',
  ),
  strip(
    'address-bracket-trimmed',
    'leaves a closing parenthesis at the end of an address',
    cut(uricForms, /[)]$/),
    'readers of Markdown',
  ),

  // Form 1.
  strip(
    'scheme-web-only',
    'recognises only the schemes http, https and ftp',
    patterns({ scheme: `(?:[Hh][Tt][Tt][Pp][Ss]?|[Ff][Tt][Pp])://${URIC}+` }),
    'https?:// of patterns',
  ),
  strip(
    'scheme-underscore',
    'accepts an underscore in a scheme',
    forms({ schemeRest: 'A-Za-z0-9+.\\-_' }),
    '\\w+:// of patterns',
  ),
  strip(
    'scheme-backslashes',
    'accepts backslashes for slashes',
    patterns({ scheme: `${SCHEME}:[/\\\\]{2}${URIC}+` }),
    'parsers of the URL Standard',
  ),
  strip(
    'scheme-no-slashes',
    'requires no slashes after the colon',
    patterns({ scheme: `${SCHEME}:${URIC}+` }),
    'the generic syntax of RFC 3986',
  ),
  strip(
    'address-2083',
    'ends an address after 2083 characters',
    patterns({ scheme: `${SCHEME}://${URIC}{1,2083}`, www: `[Ww][Ww][Ww][.]${URIC}{1,2083}` }),
    'the longest address of Internet Explorer',
  ),
  strip(
    'hosts-stripped',
    'treats a name with a dot and a path, or with a known last label, as an address',
    patterns({ www: `[Ww][Ww][Ww][.]${URIC}+|${DOMAIN}/${URIC}*|[A-Za-z0-9\\-.]+[.](?:com|org|net)(?![A-Za-z0-9])` }),
    'linkify of many libraries',
  ),
  strip(
    'www-any-character',
    'accepts any character for the dot after www',
    patterns({ www: `[Ww][Ww][Ww].${URIC}+` }),
    'a dot of a pattern that was not escaped',
  ),
  strip(
    'ignore-case-unicode',
    'folds case by Unicode: U+017F to s, U+212A to k',
    { ...forms({}, 'iu'), mayStart: (preceding) => preceding === undefined || !/^[A-Z0-9]$/iu.test(preceding) },
    '/iu of JavaScript, re.I of Python, UNICODE_CASE of Java',
  ),
  strip(
    'ignore-case-turkish',
    'folds U+0130 and U+0131 to i',
    forms({ anyCase: folding({ i: '\u0130\u0131' }) }),
    're.I of Python, UNICODE_CASE of Java',
  ),
  strip(
    'doi-without-groups',
    'accepts no groups after the registrant of a DOI',
    forms({ doiGroups: '{0}' }),
    '10.\\d{4,9}/ of the pattern that Crossref recommends',
  ),
  strip(
    'doi-any-dot',
    'accepts any character for the dot of a DOI',
    patterns({ doi: `10.[0-9]{4,9}(?:[.][0-9]+)*/${URIC}+` }),
    'a dot of a pattern that was not escaped',
  ),
  strip(
    'doi-crossref-characters',
    'accepts only - . _ ; ( ) / : letters and digits after the slash of a DOI',
    patterns({ doi: `${DOI}/[-._;()/:A-Za-z0-9]+` }),
    'the pattern that Crossref recommends',
  ),
  strip(
    'unicode-digits',
    'treats digits of any script as digits',
    forms({
      digit: '0-9\\u0660-\\u0669\\u06f0-\\u06f9\\u0966-\\u096f\\uff10-\\uff19',
      digestStart: '(?=[A-Fa-f]*[0-9\\u0660-\\u0669\\uff10-\\uff19])',
    }),
    '\\d of Python, .NET',
  ),
  strip(
    'email-mentions',
    'treats a name after an at sign as an e-mail address',
    patterns({ email: `${LOCAL}+@${DOMAIN}|@[A-Za-z0-9_.]+` }),
    'clean-up of tweets',
  ),
  strip(
    'email-dots',
    'lets labels of an e-mail address be empty',
    patterns({ email: `${LOCAL}+@[A-Za-z0-9\\-.]+[.][A-Za-z0-9\\-]+` }),
    '[\\w.-]+@[\\w.-]+ of patterns',
  ),
  strip(
    'email-greedy-domain',
    'includes dots and hyphens at the end of an e-mail address',
    patterns({ email: `${LOCAL}+@[A-Za-z0-9\\-.]+` }),
    '[\\w.-]+@[\\w.-]+ of patterns',
  ),
  strip(
    'email-last-label-letters',
    'requires two or more letters in the last label',
    forms({ emailGroups: '*[.][A-Za-z]{2,}' }),
    'the pattern of regular-expressions.info',
  ),
  strip(
    'email-underscore-label',
    'accepts an underscore in a label',
    forms({ label: 'A-Za-z0-9_\\-' }),
    '\\w of patterns',
  ),
  strip(
    'email-label-hyphens',
    'requires a letter or digit at both ends of a label',
    patterns({
      email: `${LOCAL}+@[A-Za-z0-9](?:[A-Za-z0-9\\-]*[A-Za-z0-9])?(?:[.][A-Za-z0-9](?:[A-Za-z0-9\\-]*[A-Za-z0-9])?)+`,
    }),
    'the pattern of the HTML Standard',
  ),
  strip(
    'email-local-plain',
    'accepts only letters, digits, dots, hyphens and underscores in a local part',
    forms({ localPart: 'A-Za-z0-9._\\-' }),
    '[\\w.-]+@ of patterns',
  ),
  strip(
    'email-local-rfc-5322',
    'accepts all characters of RFC 5322 in a local part',
    forms({ localPart: "A-Za-z0-9.!#$%&'*+/=?^_`{|}~\\-" }),
    'the pattern of the HTML Standard',
  ),
  strip(
    'email-local-unicode',
    'accepts letters of any script in a local part',
    forms({ localPart: `${locatorParts.localPart}\\u00aa-\\u1fff\\u2100-\\u218f\\u3040-\\ud7ff` }),
    '\\w of Python',
  ),
  strip(
    'email-label-unicode',
    'accepts letters of any script in a label',
    forms({ label: `${locatorParts.label}\\u00aa-\\u02ff\\u0370-\\u1fff\\u3040-\\ud7ff` }),
    '\\w of Python',
  ),
  strip(
    'email-local-64',
    'accepts up to 64 characters in a local part',
    patterns({ email: `${LOCAL}{1,64}@${DOMAIN}` }),
    'the limit of RFC 5321',
  ),
  strip(
    'email-label-63',
    'accepts up to 63 characters in a label',
    patterns({ email: `${LOCAL}+@[A-Za-z0-9\\-]{1,63}(?:[.][A-Za-z0-9\\-]{1,63})+` }),
    'the limit of RFC 1035',
  ),
  strip('uuid-word-end', 'lets no underscore follow a UUID', forms({ uuidEnd: wordEnd }), '\\b of patterns'),
  strip(
    'uuid-version',
    'requires a version of 1 to 5 and a known variant in a UUID',
    patterns({
      uuid: '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[1-5][0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}(?![A-Za-z0-9])',
    }),
    'validators of UUIDs',
  ),
  strip(
    'uuid-end-unicode',
    'lets no letter or digit of any script follow a UUID or a digest',
    forms({ uuidEnd: '(?![\\p{L}\\p{N}])', digestEnd: '(?![\\p{L}\\p{N}])' }, 'u'),
    '\\b of engines with Unicode word characters',
  ),
  strip('digest-40', 'requires 40 hexadecimal digits in a digest', forms({ digestLength: '{40,}' }), 'commits of Git'),
  strip(
    'digest-known-lengths',
    'recognises only digests of 32, 40, 56, 64, 96 and 128 hexadecimal digits',
    patterns({
      digest: `${locatorParts.digestStart}(?:[0-9A-Fa-f]{128}|[0-9A-Fa-f]{96}|[0-9A-Fa-f]{64}|[0-9A-Fa-f]{56}|[0-9A-Fa-f]{40}|[0-9A-Fa-f]{32})(?![A-Za-z0-9])`,
    }),
    'the lengths of MD5, SHA-1 and SHA-2',
  ),
  strip('digest-word-end', 'lets no underscore follow a digest', forms({ digestEnd: wordEnd }), '\\b of patterns'),
];

/** Form 3 with something else after the prefix. */
function prefixWith(behind: string, colon = ':'): string {
  return `(?:${locatorParts.prefixes.map(locatorParts.anyCase).join('|')})${colon}${behind}`;
}
