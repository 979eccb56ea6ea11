/** A server between a gateway and its database that can fail a statement or cut the connection. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterwards } from './afterwards.ts';

export interface SpoilingProxy {
  /** The database's address through the proxy. */
  readonly address: string;
  /** Invalidates the next statement with the word. */
  spoilNext(word: string): void;
  /** Cuts the connection at the next statement with the word, after forwarding it if it `arrives`. */
  cutAt(word: string, options: { arrives: boolean }): void;
}

/** Starts the proxy, closed after the test. */
export async function spoilingProxy(databaseUrl: string): Promise<SpoilingProxy> {
  const target = new URL(databaseUrl);
  let word: string | undefined;
  let cut: { word: string; arrives: boolean } | undefined;
  const spoil = (bytes: Buffer) => {
    const at = word === undefined ? -1 : bytes.indexOf(word);
    if (at >= 0) {
      bytes.write('?', at);
      word = undefined;
    }
    return bytes;
  };
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    near.on('data', (bytes) => {
      if (cut && bytes.includes(cut.word)) {
        if (cut.arrives) far.end(bytes);
        else far.destroy();
        near.destroy();
        cut = undefined;
      } else far.write(spoil(bytes));
    });
    far.on('data', (bytes) => near.write(bytes));
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      sockets.add(socket);
      // Flush the data already written to the other socket.
      socket.on('error', () => undefined).on('close', () => other.destroySoon());
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  afterwards(async () => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const address = new URL(databaseUrl);
  address.port = String((proxy.address() as AddressInfo).port);
  return {
    address: address.href,
    spoilNext: (wanted) => {
      word = wanted;
    },
    cutAt: (wanted, { arrives }) => {
      cut = { word: wanted, arrives };
    },
  };
}
