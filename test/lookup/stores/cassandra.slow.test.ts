import { spawnSync } from 'node:child_process';
import cassandra from 'cassandra-driver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LABEL, toHex } from '../../../src/index.ts';
import { entryRows } from '../../../src/lookup/stores/cassandra/cassandra-documents.ts';
import { openCassandraIndex, type StoredIndex } from '../../../src/lookup/stores/cassandra/cassandra-index.ts';
import { isThere } from '../../adapters/implementations.ts';
import { hasModules, PYTHON } from '../../adapters/wheel.ts';
import { jsonLines } from '../../cli/command.ts';
import { all } from '../../suite.ts';
import { twin } from '../../twin/twin.ts';
import { describeIndex } from '../contract.ts';
import { expectReader } from '../contract-wide.ts';
import { type NarrowEntry as Entry, flipped, randomOf, uniform } from '../data.ts';
import { hasCassandra, startCassandra } from './cassandra/nodes.ts';
import { createPool } from './cassandra/pool.ts';
import { expectCommand, expectUpgrade } from './contract-server.ts';

function clustered(count: number, prefix = ''): Entry[] {
  const random = randomOf(count);
  const centres = uniform(20);
  return Array.from({ length: count }, (_, i) => ({
    id: `${prefix}${i}`,
    fingerprint: flipped(centres[i % 20]!, 9, random),
  }));
}

const hasPythonDriver = hasModules('cassandra.cluster');

describe.runIf(isThere('Apache Cassandra (Java 17 and Maven)', hasCassandra))(
  'an index on three nodes of Apache Cassandra',
  () => {
    let cluster: Awaited<ReturnType<typeof startCassandra>>;
    let pool: ReturnType<typeof createPool>;
    beforeAll(async () => {
      cluster = await startCassandra(3);
      pool = createPool(cluster.contactPoints);
      await pool.client.connect();
    });
    afterAll(async () => {
      await pool?.client.shutdown();
      await cluster?.stop();
    });

    describeIndex('Cassandra', (label) => pool.open(label), 2, undefined, 0.05);

    test('keeps losses, also if an early version made its table', async () => {
      await (await openCassandraIndex(pool.url('losses'), { label: LABEL, create: true })).close();
      await pool.client.execute('ALTER TABLE losses.simhash_doc_document DROP losses');
      await expectUpgrade((mode) => openCassandraIndex(pool.url('losses'), { mode }));
    });

    test('with several buckets answers every k like the twin, after changes, after reopening, and from Python', async () => {
      const url = pool.url('buckets');
      const index = await openCassandraIndex(url, { label: LABEL, create: true, buckets: 3 });
      const entries = clustered(300);
      await index.addAll(entries);
      await index.upsert('7', 5n);
      await index.removeAll(['8', '9', 'nope']);
      await index.addAll(Array.from({ length: 60 }, (_, i) => ({ id: `hot ${i}`, fingerprint: 5n })));
      const model = entries
        .filter(({ id }) => !['7', '8', '9'].includes(id))
        .concat({ id: '7', fingerprint: 5n })
        .concat(Array.from({ length: 60 }, (_, i) => ({ id: `hot ${i}`, fingerprint: 5n })));
      await index.close();
      const again = await openCassandraIndex(url, { mode: 'read', read: 'QUORUM' });
      for (const k of [0, 3, 4, 7, 20]) {
        const query = flipped(entries[k]!.fingerprint, k, randomOf(k));
        expect((await again.query(query, { k })).matches).toMatchObject(twin.matches(model, query, k));
      }
      expect(await again.verify()).toEqual({ documents: 358, faults: [] });
      await expect(again.add('x', 1n)).rejects.toMatchObject({ code: 'read-only' });
      await expect(again.files.remove('x')).rejects.toMatchObject({ code: 'read-only' });
      await again.close();
      // No partition has most of the rows of a hot key.
      const partitions = await pool.client.execute(
        'SELECT bucket, count(*) AS n FROM buckets.simhash_doc_entry WHERE table_no = 0 AND table_key = 0 AND bucket IN (0, 1, 2) GROUP BY table_no, table_key, bucket',
      );
      expect(partitions.rows.length).toBe(3);
      for (const { n } of partitions.rows) expect(Number(n)).toBeLessThan(40);

      if (!isThere('the Python package cassandra-driver', hasPythonDriver)) return;
      const read = (...args: string[]): string => readFrom('buckets', ...args);
      const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
      expect((jsonLines(read()) as unknown as { id: string; fingerprint: string }[]).sort(byId)).toEqual(
        model.map(({ id, fingerprint }) => ({ id, fingerprint: toHex(fingerprint) })).sort(byId),
      );
      const found = read(toHex(5n), '3')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(found).toEqual(twin.matches(model, 5n, 3).map(({ id }) => id));
    });

    test('of 256 bits in several buckets is read from Python', async () => {
      if (!isThere('the Python package cassandra-driver', hasPythonDriver)) return;
      const index = await openCassandraIndex(pool.url('wide'), { label: 'minhash-doc-256', create: true, buckets: 2 });
      await expectReader(index, (...args) => jsonLines(readFrom('wide', ...args)));
    });

    /** Runs a program that shares no code with the package. */
    function readFrom(keyspace: string, ...args: string[]): string {
      const port = cluster.contactPoints[0]!.split(':')[1]!;
      const script = new URL('read_cassandra.py', import.meta.url).pathname;
      const result = spawnSync(PYTHON, ['-B', script, port, keyspace, ...args], { encoding: 'utf8' });
      if (result.status !== 0) throw new Error(result.stderr);
      return result.stdout;
    }

    test('never shows rows that no document confirms, and reports missing rows', async () => {
      const index = await pool.open(LABEL);
      const { keyspace } = index;
      await index.addAll([
        { id: 'a', fingerprint: 5n },
        { id: 'b', fingerprint: 6n },
      ]);
      const insert = `INSERT INTO ${keyspace}.simhash_doc_entry (table_no, table_key, bucket, rest, document_id) VALUES (?, ?, ?, ?, ?)`;
      for (const [id, fingerprint] of [
        ['a', 7n],
        ['gone', 5n],
      ] as const)
        for (const row of entryRows(id, fingerprint, 1)) await pool.client.execute(insert, row, { prepare: true });
      await pool.client.execute(insert, [0, 0, 0, -1n, 'b'], { prepare: true });
      expect((await index.query(5n, { k: 7 })).matches.map(({ id, distance }) => [id, distance])).toEqual([
        ['a', 0],
        ['b', 2],
      ]);
      expect(await index.verify()).toEqual({ documents: 2, faults: [] });
      const [row] = entryRows('b', 6n, 1);
      await pool.client.execute(
        `DELETE FROM ${keyspace}.simhash_doc_entry WHERE table_no = ? AND table_key = ? AND bucket = ? AND rest = ? AND document_id = ?`,
        row!,
        { prepare: true },
      );
      expect(await index.verify()).toEqual({ documents: 2, faults: ['document "b": no row in the tables 0'] });
      await index.close();
    });

    test('takes changes of the same documents by two writers', async () => {
      const first = await pool.open(LABEL);
      const second = await openCassandraIndex(pool.url(first.keyspace));
      const ids = Array.from({ length: 5 }, (_, i) => `${i}`);
      const values = uniform(40);
      const change = async (index: StoredIndex, seed: number): Promise<void> => {
        for (let i = 0; i < 8; i++)
          await Promise.all(
            ids.map((id, j) =>
              (i + j + seed) % 7 === 0 ? index.remove(id) : index.upsert(id, values[(i * 5 + j * 3 + seed) % 40]!),
            ),
          );
      };
      await Promise.all([change(first, 0), change(second, 11)]);
      const model = (await all(second.entries())) as Entry[];
      for (const value of values)
        expect((await first.query(value, { k: 3 })).matches).toMatchObject(twin.matches(model, value, 3));
      expect((await first.verify()).faults).toEqual([]);
      await second.close();
      await first.close();
    });

    test('is used by the command', () => expectCommand(pool.url('command'), pool.url('imported')));

    test('reports another layout, another label, or no index', async () => {
      const url = pool.url('command');
      const codeOf = (options = {}, place = url) =>
        openCassandraIndex(place, options).then(
          () => 'opened',
          ({ code }) => code,
        );
      const set = (name: string, value: string) =>
        pool.client.execute('UPDATE command.simhash_doc_meta SET value = ? WHERE name = ?', [value, name]);
      expect(await codeOf({}, pool.url('nothing'))).toBe('not-found');
      expect(await codeOf({ datacenter: 'elsewhere' })).toBe('unavailable');
      await set('layout', '9');
      expect(await codeOf()).toBe('other-version');
      await set('layout', '1');
      await set('label', 'simhash-doc+bg1+cap8');
      expect(await codeOf()).toBe('invalid-label');
      await set('label', LABEL);
      await set('buckets', '0');
      expect(await codeOf()).toBe('damaged');
      await set('buckets', '1');
      await pool.client.execute("DELETE FROM command.simhash_doc_meta WHERE name = 'layout'");
      expect(await codeOf()).toBe('not-an-index');
      // The next creation completes one that was interrupted.
      expect(await codeOf({ label: LABEL, create: true })).toBe('opened');
    });

    describe('after a node was killed', () => {
      let index: StoredIndex;
      const acknowledged: Entry[] = [];
      const add = async (entries: readonly Entry[]): Promise<void> => {
        await index.addAll(entries);
        acknowledged.push(...entries);
      };
      const check = async (count: number): Promise<void> => {
        const random = randomOf(acknowledged.length);
        for (let i = 0; i < count; i++) {
          const query = flipped(acknowledged[random() % acknowledged.length]!.fingerprint, 2, random);
          expect((await index.query(query)).matches).toMatchObject(twin.matches(acknowledged, query, 3));
        }
      };
      beforeAll(async () => {
        index = await openCassandraIndex(pool.url('killed'), { label: LABEL, create: true });
      });
      afterAll(() => index?.close());

      test('in the middle of a load has everything that was acknowledged', async () => {
        let isKilled: Promise<void> | undefined;
        for (let batch = 0; batch < 8; batch++) {
          const adding = add(clustered(50, `${batch} `));
          if (batch === 3) isKilled = cluster.kill(2);
          await adding;
        }
        await isKilled;
        await check(20);
        expect(await index.size()).toBe(400);
      });

      // Hints are the server's best effort: what is promised is what a majority says, the returned node among it.
      test('and has returned answers for all that was acknowledged', async () => {
        await cluster.restart(2, [0, 1]);
        const client = new cassandra.Client({
          contactPoints: [cluster.contactPoints[2]!],
          localDataCenter: 'datacenter1',
          protocolOptions: { port: Number(cluster.contactPoints[0]!.split(':')[1]) },
          policies: {
            loadBalancing: new cassandra.policies.loadBalancing.AllowListPolicy(
              new cassandra.policies.loadBalancing.RoundRobinPolicy(),
              [cluster.contactPoints[2]!],
            ),
          },
        });
        const countHere = async (table: string): Promise<number> => {
          const query = `SELECT count(*) AS n FROM killed.simhash_doc_${table}`;
          const majority = { consistency: cassandra.types.consistencies.quorum };
          return Number((await client.execute(query, [], majority)).rows[0]!['n']);
        };
        await expect
          .poll(async () => [await countHere('document'), await countHere('entry')], { timeout: 90_000, interval: 500 })
          .toEqual([400, 6400]);
        await client.shutdown();
      });

      test('in the middle of queries gives complete answers', async () => {
        const querying = Promise.all(Array.from({ length: 3 }, () => check(15)));
        await cluster.kill(1);
        await querying;
        await check(10);
      });

      test('with another one gives an error instead of a partial answer', async () => {
        await cluster.kill(2);
        const { fingerprint } = acknowledged[0]!;
        const calls = [
          index.query(fingerprint),
          index.query(fingerprint, { k: 20 }),
          index.add('new', 1n),
          index.size(),
        ];
        for (const { status, reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[])
          expect({ status, reason }).toMatchObject({
            status: 'rejected',
            reason: { code: 'unavailable', message: expect.stringMatching(/^cassandra:\/\/\S+\/killed: ./) },
          });
        await cluster.restart(1, [0]);
        await expect
          .poll(async () => Promise.resolve(index.size()).catch(() => 0), { timeout: 90_000, interval: 500 })
          .toBe(400);
        await check(10);
        expect(await index.has('new')).toBe(false);
      });
    });
  },
);
