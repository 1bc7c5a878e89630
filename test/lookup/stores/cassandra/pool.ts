import cassandra from 'cassandra-driver';
import { openCassandraIndex, type StoredIndex } from '../../../../src/lookup/stores/cassandra/cassandra-index.ts';

/** Documents that are removed one by one: emptying tables takes as long as this. */
const FEW = 300;

/**
 * Makes what opens empty indexes. Creating the tables of a keyspace takes seconds, so those of an index that was closed are
 * emptied and used again.
 * @param contactPoints - as in a URL
 */
export function createPool(contactPoints: readonly string[]) {
  const url = (keyspace: string): string => `cassandra://${contactPoints.join(',')}/${keyspace}`;
  const client = new cassandra.Client({
    contactPoints: [...contactPoints],
    localDataCenter: 'datacenter1',
    protocolOptions: { port: Number(contactPoints[0]!.split(':')[1]) },
    encoding: { useBigIntAsLong: true },
  });
  const free: string[] = [];
  let count = 0;

  async function empty(keyspace: string, index: StoredIndex): Promise<void> {
    const ids: string[] = [];
    for await (const { id } of index.entries()) ids.push(id);
    if (ids.length <= FEW) await index.removeAll(ids);
    else
      for (const table of ['document', 'entry', 'file', 'member'])
        await client.execute(`TRUNCATE ${keyspace}.simhash_doc_${table}`);
  }

  return {
    client,
    url,
    async open(label: string): Promise<StoredIndex & { readonly keyspace: string }> {
      const keyspace = free.pop() ?? `pool${count++}`;
      if (typeof label === 'string')
        await client
          .execute(`UPDATE ${keyspace}.simhash_doc_meta SET value = ? WHERE name = 'label' IF EXISTS`, [
            label.toLowerCase(),
          ])
          .catch(() => {});
      const index = await openCassandraIndex(url(keyspace), { label, create: true }).catch((error: unknown) => {
        free.push(keyspace);
        throw error;
      });
      let isOpen = true;
      return {
        ...index,
        keyspace,
        async close() {
          if (!isOpen) return;
          isOpen = false;
          await empty(keyspace, index);
          await index.close();
          free.push(keyspace);
        },
      };
    },
  };
}
