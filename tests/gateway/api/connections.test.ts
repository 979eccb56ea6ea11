/** One address can't take all connections. The address of a connection is set by the test, before the gateway sees it. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../gateway/src/platform/clock.ts';
import { afterwards, inject, startTestGateway, type TestGatewayOptions } from '../harness.ts';

/** Longer than any test. */
const PATIENT = { headerTimeoutMs: 600_000, requestTimeoutMs: 600_000 };

async function start({ limits, ...options }: TestGatewayOptions = {}) {
  const lines: object[] = [];
  const ignore = () => undefined;
  const log = { debug: ignore, info: ignore, warn: (fields: object) => lines.push(fields), error: ignore };
  const { gateway } = await startTestGateway({
    clock: systemClock,
    closeMsMax: 0,
    limits: { ...PATIENT, ...limits },
    log,
    ...options,
  });
  const { server } = gateway;
  let peer = '127.0.0.1';
  const accepted: Socket[] = [];
  server.prependListener('connection', (socket) => {
    Object.defineProperty(socket, 'remoteAddress', { value: peer });
    accepted.push(socket);
  });
  await gateway.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.address() as AddressInfo;

  /** Opens a connection from the address, and returns both of its ends. */
  async function open(from: string): Promise<{ socket: Socket; end: Socket | undefined }> {
    peer = from;
    const arrived = once(server, 'connection');
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    afterwards(async () => socket.destroy());
    await arrived;
    return { socket, end: accepted.at(-1) };
  }

  /** Opens more connections from the address. Returns whether each stays open. */
  async function admitted(from: string, count: number): Promise<boolean[]> {
    const found: boolean[] = [];
    for (let number = 0; number < count; number++) found.push((await open(from)).end?.destroyed === false);
    return found;
  }

  return { gateway, open, admitted, lines, port };
}

describe('connections', () => {
  it('leave room for other addresses, even with a low total limit', async () => {
    const { open, admitted } = await start({ limits: { connectionsMax: 20 } });
    expect(await admitted('203.0.113.1', 4)).toEqual([true, true, false, false]);
    const { socket } = await open('203.0.113.2');
    socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('are limited by the setting, if set', async () => {
    const { admitted } = await start({ limits: { connectionsMax: 20, connectionsPerAddress: 3 } });
    expect(await admitted('203.0.113.1', 4)).toEqual([true, true, true, false]);
  });

  it('make room when they end', async () => {
    const { open, admitted } = await start({ limits: { connectionsPerAddress: 1 } });
    const { end } = await open('203.0.113.1');
    expect(await admitted('203.0.113.1', 1)).toEqual([false]);
    const closed = once(end as Socket, 'close');
    end?.destroy();
    await closed;
    expect(await admitted('203.0.113.1', 2)).toEqual([true, false]);
  });

  it('from an IPv6 network count together', async () => {
    const { admitted } = await start({ limits: { connectionsPerAddress: 1 } });
    expect(await admitted('2001:db8::1', 1)).toEqual([true]);
    expect(await admitted('2001:db8::2', 1)).toEqual([false]);
    expect(await admitted('2001:db8:0:1::1', 1)).toEqual([true]);
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '::ffff:10.1.2.3'])(
    'from loopback and trusted proxies represent many clients: %s',
    async (address) => {
      const { admitted } = await start({
        network: { trustProxy: ['10.0.0.0/8'] },
        limits: { connectionsPerAddress: 1 },
      });
      expect(await admitted(address, 3)).toEqual([true, true, true]);
    },
  );

  it('are counted when refused, and logged once per address', async () => {
    const { gateway, admitted, lines } = await start({ limits: { connectionsPerAddress: 1 } });
    await admitted('203.0.113.1', 3);
    await admitted('203.0.113.2', 2);
    const { body } = await inject(gateway, { url: '/metrics' });
    expect(body).toContain('gateway_connections_refused_total{limit="CONNECTIONS_PER_ADDRESS"} 3');
    expect(lines).toEqual([
      { address: '203.0.113.1', connections: 1 },
      { address: '203.0.113.2', connections: 1 },
    ]);
  });

  it('announce their idle timeout', async () => {
    const { port } = await start({ limits: { keepAliveMs: 5_000 } });
    const response = await fetch(`http://127.0.0.1:${port}/health/live`);
    expect(response.headers.get('keep-alive')).toBe('timeout=5');
  });
});
