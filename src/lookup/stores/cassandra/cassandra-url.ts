import { assertInteger, assertOneOf, wrongValue } from '../../../errors.ts';
import { withoutPassword } from '../store-errors.ts';

export type Target = ReturnType<typeof readTarget>;

const CONSISTENCIES = ['LOCAL_QUORUM', 'QUORUM', 'EACH_QUORUM', 'ALL', 'ONE', 'TWO', 'THREE', 'LOCAL_ONE'] as const;

/** The number of replicas that answer before a call is fulfilled. */
export type CassandraConsistency = (typeof CONSISTENCIES)[number];

/** Options of `openCassandraIndex`. */
export interface CassandraIndexOptions {
  /** A registered label, in any case (LAB-1), which an index must have or a new one gets. Default for a new one: `simhash-doc`. */
  readonly label?: string;
  /** True to create the keyspace and the index if they do not exist. Default: false. */
  readonly create?: boolean;
  /** The mode: documents can be added and removed (the default), or only looked up. */
  readonly mode?: 'write' | 'read';
  /** The nearest data centre. Required if the cluster has several. */
  readonly datacenter?: string;
  /** The level of reads. Default `LOCAL_QUORUM`. A query may miss acknowledged documents unless both levels overlap. */
  readonly read?: CassandraConsistency;
  /** The level of writes. Default `LOCAL_QUORUM`. */
  readonly write?: CassandraConsistency;
  /**
   * For a new index: the number of partitions over which documents that share a key are spread, 1 to 4,096. A query
   * reads each of them; one partition holds a million documents of the same key. Default 1.
   */
  readonly buckets?: number;
  /** For a new keyspace: the number of replicas of each row, 1 to 99. Default 3, or the number of nodes if there are fewer. */
  readonly replication?: number;
}

const MAX_BUCKETS = 4096;
const MAX_REPLICATION = 99;
const PARAMETERS = ['datacenter', 'read', 'write', 'buckets', 'replication', 'tls'];

/**
 * Reads `cassandra://USER:PASSWORD@HOST:PORT,HOST/KEYSPACE?NAME=VALUE`. Parameters have the names of the options, which
 * come first; `tls=true` encrypts the connections. Without a user, CASSANDRA_USERNAME and CASSANDRA_PASSWORD are used.
 */
export function readTarget(url: string, options: CassandraIndexOptions) {
  const [, user = '', hosts = '', path = '', query = ''] =
    /^cassandra:\/\/(?:([^/?#]*)@)?([^/?#@]+)\/([^/?#]+)(?:\?([^#]*))?$/is.exec(url) ?? [];
  if (hosts === '')
    throw wrongValue('out-of-range', 'url', 'cassandra://HOST:PORT,HOST/KEYSPACE', withoutPassword(url));
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) assertOneOf('parameter of url', name, PARAMETERS);
  const value = (name: string): string | undefined => parameters.get(name) ?? undefined;
  const { read = value('read') ?? 'LOCAL_QUORUM', write = value('write') ?? 'LOCAL_QUORUM' } = options;
  const { buckets = numberOf(value('buckets')) ?? 1, replication = numberOf(value('replication')) } = options;
  assertOneOf('read', read, CONSISTENCIES);
  assertOneOf('write', write, CONSISTENCIES);
  assertInteger('buckets', buckets, 1, MAX_BUCKETS);
  if (replication !== undefined) assertInteger('replication', replication, 1, MAX_REPLICATION);
  const contactPoints = hosts.split(',');
  const [port = '9042', ...others] = new Set(contactPoints.flatMap((each) => /:([0-9]{1,5})$/.exec(each)?.[1] ?? []));
  if (others.length > 0) throw wrongValue('out-of-range', 'url', 'one port for all nodes', withoutPassword(url));
  const tls = value('tls') ?? 'false';
  assertOneOf('tls', tls, ['true', 'false']);
  return {
    place: withoutPassword(url),
    contactPoints,
    // Of all nodes: those that the URL does not name are known by their addresses only.
    port: Number(port),
    keyspace: decode(path, url),
    credentials: credentialsOf(user, url),
    tls: tls === 'true',
    datacenter: options.datacenter ?? value('datacenter'),
    read,
    write,
    buckets,
    replication,
  };
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function credentialsOf(user: string, url: string) {
  const [name = '', ...rest] = user.split(':');
  const username = name === '' ? process.env['CASSANDRA_USERNAME'] : decode(name, url);
  if (username === undefined) return undefined;
  const password = rest.length > 0 ? decode(rest.join(':'), url) : (process.env['CASSANDRA_PASSWORD'] ?? '');
  return { username, password };
}

function decode(text: string, url: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrongValue('out-of-range', 'url', 'valid escapes (write % as %25)', withoutPassword(url));
  }
}
