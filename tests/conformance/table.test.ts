/** The table of implementations: whom it shows, whom it leaves out, and that names of others stay text. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Result } from '../../conformance/src/core/check.ts';
import { LEVELS } from '../../conformance/src/core/settings.ts';
import { contractDigest } from '../../conformance/src/document/contract.ts';
import type { Report } from '../../conformance/src/report/report.ts';
import { signReport } from '../../conformance/src/report/signed-report.ts';
import type { Table } from '../../conformance/src/report/table.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { runKit } from './kit.ts';
import { claiming, createReport, finding, result } from './report/synthetic.ts';

let folder: string;
let ours: KeyObject;
const at = (name: string) => join(folder, name);
const table = (...args: string[]) => runKit('table', at('reports'), '--key', at('ours.pub.pem'), ...args);

beforeEach(async () => {
  folder = await temporaryFolder('table');
  await mkdir(at('reports'));
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  ours = privateKey;
  await writeFile(at('ours.pub.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
});

const createServiceReport = (one: Result) => createReport(claiming(LEVELS, [one]));
const conforming = createServiceReport(result('replay/getBalance', { levels: ['payouts'] }));

/** Puts a signed report into the folder. */
async function add(file: string, changes: Partial<Report>, key = ours): Promise<void> {
  const text = signReport(JSON.stringify({ ...conforming, ...changes }), key);
  await writeFile(at(`reports/${file}`), file.endsWith('.gz') ? gzipSync(text) : text);
}

async function readData(): Promise<Table> {
  await table('--json', at('table.json'));
  return JSON.parse(await readFile(at('table.json'), 'utf8'));
}

describe('the table of implementations', () => {
  it('has the levels of each genuine report, compressed or not', async () => {
    await add('one.dsse.json', { name: 'one' });
    const broken = createServiceReport(result('replay/getBalance', { findings: [finding()], levels: ['payouts'] }));
    await add('two.dsse.json.gz', { ...broken, name: 'two', levels: broken.levels.slice(0, 3) });
    const { implementations, refused } = await readData();
    expect(refused).toEqual([]);
    expect(implementations).toMatchObject([
      { name: 'one', levels: { payouts: 'met', webhooks: 'not shown' }, conforming: 1, checks: 1, current: true },
      { name: 'two', levels: { payouts: 'not met', webhooks: 'not claimed' }, outcome: "doesn't conform" },
    ]);
  });

  it('shows the number of known failures', async () => {
    await add('one.dsse.json', { name: 'one', outcome: 'conforms except for known failures', knownFailures: 2 });
    expect((await table()).stdout).toContain('| one | conforms except for 2 known failures |');
    await table('--badges', at('badges'), '--html', at('table.html'));
    for (const file of ['badges/one.svg', 'table.html']) {
      expect(await readFile(at(file), 'utf8')).toContain('conforms except for 2 known failures');
    }
  });

  it('counts the newest of several reports with one name', async () => {
    await add('a.dsse.json', { name: 'one', startedAt: '2026-03-02T09:00:00.000Z', seed: 2 });
    await add('b.dsse.json', { name: 'one', startedAt: '2026-03-01T09:00:00.000Z', seed: 1 });
    expect((await readData()).implementations).toMatchObject([{ name: 'one', seed: 2, file: 'a.dsse.json' }]);
  });

  it('leaves out reports of unknown keys, changed and unreadable ones, says so, and exits with 1', async () => {
    await add('good.dsse.json', { name: 'good' });
    await add('stranger.dsse.json', {}, generateKeyPairSync('ed25519').privateKey);
    await writeFile(at('reports/cut.dsse.json.gz'), 'not compressed');
    const { code, stdout, stderr } = await table();
    expect(code).toBe(1);
    expect(stdout).toContain('| good |');
    expect(stdout).toContain('stranger.dsse.json is left out');
    expect(stderr).toMatch(
      /cut\.dsse\.json\.gz is left out: Can't read .*\n.*stranger\.dsse\.json is left out: no signature/,
    );
  });

  it('names the limits of a report: another contract, the profile, checks left out', async () => {
    await add('one.dsse.json', { contractDigest: 'sha256:0', profile: 'source', selection: { skip: ['walk'] } });
    const { stdout } = await table();
    expect(stdout).toContain(', another document than this kit’s, profile source, not all checks |');
    expect(conforming.contractDigest).toBe(contractDigest());
  });

  it('shows names as text in every form', async () => {
    await add('one.dsse.json', { name: '<img src=x>|[a](javascript:b)\n# \u001b[2J' });
    const files = ['--html', at('out/table.html'), '--markdown', at('out/table.md'), '--badges', at('out/badges')];
    expect(await table(...files)).toMatchObject({ code: 0, stdout: '' });
    expect(await readFile(at('out/table.html'), 'utf8')).not.toContain('<img');
    const markdown = await readFile(at('out/table.md'), 'utf8');
    expect(markdown).toContain('\\<img src=x\\>\\|\\[a\\](javascript:b) # ');
    expect(markdown).toContain('](badges/img-src-x-a-javascript-b-2j.svg) | ');
    expect(await readdir(at('out/badges'))).toEqual(['img-src-x-a-javascript-b-2j.svg']);
    expect((await table()).stdout).not.toContain('\u001b');
  });

  it('gives two names that look alike in a file name a badge each', async () => {
    await add('one.dsse.json', { name: 'My service' });
    await add('two.dsse.json', { name: 'my-service' });
    await table('--badges', at('badges'));
    expect((await readdir(at('badges'))).sort()).toEqual(['my-service-2.svg', 'my-service.svg']);
  });

  it.each([
    ['an empty folder', () => table(), 'has no signed report. --json FILE.json with --sign writes FILE.dsse.json.'],
    ['a missing folder', () => runKit('table', at('none'), '--key', at('ours.pub.pem')), "Can't read"],
    ['no key', () => runKit('table', at('reports')), 'Missing key. Set --key'],
  ])('refuses %s with the next step', async (_what, run, message) => {
    const { code, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});
