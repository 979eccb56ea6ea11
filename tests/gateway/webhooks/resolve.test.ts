import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createResolve, type Resolve } from '../../../gateway/src/webhooks/guard.ts';
import { afterwards, temporaryFolder } from '../harness.ts';

const NEVER = new AbortController().signal;
const [NO_ERROR, SERVFAIL, NXDOMAIN, REFUSED] = [0, 2, 3, 5];
const [TYPE_A, TYPE_AAAA] = [1, 28];

/** A DNS server. It ignores names that begin with `dead`, and counts their queries. */
async function startDns() {
  const server = createSocket('udp4').bind(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(async () => void server.close());
  const waiting: { count: number; resolve: () => void }[] = [];
  let dead = 0;
  server.on('message', (query, { port, address }) => {
    const name = readName(query);
    if (!name.startsWith('dead')) return void server.send(respond(query, name), port, address);
    dead += 1;
    for (const { count, resolve } of waiting) if (dead >= count) resolve();
  });
  return {
    address: `127.0.0.1:${server.address().port}`,
    /** Resolves when this many queries for dead names have come. */
    asked: (count: number) => new Promise<void>((resolve) => waiting.push({ count, resolve })),
  };
}

function readName(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; query.readUInt8(at) > 0; at += query.readUInt8(at) + 1)
    labels.push(query.toString('latin1', at + 1, at + 1 + query.readUInt8(at)));
  return labels.join('.');
}

function respond(query: Buffer, name: string): Buffer {
  const end = 12 + name.length + 2;
  const type = query.readUInt16BE(end);
  const code = { 'unknown.test': NXDOMAIN, 'broken.test': SERVFAIL, 'refused.test': REFUSED }[name] ?? NO_ERROR;
  const data = { [TYPE_A]: Buffer.from([192, 0, 2, 7]), [TYPE_AAAA]: Buffer.alloc(16, 1) }[type];
  const answers = code === NO_ERROR && data && !(name === 'four.test' && type === TYPE_AAAA) ? [data] : [];
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 | code, 2);
  for (const [at, count] of [1, answers.length, 0, 0].entries()) header.writeUInt16BE(count, 4 + 2 * at);
  const records = answers.map((answer) => {
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, answer.length]);
    return Buffer.concat([record, answer]);
  });
  return Buffer.concat([header, query.subarray(12, end + 4), ...records]);
}

async function open(hosts = ''): Promise<{ resolve: Resolve; dns: Awaited<ReturnType<typeof startDns>> }> {
  const hostsFile = join(await temporaryFolder(), 'hosts');
  await writeFile(hostsFile, hosts);
  const dns = await startDns();
  return { dns, resolve: createResolve({ servers: [dns.address], hostsFile }) };
}

it('returns IPv4 and IPv6 addresses, and none for an unknown name', async () => {
  const { resolve } = await open();
  expect(await resolve('hooks.test', NEVER)).toEqual(['192.0.2.7', '101:101:101:101:101:101:101:101']);
  expect(await resolve('four.test', NEVER)).toEqual(['192.0.2.7']);
  expect(await resolve('unknown.test', NEVER)).toEqual([]);
});

it('prefers the hosts file', async () => {
  const { resolve } = await open(
    '127.0.0.1 localhost\n# 10.0.0.1 hooks.test\n10.0.0.7\tShop.internal hooks.test # ours\r\nfd00::7 hooks.test\nx hooks.test\n',
  );
  expect(await resolve('hooks.test', NEVER)).toEqual(['10.0.0.7', 'fd00::7']);
  expect(await resolve('shop.internal', NEVER)).toEqual(['10.0.0.7']);
});

it('fails with the reason of the server', async () => {
  const { resolve } = await open();
  await expect(resolve('broken.test', NEVER)).rejects.toMatchObject({ code: 'ESERVFAIL' });
  await expect(resolve('refused.test', NEVER)).rejects.toMatchObject({ code: 'EREFUSED' });
  const without = createResolve({ servers: ['127.0.0.1:1'], hostsFile: '/nowhere' });
  await expect(without('hooks.test', NEVER)).rejects.toMatchObject({ code: 'EAI_AGAIN' });
});

it('resolves names while hundreds of others get no response, and cancels those', async () => {
  const { resolve, dns } = await open('10.0.0.7 listed.test');
  const [stopping, asked] = [new AbortController(), dns.asked(400)];
  const dead = Array.from({ length: 400 }, (_, index) => resolve(`dead-${index}.test`, stopping.signal));
  const ended = Promise.allSettled(dead);
  await asked;
  expect(await resolve('listed.test', NEVER)).toEqual(['10.0.0.7']);
  expect(await resolve('four.test', NEVER)).toEqual(['192.0.2.7']);
  stopping.abort();
  expect(new Set((await ended).map((end) => end.status === 'rejected' && end.reason.code))).toEqual(
    new Set(['ECANCELLED']),
  );
});
