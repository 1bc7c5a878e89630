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
import type { Changes } from './mutation.ts';

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

export const locatorChanges: Changes = {
  'locators-kept': { findLocators: () => [] },
  'forms-one-by-one': {
    stripLocators: (text, s) =>
      s.locatorForms.reduce((rest, form) => steps.stripLocators(rest, { ...s, locatorForms: [form] }), text),
  },
  'locators-in-chunks': {
    stripLocators: (text, s) => {
      const all = Array.from(text);
      let result = '';
      for (let at = 0; at < all.length; at += CHUNK)
        result += steps.stripLocators(all.slice(at, at + CHUNK).join(''), s);
      return result;
    },
    long: ['fingerprint/buffers-locators', 'fingerprint/long-locator'],
  },
  'start-not-behind-unicode': {
    mayStart: (preceding) => preceding === undefined || !/^[\p{L}\p{N}]$/u.test(preceding),
  },
  'start-not-behind-word': { mayStart: (preceding) => preceding === undefined || !/^\w$/.test(preceding) },
  'start-behind-white-space': { mayStart: (preceding) => preceding === undefined || /^\s$/.test(preceding) },

  // Characters of an address.
  'uric-non-space': patterns({
    scheme: `${SCHEME}://\\S+`,
    www: '[Ww][Ww][Ww][.]\\S+',
    prefix: prefixWith('\\S+'),
    doi: `${DOI}/\\S+`,
  }),
  'uric-with-letters': forms({ uric: `${locatorParts.uric}\\u00aa-\\u1fff\\u3040-\\ud7ff\\uf900-\\ufaff` }),
  'address-end-trimmed': cut(uricForms, /[.,:;!?]+$/),
  'address-bracket-trimmed': cut(uricForms, /[)]$/),

  // Form 1.
  'scheme-web-only': patterns({ scheme: `(?:[Hh][Tt][Tt][Pp][Ss]?|[Ff][Tt][Pp])://${URIC}+` }),
  'scheme-underscore': forms({ schemeRest: 'A-Za-z0-9+.\\-_' }),
  'scheme-backslashes': patterns({ scheme: `${SCHEME}:[/\\\\]{2}${URIC}+` }),
  'scheme-no-slashes': patterns({ scheme: `${SCHEME}:${URIC}+` }),
  'address-2083': patterns({ scheme: `${SCHEME}://${URIC}{1,2083}`, www: `[Ww][Ww][Ww][.]${URIC}{1,2083}` }),
  'hosts-stripped': patterns({
    www: `[Ww][Ww][Ww][.]${URIC}+|${DOMAIN}/${URIC}*|[A-Za-z0-9\\-.]+[.](?:com|org|net)(?![A-Za-z0-9])`,
  }),
  'www-any-character': patterns({ www: `[Ww][Ww][Ww].${URIC}+` }),
  'ignore-case-unicode': {
    ...forms({}, 'iu'),
    mayStart: (preceding) => preceding === undefined || !/^[A-Z0-9]$/iu.test(preceding),
  },
  'ignore-case-turkish': forms({ anyCase: folding({ i: '\u0130\u0131' }) }),
  'doi-without-groups': forms({ doiGroups: '{0}' }),
  'doi-any-dot': patterns({ doi: `10.[0-9]{4,9}(?:[.][0-9]+)*/${URIC}+` }),
  'doi-crossref-characters': patterns({ doi: `${DOI}/[-._;()/:A-Za-z0-9]+` }),
  'unicode-digits': forms({
    digit: '0-9\\u0660-\\u0669\\u06f0-\\u06f9\\u0966-\\u096f\\uff10-\\uff19',
    digestStart: '(?=[A-Fa-f]*[0-9\\u0660-\\u0669\\uff10-\\uff19])',
  }),
  'email-mentions': patterns({ email: `${LOCAL}+@${DOMAIN}|@[A-Za-z0-9_.]+` }),
  'email-dots': patterns({ email: `${LOCAL}+@[A-Za-z0-9\\-.]+[.][A-Za-z0-9\\-]+` }),
  'email-greedy-domain': patterns({ email: `${LOCAL}+@[A-Za-z0-9\\-.]+` }),
  'email-last-label-letters': forms({ emailGroups: '*[.][A-Za-z]{2,}' }),
  'email-underscore-label': forms({ label: 'A-Za-z0-9_\\-' }),
  'email-label-hyphens': patterns({
    email: `${LOCAL}+@[A-Za-z0-9](?:[A-Za-z0-9\\-]*[A-Za-z0-9])?(?:[.][A-Za-z0-9](?:[A-Za-z0-9\\-]*[A-Za-z0-9])?)+`,
  }),
  'email-local-plain': forms({ localPart: 'A-Za-z0-9._\\-' }),
  'email-local-rfc-5322': forms({ localPart: "A-Za-z0-9.!#$%&'*+/=?^_`{|}~\\-" }),
  'email-local-unicode': forms({ localPart: `${locatorParts.localPart}\\u00aa-\\u1fff\\u2100-\\u218f\\u3040-\\ud7ff` }),
  'email-label-unicode': forms({ label: `${locatorParts.label}\\u00aa-\\u02ff\\u0370-\\u1fff\\u3040-\\ud7ff` }),
  'email-local-64': patterns({ email: `${LOCAL}{1,64}@${DOMAIN}` }),
  'email-label-63': patterns({ email: `${LOCAL}+@[A-Za-z0-9\\-]{1,63}(?:[.][A-Za-z0-9\\-]{1,63})+` }),
  'uuid-word-end': forms({ uuidEnd: wordEnd }),
  'uuid-version': patterns({
    uuid: '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[1-5][0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}(?![A-Za-z0-9])',
  }),
  'uuid-end-unicode': forms({ uuidEnd: '(?![\\p{L}\\p{N}])', digestEnd: '(?![\\p{L}\\p{N}])' }, 'u'),
  'digest-40': forms({ digestLength: '{40,}' }),
  'digest-known-lengths': patterns({
    digest: `${locatorParts.digestStart}(?:[0-9A-Fa-f]{128}|[0-9A-Fa-f]{96}|[0-9A-Fa-f]{64}|[0-9A-Fa-f]{56}|[0-9A-Fa-f]{40}|[0-9A-Fa-f]{32})(?![A-Za-z0-9])`,
  }),
  'digest-word-end': forms({ digestEnd: wordEnd }),
};

/** Form 3 with something else after the prefix. */
function prefixWith(behind: string, colon = ':'): string {
  return `(?:${locatorParts.prefixes.map(locatorParts.anyCase).join('|')})${colon}${behind}`;
}
