import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createGuard,
  createResolve,
  type Guard,
  RefusedAddress,
  type Resolve,
} from '../../../gateway/src/webhooks/guard.ts';
import { afterwards, temporaryFolder } from '../harness.ts';

/** Refused hosts in any spelling, by the reason. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  unspecified: ['0.0.0.0', '[::]', '[::ffff:0:0]'],
  private: [
    ...['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '[fc00::1]', '[fdff::1]', '[fec0::1]'],
    '[64:ff9b::a00:1]',
  ],
  'shared by a carrier': ['100.64.0.1', '100.100.100.200'],
  loopback: ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::127.0.0.1]'],
  'link-local': ['169.254.169.254', '[fe80::1]', '[::ffff:a9fe:a9fe]'],
  'cloud metadata': ['168.63.129.16', '[fd00:ec2::254]'],
  documentation: [
    ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '[2001:db8::1]', '[3fff::1]', 'shop.example', 'nobody.invalid'],
  ],
  benchmarking: ['198.18.0.1'],
  multicast: ['224.0.0.1', '239.255.255.250', '[ff02::1]'],
  reserved: [
    ...['192.0.0.192', '240.0.0.1', '255.255.255.255', '[2001::1]', '[2002:7f00:1::]', '[2002:808:808::1]'],
    ...['[::127.0.0.1]', '[64:ff9b:1::808:808]', '[100::1]', '[4000::1]'],
  ],
};

const PUBLIC = [
  ...['8.8.8.8', '172.15.0.1', '172.32.0.1', '100.63.255.255', '100.128.0.1', '169.253.255.255', '192.0.1.1'],
  ...['223.255.255.255', '[2a00:1450:4001::1]', '[2606:4700::1111]', '[::ffff:8.8.8.8]', '[64:ff9b::808:808]'],
  ...['notexample.com', 'example.com.attacker.net'],
];

/** Normalizes the host as `URL` does. */
function formatHost(host: string): string {
  return new URL(`http://${host}/hook`).hostname;
}

const NEVER = new AbortController().signal;

type Found = { address: string; family: number };

/** Looks up a name like a socket that wants all addresses, or one of a family. */
function lookUp(guard: Guard, host: string, family?: 4 | 6): Promise<Found | Found[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Found | Found[]>();
  guard.lookup(NEVER)(host, family ? { family } : { all: true }, (error, found, foundFamily) => {
    if (error) reject(error);
    else resolve(typeof found === 'string' ? { address: found, family: Number(foundFamily) } : found);
  });
  return promise;
}

function resolving(...addresses: string[]): Guard {
  return createGuard({ resolve: async () => addresses });
}

describe('the guard of addresses', () => {
  const refused = Object.entries(REFUSED).flatMap(([kind, hosts]) => hosts.map((host) => [host, kind] as const));

  it.each(refused)('refuses %s: %s', (host, kind) => {
    const guard = createGuard();
    expect(() => guard.admit(formatHost(host))).toThrow(RefusedAddress);
    expect(() => guard.admit(formatHost(host))).toThrow(kind);
  });

  it.each(PUBLIC)('admits %s', (host) => {
    expect(() => createGuard().admit(formatHost(host))).not.toThrow();
  });

  it('returns the addresses of a public name, or one of the requested family', async () => {
    const guard = resolving('8.8.8.8', '2a00:1450:4001::1');
    const [v4, v6] = [
      { address: '8.8.8.8', family: 4 },
      { address: '2a00:1450:4001::1', family: 6 },
    ];
    expect(await lookUp(guard, 'hooks.test')).toEqual([v4, v6]);
    expect(await lookUp(guard, 'hooks.test', 6)).toEqual(v6);
    await expect(lookUp(resolving('8.8.8.8'), 'hooks.test', 6)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it.each([
    [['10.0.0.1'], '10.0.0.1 is private'],
    [['::1'], '::1 is loopback'],
    [['::ffff:169.254.169.254'], '::ffff:169.254.169.254 is link-local'],
    [['fe80::1%eth0'], 'fe80::1%eth0 is link-local'],
    [['8.8.8.8', '10.0.0.1'], '10.0.0.1 is private'],
  ])('refuses a name that resolves to %s', async (addresses, detail) => {
    // Only the operator's log has the address.
    const message = 'hooks.test is refused: not a public address';
    await expect(lookUp(resolving(...addresses), 'hooks.test')).rejects.toMatchObject({ message, detail });
  });

  it.each([
    ['localhost', 'loopback'],
    ['LOCALHOST.', 'loopback'],
    ['api.localhost', 'loopback'],
    ['shop.example.com', 'documentation'],
  ])('refuses %s without a lookup: %s', async (name, kind) => {
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return ['8.8.8.8'];
    };
    await expect(lookUp(createGuard({ resolve }), name)).rejects.toThrow(kind);
    expect(asked).toEqual([]);
  });
});

describe('the list of allowed addresses', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['10.1.2.3', '10.0.0.0/8'],
    ['[fd12::1]', 'fd12::/16'],
    ['[::ffff:10.1.2.3]', '10.0.0.0/8'],
    ['shop.example.com', 'shop.example.com'],
  ])('admits %s by %s', (host, allowed) => {
    expect(() => createGuard({ allow: [allowed] }).admit(formatHost(host))).not.toThrow();
  });

  it('admits no other addresses', () => {
    const guard = createGuard({ allow: ['10.0.0.0/8', 'hooks.test'] });
    for (const host of ['127.0.0.1', '192.168.0.1', '[::1]']) expect(() => guard.admit(host)).toThrow(RefusedAddress);
  });

  it.each([
    ['Hooks.Internal', 'hooks.internal.', true],
    ['*.internal', 'a.hooks.internal', true],
    ['*.internal', 'internal', false],
    ['*.internal', 'notinternal', false],
    ['hooks.internal', 'a.hooks.internal', false],
  ])('with %s, admits any address of %s: %s', async (allowed, name, isAdmitted) => {
    const found = lookUp(createGuard({ allow: [allowed], resolve: async () => ['10.0.0.1'] }), name);
    if (isAdmitted) expect(await found).toEqual([{ address: '10.0.0.1', family: 4 }]);
    else await expect(found).rejects.toThrow(RefusedAddress);
  });

  it('admits localhost at the allowed loopback address', async () => {
    const guard = createGuard({ allow: ['127.0.0.0/8'] });
    expect(await lookUp(guard, 'localhost')).toEqual([{ address: '127.0.0.1', family: 4 }]);
  });

  it.each(['10.0.0.0/', '10.1.2.3/8', '10.0.0.256', 'not a name', ''])('refuses the entry "%s"', (entry) => {
    expect(() => createGuard({ allow: [entry] })).toThrow(/is (not a CIDR|neither)/);
  });
});

const [TYPE_A, TYPE_AAAA] = [1, 28];
/** NXDOMAIN and SERVFAIL, by a label of the name. */
const CODES = Object.entries({ unknown: 3, broken: 2 });

/** A DNS server. It ignores names that begin with `dead`, and counts their queries. */
async function startDns() {
  const server = createSocket('udp4').bind(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(async () => void server.close());
  let dead = 0;
  server.on('message', (query, { port, address }) => {
    if (query.includes('dead')) dead += 1;
    else server.send(respond(query), port, address);
  });
  return { address: `127.0.0.1:${server.address().port}`, countDead: () => dead };
}

function respond(query: Buffer): Buffer {
  // The type follows the name, which ends with a zero.
  const end = query.indexOf(0, 12) + 1;
  const type = query.readUInt16BE(end);
  const [, code = 0] = CODES.find(([label]) => query.includes(label)) ?? [];
  const data = { [TYPE_A]: Buffer.from([192, 0, 2, 7]), [TYPE_AAAA]: Buffer.alloc(16, 1) }[type];
  const hasAnswer = code === 0 && data && !(query.includes('four') && type === TYPE_AAAA);
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 | code, 2);
  for (const [at, count] of [1, hasAnswer ? 1 : 0, 0, 0].entries()) header.writeUInt16BE(count, 4 + 2 * at);
  const answer = hasAnswer ? [Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]), data] : [];
  return Buffer.concat([header, query.subarray(12, end + 4), ...answer]);
}

async function openResolver(hosts = ''): Promise<{ resolve: Resolve; dns: Awaited<ReturnType<typeof startDns>> }> {
  const hostsFile = join(await temporaryFolder(), 'hosts');
  await writeFile(hostsFile, hosts);
  const dns = await startDns();
  return { dns, resolve: createResolve({ servers: [dns.address], hostsFile }) };
}

describe('the resolver of names', () => {
  it('returns IPv4 and IPv6 addresses, and none for an unknown name', async () => {
    const { resolve } = await openResolver();
    expect(await resolve('hooks.test', NEVER)).toEqual(['192.0.2.7', '101:101:101:101:101:101:101:101']);
    expect(await resolve('four.test', NEVER)).toEqual(['192.0.2.7']);
    expect(await resolve('unknown.test', NEVER)).toEqual([]);
  });

  it('prefers the hosts file', async () => {
    const { resolve } = await openResolver(
      '127.0.0.1 localhost\n# 10.0.0.1 hooks.test\n10.0.0.7\tShop.internal hooks.test # ours\r\nfd00::7 hooks.test\nx hooks.test\n',
    );
    expect(await resolve('hooks.test', NEVER)).toEqual(['10.0.0.7', 'fd00::7']);
    expect(await resolve('shop.internal', NEVER)).toEqual(['10.0.0.7']);
  });

  it('fails with the reason of the server', async () => {
    const { resolve } = await openResolver();
    await expect(resolve('broken.test', NEVER)).rejects.toMatchObject({ code: 'ESERVFAIL' });
    const without = createResolve({ servers: ['127.0.0.1:1'], hostsFile: '/nowhere' });
    await expect(without('hooks.test', NEVER)).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  });

  it('resolves names while hundreds of others get no response, and cancels those', async () => {
    const { resolve, dns } = await openResolver('10.0.0.7 listed.test');
    const stopping = new AbortController();
    const dead = Array.from({ length: 400 }, (_, index) => resolve(`dead-${index}.test`, stopping.signal));
    const ended = Promise.allSettled(dead);
    await expect.poll(dns.countDead).toBeGreaterThanOrEqual(400);
    expect(await resolve('listed.test', NEVER)).toEqual(['10.0.0.7']);
    expect(await resolve('four.test', NEVER)).toEqual(['192.0.2.7']);
    stopping.abort();
    for (const end of await ended) expect(end).toMatchObject({ status: 'rejected', reason: { code: 'ECANCELLED' } });
  });
});
