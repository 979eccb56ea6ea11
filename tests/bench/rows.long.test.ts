/**
 * `npm run bench` in its shortest form: every row exists, with any figures. It keeps every core busy for half a minute, so it runs only with `npm run test:long`.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ran, ROOT, run } from '../../scripts/tools/process.ts';

/** Long enough for a busy machine. */
const TIME = 600_000;
const SMALL = ['--seconds', '0.3', '--rounds', '1', '--payments', '1000', '--backlog', '500'];

function bench(...args: string[]): Promise<Ran> {
  return run(process.execPath, [join(ROOT, 'tests/bench/main.ts'), ...args], { allowFailure: true });
}

/** The cells of each row, without headings. */
function cells({ stdout }: Ran): string[][] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('|'));
  const heads = new Set(lines.flatMap((line, index) => (/^\| -/.test(line) ? [index - 1, index] : [])));
  return lines
    .filter((_, index) => !heads.has(index))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

describe.concurrent('npm run bench', { timeout: TIME }, () => {
  it('measures every target and exits with a code that agrees with the table', async () => {
    const ran = await bench(...SMALL);
    expect(ran.stderr).not.toContain('failed');
    const rows = cells(ran);
    expect(rows.map(([name, , , peer = '']) => [name, peer.replace(/ [\d,.]+ [^ ]+$/, '')])).toEqual([
      ['POST /payments, durable', 'Prism'],
      ['POST /payments, durable', 'two inserts'],
      ['GET /payments/{id}', 'Prism'],
      ['GET /payments/{id}', 'bare echo'],
      ['Start to first response', ''],
      ['Memory at full load', ''],
      ['POST, 1,000 payments in the file', 'few'],
      ['GET, 1,000 payments in the file', 'few'],
      ['Memory but for mapped pages, 1,000 payments in the file', ''],
      ['POST, PostgreSQL, 1 process', 'bare Node client, 10 connections'],
      ['POST, PostgreSQL, 1 process, 128 callers', 'bare Node client, 10 connections'],
      ['POST, PostgreSQL, 2 processes', 'bare Node client, 20 connections'],
      ['GET, PostgreSQL, 1 process', 'bare Node client, 10 connections'],
      ['GET, PostgreSQL, 1 process, 128 callers', 'bare Node client, 10 connections'],
      ['GET, PostgreSQL, 2 processes', 'bare Node client, 20 connections'],
      ['Movements of one wallet, PostgreSQL', ''],
      ['Webhooks at 500/s, 99%', ''],
      ['Backlog of 500 webhooks', ''],
      ['Client, GET', 'openapi-fetch'],
      ['Client, POST', 'openapi-fetch'],
      ...['SQLite', 'PostgreSQL, 1 process', 'PostgreSQL, 2 processes'].flatMap((place) => [
        [`Payments, whole flow, ${place}`, ''],
        [`CPU of a payment's whole flow${place === 'SQLite' ? '' : ', gateway and server'}, ${place}`, 'bare flow'],
        [`Creation to SUCCESS webhook at half of it, 50%, ${place}`, ''],
        [`Creation to SUCCESS webhook at half of it, 99%, ${place}`, ''],
        [`Payouts of one wallet, whole flow, ${place}`, ''],
        [`Payout to SUCCESS webhook at half of it, 50%, ${place}`, ''],
        [`Payout to SUCCESS webhook at half of it, 99%, ${place}`, ''],
      ]),
      ['Payments, whole flow, 50 merchants, 2 processes', '1 process'],
      ["CPU of a payment's whole flow, gateways and server, 50 merchants, 1 process", ''],
      ["CPU of a payment's whole flow, gateways and server, 50 merchants, 2 processes", ''],
      ...['Chromium', 'Node'].flatMap((where) => [
        [`Sandbox without a server, ${where}, script and start`, ''],
        [`Sandbox without a server, ${where}, a second one`, ''],
      ]),
    ]);
    for (const [name, , figure, , target] of rows) {
      expect(figure, name).toMatch(/^\d[\d,.]* (\/s|ms|µs|MB)$/);
      // Only a comparison with another revision has targets for the flow, and a second sandbox has none.
      if (!/flow|to SUCCESS webhook|a second one/.test(name ?? ''))
        expect(target, name).toMatch(/^[≥≤] \d[\d,.]*( \S+)? \((not )?met\)$/);
    }
    expect(ran.code).toBe(rows.some(([, , , , target]) => target?.endsWith('(not met)')) ? 1 : 0);
  });

  it('prints the tables without targets on request', async () => {
    const ran = await bench(...SMALL, '--only', 'costs,processes');
    expect(ran).toMatchObject({ code: 0, stderr: expect.not.stringContaining('failed') });
    const figures = Object.fromEntries(cells(ran).map(([name = '', ...others]) => [name, others]));
    for (const texts of Object.values(figures)) for (const text of texts) expect(text).toMatch(/^\d[\d,.]*( \/s)?$/);
    expect(Object.keys(figures)).toEqual([
      'createPayment, h2h',
      'createPayment, redirect',
      'getPayment',
      'clarifyPayment',
      'confirmPayment',
      'createPayout',
      'getPayout',
      'getBalance',
      'a payment in the background',
      'POST /payments, 1 process',
      'POST /payments, 2 processes',
      'POST /payments, 3 processes',
      'POST /payouts, 2 processes, one wallet',
      'POST /payouts, 2 processes, 32 wallets',
    ]);
    // Reads write nothing, and a group commit costs less per request than single commits.
    expect(figures['getPayment']).toMatchObject(['1', '0', '0', expect.anything()]);
  });
});
