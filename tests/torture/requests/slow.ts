/** Clients that never finish their requests, for which the gateway must not wait forever. */
import { connect } from 'node:net';

const BEGINNINGS = [
  'G',
  'GET /payments HTTP/1.1\r\nHost: localhost\r\nA',
  'POST /payments HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999\r\n\r\n{',
];
const NEXT_BYTE_MS = 200;

/** Opens a number of slow connections. Returns how many were still open at the deadline. */
export async function slowCallers(port: number, count: number, withinMs: number): Promise<number> {
  const ended = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      slowCaller(port, BEGINNINGS[index % BEGINNINGS.length] ?? '', withinMs),
    ),
  );
  return ended.filter((wasEnded) => !wasEnded).length;
}

function slowCaller(port: number, beginning: string, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const drip = setInterval(() => socket.write('a'), NEXT_BYTE_MS);
    const late = setTimeout(() => finish(false), withinMs);
    function finish(wasEnded: boolean): void {
      clearInterval(drip);
      clearTimeout(late);
      socket.destroy();
      resolve(wasEnded);
    }
    socket.on('error', () => undefined);
    socket.resume();
    socket.on('close', () => finish(true));
    socket.write(beginning);
  });
}
