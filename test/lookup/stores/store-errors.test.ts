import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { openPostgresIndex } from '../../../src/lookup/stores/postgres/postgres-index.ts';
import { storeError, withoutPassword } from '../../../src/lookup/stores/store-errors.ts';

describe('a password is in no message and no cause', () => {
  const passwords = ['secret', 'se/cret', 'secret#', 'sec?ret', 'secret@', 'secret%', '%zzsecret', 'secret:x'];

  test.each(passwords)('%s', async (password) => {
    const errors: Error[] = [];
    for (const create of [true, false]) {
      const where = `u:${password}@127.0.0.1:1/x`;
      errors.push(await openPostgresIndex(`postgres://${where}`, { create }).catch((error) => error));
    }
    for (const error of errors) {
      expect(error).toHaveProperty('code', expect.stringMatching(/^(?:unavailable|out-of-range)$/));
      expect(error.message).toContain('://u@127.0.0.1:1/x');
      expect(inspect(error, { depth: 9 })).not.toMatch(/c?ret/);
    }
  });

  test('as a parameter, or after a part that looks like a port', async () => {
    for (const url of ['postgres://127.0.0.1:1/x?user=u&password=secret', 'postgres://u:12/secret@127.0.0.1:1/x']) {
      const error: Error = await openPostgresIndex(url).catch((error) => error);
      expect(error.message).not.toContain('secret');
    }
  });

  test('whatever the scheme is', () => {
    for (const scheme of ['postgres', 'POSTGRES', 'postgres+ssl', 'db2', 'a.b-c'])
      expect(withoutPassword(`${scheme}://u:secret@h/x`)).toBe(`${scheme}://u@h/x`);
  });
});

test('the message of a store is one line without control characters', () => {
  expect(storeError('unavailable', 'a\nb', ' one\r\n  two\x1b[31m\n').message).toBe('a\\x0ab: one two\\x1b[31m');
});
