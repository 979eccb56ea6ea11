/** The table of implementations. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Result } from '../../conformance/src/core/check.ts';
import { LEVELS } from '../../conformance/src/core/settings.ts';
import { contractDigest } from '../../conformance/src/document/contract.ts';
import type { Report } from '../../conformance/src/report/report.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { runKit } from './kit.ts';
import { claiming, createReport, finding, result } from './report/synthetic.ts';

let folder: string;
const at = (name: string) => join(folder, name);
const table = (...args: string[]) => runKit('table', at('reports'), ...args);

beforeEach(async () => {
  folder = await temporaryFolder('table');
  await mkdir(at('reports'));
});

const createServiceReport = (one: Result) => createReport(claiming(LEVELS, [one]));
const conforming = createServiceReport(result('replay/getBalance', { levels: ['payouts'] }));

/** Puts a report into the folder. */
async function add(file: string, changes: Partial<Report>): Promise<void> {
  const text = JSON.stringify({ ...conforming, ...changes });
  await writeFile(at(`reports/${file}`), file.endsWith('.gz') ? gzipSync(text) : text);
}

describe('the table of implementations', () => {
  it('has the levels of each report, compressed or not', async () => {
    await add('one.json', { name: 'one' });
    const broken = createServiceReport(result('replay/getBalance', { findings: [finding()], levels: ['payouts'] }));
    await add('two.json.gz', { ...broken, name: 'two', levels: broken.levels.slice(0, 3) });
    const { code, stdout } = await table();
    expect(code).toBe(0);
    expect(stdout).toContain('| one | conforms | not shown | not shown | met | not shown | not shown | 1 of 1 |');
    expect(stdout).toContain("| two | doesn't conform | not shown | not shown | not met | not claimed | not claimed |");
  });

  it('shows the number of known failures', async () => {
    await add('one.json', { name: 'one', outcome: 'conforms except for known failures', knownFailures: 2 });
    expect((await table()).stdout).toContain('| one | conforms except for 2 known failures |');
    await table('--badges', at('badges'), '--html', at('table.html'));
    for (const file of ['badges/one.svg', 'table.html']) {
      expect(await readFile(at(file), 'utf8')).toContain('conforms except for 2 known failures');
    }
  });

  it('counts the newest of several reports with one name', async () => {
    await add('a.json', { name: 'one', startedAt: '2026-03-02T09:00:00.000Z' });
    await add('b.json', { name: 'one', startedAt: '2026-03-01T09:00:00.000Z' });
    const { stdout } = await table();
    expect(stdout.match(/\| one \|/g)).toHaveLength(1);
    expect(stdout).toContain('| 2026-03-02, kit');
  });

  it('leaves out other files, names them, and exits with 1', async () => {
    await add('good.json', { name: 'good' });
    await writeFile(at('reports/other.json'), '{"format": 2}');
    await writeFile(at('reports/cut.json.gz'), 'not compressed');
    const { code, stdout, stderr } = await table();
    expect(code).toBe(1);
    expect(stdout).toContain('| good |');
    expect(stdout).toContain('other.json is left out');
    expect(stderr).toMatch(/cut\.json\.gz is left out: Can't read .*\nother\.json is left out: .* is not a report/);
  });

  it('names the limits of a report: another contract, the profile, checks left out', async () => {
    await add('one.json', { contractDigest: 'sha256:0', profile: 'source', selection: { skip: ['walk'] } });
    const { stdout } = await table();
    expect(stdout).toContain(', another document than this kit’s, profile source, not all checks |');
    expect(conforming.contractDigest).toBe(contractDigest());
  });

  it('shows names as text in every form', async () => {
    await add('one.json', { name: '<img src=x>|[a](javascript:b)\n# \u001b[2J' });
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
    await add('one.json', { name: 'My service' });
    await add('two.json', { name: 'my-service' });
    await table('--badges', at('badges'));
    expect((await readdir(at('badges'))).sort()).toEqual(['my-service-2.svg', 'my-service.svg']);
  });

  it.each([
    ['an empty folder', 'reports', 'has no report. --json FILE.json writes one.'],
    ['a missing folder', 'none', "Can't read"],
  ])('refuses %s with the next step', async (_what, name, message) => {
    const { code, stderr } = await runKit('table', at(name));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});
