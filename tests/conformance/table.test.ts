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
  it('has the levels of each report, compressed or not, of which the newest of a name counts', async () => {
    await add('one.json', { name: 'one' });
    await add('before.json', { name: 'one', outcome: "doesn't conform", startedAt: '1969-03-01T09:00:00.000Z' });
    const broken = createServiceReport(result('replay/getBalance', { findings: [finding()], levels: ['payouts'] }));
    await add('two.json.gz', { ...broken, name: 'two', levels: broken.levels.slice(0, 3) });
    const { code, stdout } = await table();
    expect(code).toBe(0);
    expect(stdout.match(/\| one \|/g)).toHaveLength(1);
    expect(stdout).toContain('| one | conforms | not shown | not shown | met | not shown | not shown | 1 of 1 |');
    expect(stdout).toContain("| two | doesn't conform | not shown | not shown | not met | not claimed | not claimed |");
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

  it('names the limits of a report: known failures, another contract, the profile, checks left out', async () => {
    const known = { outcome: 'conforms except for known failures', knownFailures: 2 } as const;
    await add('one.json', { ...known, contractDigest: 'sha256:0', profile: 'source', selection: { skip: ['walk'] } });
    const { stdout } = await table();
    expect(stdout).toContain('| conforms except for 2 known failures |');
    expect(stdout).toContain(', another document than this kit’s, profile source, not all checks |');
    expect(conforming.contractDigest).toBe(contractDigest());
    await table('--badges', at('badges'), '--html', at('table.html'));
    for (const file of ['badges/http-service-test.svg', 'table.html']) {
      expect(await readFile(at(file), 'utf8')).toContain('conforms except for 2 known failures');
    }
  });

  it('shows names as text in every form, with a badge for each name', async () => {
    await add('one.json', { name: '<img src=x>|[a](javascript:b)\n# \u001b[2J' });
    await add('two.json', { name: 'img src x a javascript b # 2j' });
    const files = ['--html', at('out/table.html'), '--markdown', at('out/table.md'), '--badges', at('out/badges')];
    expect(await table(...files)).toMatchObject({ code: 0, stdout: '' });
    expect(await readFile(at('out/table.html'), 'utf8')).not.toContain('<img');
    const markdown = await readFile(at('out/table.md'), 'utf8');
    expect(markdown).toContain('\\<img src=x\\>\\|\\[a\\](javascript:b) # ');
    expect(markdown).toContain('](badges/img-src-x-a-javascript-b-2j.svg) | ');
    const badges = ['img-src-x-a-javascript-b-2j-2.svg', 'img-src-x-a-javascript-b-2j.svg'];
    expect((await readdir(at('out/badges'))).sort()).toEqual(badges);
    expect((await table()).stdout).not.toContain('\u001b');
  });

  it.each([
    ['an empty folder', 'reports', 'has no report. --json FILE.json writes one.'],
    ['a missing folder', 'none', "Can't read"],
  ])('refuses %s with the next step', async (_what, name, message) => {
    const { code, stderr } = await runKit('table', at(name));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});
