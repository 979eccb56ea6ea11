/** A port that forwards connections to a changeable port, like a proxy or a floating IP in a failover. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface MovingAddress {
  readonly port: number;
  /** Ends all connections. New ones are forwarded to this port, or refused if there is none. */
  moveTo(port: number | undefined): void;
  close(): void;
}

/** Opens the address on loopback. */
export async function openMovingAddress(port?: number): Promise<MovingAddress> {
  let target = port;
  const sockets = new Set<Socket>();
  function join(socket: Socket, other: Socket): void {
    sockets.add(socket);
    socket.setNoDelay(true).pipe(other);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  }
  const server = createServer((near) => {
    if (target === undefined) {
      near.destroy();
      return;
    }
    const far = connect(target, '127.0.0.1');
    join(near, far);
    join(far, near);
  });
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    moveTo(port) {
      target = port;
      endAll();
    },
    close() {
      server.close();
      endAll();
    },
  };
}
