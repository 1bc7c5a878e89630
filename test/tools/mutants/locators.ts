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

/** The forms in another order. */
const ordered = (names: readonly LocatorName[]): Partial<Steps> => ({
  locatorForms: names.map((name) => locatorForms.find((form) => form.name === name)!),
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
const uricPunctuation = "-._~%:/?#[]@!$&'()*+,;=";

const withoutUric = (characters: string): Partial<Steps> => {
  const kept = Array.from(uricPunctuation).filter((one) => !characters.includes(one));
  return forms({ uric: `A-Za-z0-9${kept.map((one) => `\\${one}`).join('')}` });
};

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

const NAMES_OF_FORMS: Readonly<Record<LocatorName, string>> = {
  scheme: 'addresses with a scheme',
  www: 'addresses with www.',
  prefix: 'identifiers with a prefix',
  doi: 'bare DOIs',
  email: 'e-mail addresses',
  uuid: 'UUIDs',
  digest: 'digests',
};

export const locatorMutations: readonly Mutation[] = [
  strip('locators-kept', 'strips no locators', { findLocators: () => [] }),
  ...locatorNames.map((name) =>
    strip(
      `no-${name}-form`,
      `does not strip ${NAMES_OF_FORMS[name]}`,
      ordered(locatorNames.filter((each) => each !== name)),
    ),
  ),

  strip('locator-deleted', 'deletes a locator and leaves no space', { locatorReplacement: '' }),
  strip('locators-reversed', 'tries the forms from the last to the first', ordered([...locatorNames].reverse())),
  strip(
    'email-form-first',
    'tries e-mail addresses before all other forms',
    ordered(['email', ...locatorNames.filter((name) => name !== 'email')]),
  ),
  strip(
    'forms-one-by-one',
    'strips all matches of one form before it searches for the next form',
    {
      stripLocators: (text, s) =>
        s.locatorForms.reduce((rest, form) => steps.stripLocators(rest, { ...s, locatorForms: [form] }), text),
    },
    'one call of a replace function for each pattern',
  ),
  strip('locators-rescanned', 'scans its output again until nothing matches', {
    stripLocators: (text, s) => {
      let [before, after] = ['', text];
      while (before !== after) [before, after] = [after, steps.stripLocators(after, s)];
      return after;
    },
  }),
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

  // The places where a match may start.
  strip('start-anywhere', 'lets a match start after a letter or digit', { mayStart: () => true }),
  strip('start-behind-letter', 'lets a match start after a letter', {
    mayStart: (preceding) => preceding === undefined || !/^[0-9]$/.test(preceding),
  }),
  strip('start-behind-digit', 'lets a match start after a digit', {
    mayStart: (preceding) => preceding === undefined || !/^[A-Za-z]$/.test(preceding),
  }),
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
  strip('start-behind-match', 'treats the space that replaced a match as the preceding code point', {
    precedingCharacter: (text, at, found) =>
      found.at(-1)?.end === at ? ' ' : steps.precedingCharacter(text, at, found),
  }),
  strip('start-not-behind-match', 'lets no match start directly after another', {
    precedingCharacter: (text, at, found) =>
      found.at(-1)?.end === at ? 'x' : steps.precedingCharacter(text, at, found),
  }),

  // Characters of an address.
  ...(
    [
      ['brackets', '[]', 'square brackets'],
      ['parentheses', '()', 'parentheses'],
      ['apostrophe', "'", 'the apostrophe'],
      ['tilde', '~', 'the tilde'],
      ['comma', ',;', 'comma and semicolon'],
      ['exclamation', '!', 'the exclamation mark'],
      ['at', '@', 'the at sign'],
      ['colon', ':', 'the colon'],
      ['fragment', '#', 'the number sign'],
      ['percent', '%', 'the percent sign'],
      ['star', '*', 'the asterisk'],
      ['dollar', '$', 'the dollar sign'],
      ['plus', '+', 'the plus sign'],
    ] as const
  ).map(([name, characters, words]) =>
    strip(`uric-without-${name}`, `ends an address at ${words}`, withoutUric(characters)),
  ),
  strip('uric-with-pipe', 'continues an address at | \\ ^ ` { }', forms({ uric: `${locatorParts.uric}|\\\\^\`{}` })),
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
    'uric-word',
    'continues an address at word characters and some punctuation only',
    forms({ uric: '\\w./?=&#%:\\-' }),
  ),
  strip(
    'address-end-trimmed',
    'leaves punctuation at the end of an address',
    cut(uricForms, /[.,:;!?]+$/),
    'linkify of many libraries',
  ),
  strip('address-dot-trimmed', 'leaves a dot at the end of an address', cut(uricForms, /[.]$/)),
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
    'scheme-lower-case',
    'recognises schemes only in lower case',
    forms({ schemeFirst: 'a-z', schemeRest: 'a-z0-9+.\\-' }),
  ),
  strip('scheme-letters-only', 'accepts only letters in a scheme', forms({ schemeRest: 'A-Za-z' })),
  strip('scheme-digit-first', 'lets a scheme begin with a digit', forms({ schemeFirst: 'A-Za-z0-9' })),
  strip(
    'scheme-punctuation-first',
    'lets a scheme begin with any of its characters',
    forms({ schemeFirst: 'A-Za-z0-9+.\\-' }),
  ),
  strip(
    'scheme-underscore',
    'accepts an underscore in a scheme',
    forms({ schemeRest: 'A-Za-z0-9+.\\-_' }),
    '\\w+:// of patterns',
  ),
  strip(
    'scheme-two-letters',
    'requires two characters in a scheme',
    patterns({ scheme: `[A-Za-z][A-Za-z0-9+.\\-]+://${URIC}+` }),
  ),
  strip(
    'scheme-short',
    'recognises schemes of up to 32 characters',
    patterns({ scheme: `[A-Za-z][A-Za-z0-9+.\\-]{0,31}://${URIC}+` }),
  ),
  strip('scheme-nothing-behind', 'requires nothing after ://', patterns({ scheme: `${SCHEME}://${URIC}*` })),
  strip('scheme-one-slash', 'requires only one slash after the colon', patterns({ scheme: `${SCHEME}:/${URIC}+` })),
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

  // Form 2.
  strip('www-case-sensitive', 'recognises www only in lower case', patterns({ www: `www[.]${URIC}+` })),
  strip(
    'www-two-dots',
    'requires a second dot after www',
    patterns({ www: `[Ww][Ww][Ww][.][A-Za-z0-9\\-]+[.]${URIC}+` }),
  ),
  strip('www-nothing-behind', 'requires nothing after www.', patterns({ www: `[Ww][Ww][Ww][.]${URIC}*` })),
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
  strip('www-numbered', 'accepts www2. for www.', patterns({ www: `[Ww][Ww][Ww][0-9]*[.]${URIC}+` })),

  // Form 3.
  strip(
    'prefix-case-sensitive',
    'recognises prefixes only in lower case',
    forms({ anyCase: (word) => (word === 'www' ? '[Ww]{3}' : word) }),
  ),
  strip(
    'ignore-case-unicode',
    'folds case by Unicode: U+017F to s, U+212A to k',
    { ...forms({}, 'iu'), mayStart: (preceding) => preceding === undefined || !/^[A-Z0-9]$/iu.test(preceding) },
    '/iu of JavaScript, re.I of Python, UNICODE_CASE of Java',
  ),
  strip(
    'prefix-fold-unicode',
    'folds only the letters of prefixes by Unicode',
    forms({ anyCase: folding({ s: '\u017f', k: '\u212a' }) }),
  ),
  strip(
    'ignore-case-turkish',
    'folds U+0130 and U+0131 to i',
    forms({ anyCase: folding({ i: '\u0130\u0131' }) }),
    're.I of Python, UNICODE_CASE of Java',
  ),
  strip('full-width-forms', 'treats full-width letters, digits and punctuation as ASCII', {
    stripLocators: (text, s) => {
      const ascii = text.replace(/[\uff01-\uff5e]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xfee0));
      let [result, behind] = ['', 0];
      for (const { start, end } of s.findLocators(ascii, s)) {
        result += text.slice(behind, start) + s.locatorReplacement;
        behind = end;
      }
      return result + text.slice(behind);
    },
  }),
  strip(
    'prefix-few',
    'recognises only the prefixes doi, isbn, issn and urn',
    forms({ prefixes: ['doi', 'isbn', 'issn', 'urn'] }),
  ),
  strip(
    'prefix-without-new',
    'does not recognise the prefixes ark, cid, did, info, orcid and swh',
    forms({
      prefixes: locatorParts.prefixes.filter(
        (prefix) => !['ark', 'cid', 'did', 'info', 'orcid', 'swh'].includes(prefix),
      ),
    }),
  ),
  strip(
    'prefix-with-pmc',
    'recognises further prefixes: pmc, uuid, oai, file, sha1, http',
    forms({ prefixes: [...locatorParts.prefixes, 'pmc', 'uuid', 'oai', 'file', 'sha1', 'http'] }),
  ),
  strip('prefix-any-word', 'treats any word before a colon as a prefix', patterns({ prefix: `[A-Za-z]+:${URIC}+` })),
  strip(
    'prefix-space-behind',
    'lets spaces follow the colon of a prefix',
    patterns({ prefix: prefixWith(` *${URIC}+`) }),
  ),
  strip(
    'prefix-space-before',
    'lets spaces precede the colon of a prefix',
    patterns({ prefix: prefixWith(`${URIC}+`, ' *:') }),
  ),
  strip(
    'prefix-colon-optional',
    'requires no colon after a prefix if a digit follows',
    patterns({ prefix: prefixWith(`${URIC}+`, '(?::|(?=[0-9]))') }),
  ),
  strip(
    'prefix-nothing-behind',
    'requires nothing after the colon of a prefix',
    patterns({ prefix: prefixWith(`${URIC}*`) }),
  ),
  strip(
    'prefix-digits-behind',
    'requires a digit after the colon of a prefix',
    patterns({ prefix: prefixWith(`(?=[0-9])${URIC}+`) }),
  ),
  strip(
    'prefix-longer-word',
    'allows letters and digits between a prefix and its colon',
    patterns({ prefix: prefixWith(`${URIC}+`, '[A-Za-z0-9]*:') }),
  ),

  // Form 4.
  strip('doi-3-digits', 'accepts 3 digits of the registrant of a DOI', forms({ doiDigits: '{3,9}' })),
  strip('doi-10-digits', 'accepts 10 and more digits of the registrant of a DOI', forms({ doiDigits: '{4,}' })),
  strip('doi-4-digits', 'accepts no more than 4 digits of the registrant of a DOI', forms({ doiDigits: '{4}' })),
  strip('doi-5-digits', 'accepts no more than 5 digits of the registrant of a DOI', forms({ doiDigits: '{4,5}' })),
  strip(
    'doi-without-groups',
    'accepts no groups after the registrant of a DOI',
    forms({ doiGroups: '{0}' }),
    '10.\\d{4,9}/ of the pattern that Crossref recommends',
  ),
  strip('doi-one-group', 'accepts only one group after the registrant of a DOI', forms({ doiGroups: '?' })),
  strip(
    'doi-empty-group',
    'lets groups of a DOI be empty',
    patterns({ doi: `10[.][0-9]{4,9}(?:[.][0-9]*)*/${URIC}+` }),
  ),
  strip(
    'doi-group-letters',
    'allows letters in groups of a DOI',
    patterns({ doi: `10[.][0-9]{4,9}[A-Za-z0-9.]*/${URIC}+` }),
  ),
  strip(
    'doi-no-directory',
    'accepts a DOI without 10 and a dot',
    patterns({ doi: `(?:10[.])?[0-9]{4,9}(?:[.][0-9]+)*/${URIC}+` }),
  ),
  strip(
    'doi-any-directory',
    'accepts any number for the 10 of a DOI',
    patterns({ doi: `[0-9]+[.][0-9]{4,9}(?:[.][0-9]+)*/${URIC}+` }),
  ),
  strip('doi-nothing-behind', 'requires nothing after the slash of a DOI', patterns({ doi: `${DOI}/${URIC}*` })),
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

  // Form 5.
  strip('email-one-label', 'accepts a single label after the at sign', forms({ emailGroups: '*' })),
  strip(
    'email-mentions',
    'treats a name after an at sign as an e-mail address',
    patterns({ email: `${LOCAL}+@${DOMAIN}|@[A-Za-z0-9_.]+` }),
    'clean-up of tweets',
  ),
  strip('email-two-at', 'accepts several at signs in a row', patterns({ email: `${LOCAL}+@+${DOMAIN}` })),
  strip('email-spaces', 'allows a space on either side of the at sign', patterns({ email: `${LOCAL}+ ?@ ?${DOMAIN}` })),
  strip('email-trailing-dot', 'includes a dot after an e-mail address', forms({ emailGroups: '+[.]?' })),
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
    'email-last-label-short',
    'accepts up to 4 letters in the last label',
    forms({ emailGroups: '*[.][A-Za-z]{2,4}' }),
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
    'email-local-letter-first',
    'requires a letter or digit at the start of a local part',
    patterns({ email: `[A-Za-z0-9]${LOCAL}*@${DOMAIN}` }),
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

  // Forms 6 and 7.
  strip('uuid-letter-behind', 'lets a letter or digit follow a UUID', forms({ uuidEnd: '' })),
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
    'uuid-lower-case',
    'recognises UUIDs only in lower case',
    patterns({ uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![A-Za-z0-9])' }),
  ),
  strip(
    'uuid-one-case',
    'does not recognise UUIDs in both cases',
    patterns({
      uuid: ['a-f', 'A-F']
        .map((hex) => [8, 4, 4, 4, 12].map((length) => `[0-9${hex}]{${length}}`).join('-'))
        .map((each) => `${each}(?![A-Za-z0-9])`)
        .join('|'),
    }),
  ),
  strip(
    'uuid-any-letters',
    'accepts any letters for hexadecimal digits of a UUID',
    patterns({ uuid: '[0-9A-Za-z]{8}-[0-9A-Za-z]{4}-[0-9A-Za-z]{4}-[0-9A-Za-z]{4}-[0-9A-Za-z]{12}(?![A-Za-z0-9])' }),
  ),
  strip(
    'uuid-any-dash',
    'accepts any dash for a hyphen of a UUID',
    patterns({
      uuid: '[0-9A-Fa-f]{8}[\\-\\u2010-\\u2015][0-9A-Fa-f]{4}[\\-\\u2010-\\u2015][0-9A-Fa-f]{4}[\\-\\u2010-\\u2015][0-9A-Fa-f]{4}[\\-\\u2010-\\u2015][0-9A-Fa-f]{12}(?![A-Za-z0-9])',
    }),
  ),
  strip(
    'uuid-any-groups',
    'accepts groups of any length in a UUID',
    patterns({ uuid: '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4,12}){3,4}(?![A-Za-z0-9])' }),
  ),
  strip('uuid-not-behind-hyphen', 'refuses a UUID with a hyphen beside it', forms({ uuidEnd: '(?![A-Za-z0-9-])' })),
  strip(
    'uuid-end-unicode',
    'lets no letter or digit of any script follow a UUID or a digest',
    forms({ uuidEnd: '(?![\\p{L}\\p{N}])', digestEnd: '(?![\\p{L}\\p{N}])' }, 'u'),
    '\\b of engines with Unicode word characters',
  ),
  strip('digest-31', 'accepts 31 hexadecimal digits as a digest', forms({ digestLength: '{31,}' })),
  strip('digest-33', 'requires 33 hexadecimal digits in a digest', forms({ digestLength: '{33,}' })),
  strip('digest-40', 'requires 40 hexadecimal digits in a digest', forms({ digestLength: '{40,}' }), 'commits of Git'),
  strip('digest-16', 'accepts 16 hexadecimal digits as a digest', forms({ digestLength: '{16,}' })),
  strip(
    'digest-known-lengths',
    'recognises only digests of 32, 40, 56, 64, 96 and 128 hexadecimal digits',
    patterns({
      digest: `${locatorParts.digestStart}(?:[0-9A-Fa-f]{128}|[0-9A-Fa-f]{96}|[0-9A-Fa-f]{64}|[0-9A-Fa-f]{56}|[0-9A-Fa-f]{40}|[0-9A-Fa-f]{32})(?![A-Za-z0-9])`,
    }),
    'the lengths of MD5, SHA-1 and SHA-2',
  ),
  strip(
    'digest-at-most-128',
    'accepts no more than 128 hexadecimal digits as a digest',
    forms({ digestLength: '{32,128}' }),
  ),
  strip('digest-without-digit', 'requires no decimal digit in a digest', forms({ digestStart: '' })),
  strip(
    'digest-with-letter',
    'requires a letter in a digest',
    forms({ digestStart: '(?=[A-Fa-f]*[0-9])(?=[0-9]*[A-Fa-f])' }),
  ),
  strip(
    'digest-digit-early',
    'searches only the first 32 hexadecimal digits for a decimal digit',
    forms({ digestStart: '(?=[A-Fa-f]{0,31}[0-9])' }),
  ),
  strip(
    'digest-digit-behind',
    'accepts a decimal digit a little after a digest',
    forms({ digestStart: '(?=[A-Fa-f]*.?.?[0-9])' }),
  ),
  strip(
    'digest-lower-case',
    'recognises digests only in lower case',
    patterns({ digest: '(?=[a-f]*[0-9])[0-9a-f]{32,}(?![A-Za-z0-9])' }),
  ),
  strip(
    'digest-one-case',
    'does not recognise digests in both cases',
    patterns({ digest: '(?=[A-Fa-f]*[0-9])(?:[0-9a-f]{32,}|[0-9A-F]{32,})(?![A-Za-z0-9])' }),
  ),
  strip('digest-letter-behind', 'lets a letter or digit follow a digest', forms({ digestEnd: '' })),
  strip('digest-word-end', 'lets no underscore follow a digest', forms({ digestEnd: wordEnd }), '\\b of patterns'),
  strip(
    'digest-letters',
    'treats 32 or more letters and digits of any kind as a digest',
    patterns({ digest: '(?=[A-Za-z]*[0-9])[A-Za-z0-9]{32,}(?![A-Za-z0-9])' }),
  ),
  strip(
    'digest-prefix',
    'includes 0x before a digest',
    patterns({ digest: '(?:0[xX])?(?=[A-Fa-f]*[0-9])[0-9A-Fa-f]{32,}(?![A-Za-z0-9])' }),
  ),
];

/** Form 3 with something else after the prefix. */
function prefixWith(behind: string, colon = ':'): string {
  return `(?:${locatorParts.prefixes.map(locatorParts.anyCase).join('|')})${colon}${behind}`;
}
