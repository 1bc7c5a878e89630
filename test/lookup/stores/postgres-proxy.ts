import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A message of the client that the server answers or works on: a statement, a part of COPY, or the start of a connection. */
export interface Sent {
  readonly type: 'start' | 'statement' | 'part of COPY' | 'end of COPY';
  readonly text: string;
}

/** Where to cut the connections: a message by its number, before the server gets it or before its answer arrives. */
export interface Cut {
  readonly at: number;
  readonly when: 'before' | 'after';
}

/** Starts a proxy of a PostgreSQL server on 127.0.0.1, which counts messages and cuts the connection at one of them, once. */
export async function startProxy(port: number) {
  const sockets = new Set<Socket>();
  let sent: Sent[] = [];
  let cut: Cut | undefined;

  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    let statement = '';
    let isMuted = false;
    const drop = (): void => {
      for (const socket of [client, server]) socket.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket
        .setNoDelay()
        .on('error', drop)
        .on('close', () => {
          drop();
          sockets.delete(socket);
        });
    }
    // The first message has no type.
    const fromClient = splitMessages(0);
    client.on('data', (data) => {
      for (const { type, body, bytes } of fromClient(data)) {
        if (type === 'Q' || type === 'P') statement = body.toString().split('\0')[type === 'Q' ? 0 : 1]!;
        const kind = KINDS[type];
        const at = kind === undefined ? undefined : sent.push({ type: kind, text: statement }) - 1;
        const isCut = at !== undefined && at === cut?.at;
        if (isCut && cut?.when === 'before') return drop();
        isMuted ||= isCut;
        server.write(bytes);
        if (isCut && kind === 'part of COPY') return drop();
      }
    });
    const fromServer = splitMessages(1);
    server.on('data', (data) => {
      for (const { type, bytes } of fromServer(data)) {
        if (!isMuted) client.write(bytes);
        // The server has done it: it is ready for the next statement, or for the data of COPY.
        else if (type === 'Z' || type === 'G') return drop();
      }
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as { port: number }).port,
    /** Counts from here, and cuts there. */
    arm(next?: Cut): void {
      sent = [];
      cut = next;
    },
    sent: (): readonly Sent[] => sent,
    async stop(): Promise<void> {
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await once(proxy, 'close');
    },
  };
}

/** By the type of a message; Sync ends the messages of a statement with values. */
const KINDS: Readonly<Record<string, Sent['type']>> = {
  '': 'start',
  Q: 'statement',
  S: 'statement',
  d: 'part of COPY',
  c: 'end of COPY',
};

/** Makes a function that splits a stream into messages; `typed` is the length of the type of the first one. */
function splitMessages(typed: 0 | 1) {
  let rest = Buffer.alloc(0);
  let typeLength: number = typed;
  return function* (data: Buffer): Generator<{ type: string; body: Buffer; bytes: Buffer }> {
    rest = Buffer.concat([rest, data]);
    while (rest.length >= typeLength + 4) {
      const end = typeLength + rest.readUInt32BE(typeLength);
      if (rest.length < end) return;
      const bytes = rest.subarray(0, end);
      const type = bytes.toString('latin1', 0, typeLength);
      rest = rest.subarray(end);
      yield { type, body: bytes.subarray(typeLength + 4), bytes };
      typeLength = 1;
    }
  };
}
