/** `--replay` repeats failed checks and compares the findings. */
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { Report } from '../../conformance/src/report/report.ts';
import { type Loopback, listenOnLoopback } from '../tools/loopback.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { clearVariables, runKit } from './kit.ts';

const BALANCE = {
  merchant_id: 1,
  balances: [{ available: 1, pending: 0, currency: 'INR' }],
  last_updated_at: '2026-03-02T18:30:00Z',
};
let body: object;
let service: Loopback;
let file: string;

const readReport = async (name: string): Promise<Report> => JSON.parse(await readFile(name, 'utf8'));

beforeAll(clearVariables);
beforeAll(async () => {
  file = join(await temporaryFolder('replay'), 'report.json');
  service = await listenOnLoopback(
    createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }),
  );
  body = { ...BALANCE, merchant_id: 'seven', last_updated_at: 7 };
  const settings = ['--seed', '7', '--walks', '3', '--level', 'payouts', '--profile', 'source'];
  await runKit(service.url, '--driver', 'gateway', '--only', 'replay/getBalance', ...settings, '--json', file);
  return () => service.close();
});

it('says which findings are gone, which remain and which are new, at the same address with the same settings', async () => {
  body = { ...BALANCE, last_updated_at: 8, balances: 8 };
  const again = file.replace('report', 'again');
  const { code, stdout } = await runKit(service.url, '--replay', file, '--driver', 'gateway', '--json', again);
  expect(code).toBe(1);
  expect(stdout).toMatch(/\ngone {5}replay\/getBalance\/\S+ {2}body \/merchant_id\n/);
  expect(stdout).toMatch(/\nremains {2}replay\/getBalance\/\S+ {2}body \/last_updated_at: expected .*, found 8\n/);
  expect(stdout).toMatch(/\nnew {6}replay\/getBalance\/\S+ {2}body \/balances: expected array, found 8\n/);
  const readSettings = async (name: string) => {
    const { service: url, seed, walks, profile, levels, checks } = await readReport(name);
    return { url, seed, walks, profile, levels: levels.map(({ level }) => level), checks: checks.map(({ id }) => id) };
  };
  expect(await readSettings(again)).toEqual(await readSettings(file));
});

it('runs only failed checks, and the checks whose requests a rule of the whole run judges', async () => {
  const report = await readReport(file);
  const [first, ...rest] = report.checks;
  if (!first) throw new Error('nothing ran');
  const sender = 'lookup/getPayout/unknown';
  const rule = { ...first, id: 'response/getPayout/errors', verdict: 'violating' };
  const ruleOn = (evidence: object) => ({ ...rule, findings: [{ ...first.findings[0], evidence }] });
  const passing = { ...first, id: 'access/getPayout/no-key', verdict: 'conforming', findings: [] };
  const replay = async (checks: object[]) => {
    const name = file.replace('report', 'edited');
    await writeFile(name, JSON.stringify({ ...report, selection: { only: ['replay/getBalance'] }, checks }));
    const again = file.replace('report', 'again');
    await runKit(service.url, '--replay', name, '--driver', 'gateway', '--timeout', '300', '--json', again);
    return (await readReport(again)).checks.map(({ id }) => id).toSorted();
  };
  expect(await replay([first, passing])).toEqual([first.id]);
  expect(await replay([first, ruleOn({ check: sender })])).toEqual([first.id, rule.id, sender].toSorted());
  // The request is unknown.
  expect(await replay([ruleOn({})])).toEqual([first, ...rest].map((check) => check.id).toSorted());
});

it('never sends the key to the service of the report', async () => {
  const { code, stderr } = await runKit('--replay', file, '--key', 'sk_test_of_the_reader');
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`Missing base URL. Use: `) });
});
