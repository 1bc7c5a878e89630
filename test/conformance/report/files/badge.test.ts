import { expect, test } from 'vitest';
import { badgeOf, writeBadge } from '../../../../src/conformance/report/files/badge.ts';
import { FAILING, PASSING } from '../report.ts';

const known = ['tokenise/bad'];
const cases = [
  ['classes', badgeOf({ ...PASSING, classes: PASSING.classes.slice(0, 1) }), 'hash, vectors 1.2.3', 'brightgreen'],
  [
    'what was not answered',
    badgeOf(PASSING),
    'hash and text, vectors 1.2.3; not answered: 30 of fingerprint (utf16), 70 of classify and 3 accumulated',
    'green',
  ],
  ['no class', badgeOf({ ...PASSING, verdict: 'untested', classes: [] }), '1 vector passed', 'lightgrey'],
  ['failures, a class conforms', badgeOf(FAILING), '5 of 6 vectors failed', 'orange'],
  ['failures', badgeOf({ ...FAILING, classes: [] }), '5 of 6 vectors failed', 'red'],
  ['a part', badgeOf({ ...PASSING, selection: '--group tokenise' }), '1 vector passed', 'lightgrey'],
  [
    'known failures',
    badgeOf(FAILING, { baseline: { passes: true, known, problems: [] } }),
    '1 known failure',
    'yellow',
  ],
  ['random cases', badgeOf({ ...PASSING, verdict: 'fails', classes: [] }), 'does not conform', 'red'],
] as const;

test.each(cases)('the badge names the classes: %s', (_, badge, message, color) => {
  // https://shields.io/badges/endpoint-badge
  expect(badge).toEqual({ schemaVersion: 1, label: 'simhash-doc', message, color });
});

test('the badge is one line of JSON', () => {
  expect(JSON.parse(writeBadge(PASSING))).toEqual(badgeOf(PASSING));
});
