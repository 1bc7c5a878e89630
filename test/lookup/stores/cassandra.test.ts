import cassandra from 'cassandra-driver';
import { describe, expect, test, vi } from 'vitest';
import { LABEL } from '../../../src/index.ts';
import { connect, mapLimited } from '../../../src/lookup/stores/cassandra/cassandra-connection.ts';
import { openCassandraIndex } from '../../../src/lookup/stores/cassandra/cassandra-index.ts';
import { readTarget } from '../../../src/lookup/stores/cassandra/cassandra-url.ts';
import { folder, run } from '../../cli/command.ts';

describe('a cassandra:// URL', () => {
  test('has options before parameters, and its password is in no message', () => {
    const url = 'cassandra://me:p%40ss:@word@db1:9142,db2/library?datacenter=here&read=ONE&buckets=4&tls=true';
    expect(readTarget(url, { read: 'ALL', replication: 2 })).toEqual({
      place: 'cassandra://me@db1:9142,db2/library?datacenter=here&read=ONE&buckets=4&tls=true',
      contactPoints: ['db1:9142', 'db2'],
      port: 9142,
      keyspace: 'library',
      credentials: { username: 'me', password: 'p@ss:@word' },
      tls: true,
      datacenter: 'here',
      read: 'ALL',
      write: 'LOCAL_QUORUM',
      buckets: 4,
      replication: 2,
    });
    expect(readTarget('cassandra://db/k', {})).toMatchObject({
      read: 'LOCAL_QUORUM',
      write: 'LOCAL_QUORUM',
      buckets: 1,
      credentials: undefined,
      tls: false,
    });
  });

  test.each([
    ...['cassandra://db', 'cassandra:///k', 'cassandra://db/a/b', 'cassandra://db:1,db:2/k'],
    ...['cassandra://db/k?nope=1', 'cassandra://db/k?read=MOST', 'cassandra://db/k?buckets=0'],
    ...['cassandra://db/k?buckets=x', 'cassandra://db/k?replication=1.5', 'cassandra://db/k?tls=yes'],
  ])('is rejected: %s', (url) => {
    expect(() => readTarget(url.replace('//db', '//me:secret@db'), {})).toThrow(
      expect.objectContaining({ code: 'out-of-range', message: expect.not.stringContaining('secret') }),
    );
  });
});

test('a missing node is an error without the password, also from the command', async () => {
  const url = 'cassandra://me:secret@127.0.0.1:1/library';
  const error: Error = await openCassandraIndex(url, { label: LABEL }).then(
    () => new Error('opened'),
    (reason) => reason,
  );
  expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('cassandra://me@127.0.0.1:1/') });
  expect(error.message).toContain('no node can be reached (127.0.0.1:1: ');
  expect(error.message).not.toContain('secret');
  const { code, stdout, stderr } = await run(['index', 'query', url, 'AAAAAAAAAAAAA'], { cwd: folder({}) });
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toContain('no node can be reached');
});

test('the error of a write is one line that says the outcome is unknown, the error of a read is only one line', async () => {
  const { prototype } = cassandra.Client;
  const failure = Object.assign(new Error('Cannot achieve\n  consistency'), { code: 0x2200 });
  const spies = [
    vi.spyOn(prototype, 'connect').mockResolvedValue(),
    vi.spyOn(prototype, 'execute').mockRejectedValue(failure),
    vi.spyOn(prototype, 'batch').mockRejectedValue(failure),
  ];
  const connection = await connect(readTarget('cassandra://db/k?datacenter=dc1', {}));
  const message = 'cassandra://db/k?datacenter=dc1: Cannot achieve consistency';
  const changed = `${message}; outcome unknown: some of these changes may be written`;
  await expect(connection.read('SELECT')).rejects.toMatchObject({ code: 'unavailable', message });
  await expect(connection.write('INSERT', [])).rejects.toMatchObject({ code: 'unavailable', message: changed });
  await expect(connection.batch([], 1)).rejects.toMatchObject({ code: 'unavailable', message: changed });
  await connection.close();
  for (const spy of spies) spy.mockRestore();
});

test('mapLimited bounds concurrency, keeps the order, and stops after a failure', async () => {
  let [running, max, begun] = [0, 0, 0];
  const results = await mapLimited([...'abcdefgh'], 3, async (letter) => {
    max = Math.max(max, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return letter.toUpperCase();
  });
  expect([results.join(''), max, running]).toEqual(['ABCDEFGH', 3, 0]);
  const failing = mapLimited([...Array(100).keys()], 4, async (i) => {
    begun++;
    await new Promise((resolve) => setImmediate(resolve));
    if (i === 5) throw new Error('five');
  });
  await expect(failing).rejects.toThrow('five');
  expect(begun).toBeLessThan(12);
});
