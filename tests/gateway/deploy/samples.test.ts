/** The samples for systemd, Kubernetes and proxies: each tool accepts them, and they agree with the gateway. */
import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { DEFAULTS, SETTINGS } from '../../../gateway/src/config/settings.ts';
import { PROXY_HEADERS } from '../../../gateway/src/platform/proxy-headers.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { compilerMessages } from '../../tools/compiler-messages.ts';
import { installed } from '../../tools/installed.ts';
import { temporaryFolder } from '../harness.ts';

/** PGPASSWORD is read by PostgreSQL's driver. */
const SETTING_NAMES: ReadonlySet<string> = new Set(['PGPASSWORD', ...Object.values(SETTINGS).map(({ env }) => env)]);

const readSample = (name: string) => readFileSync(join(ROOT, 'docs/operations/deploy', name), 'utf8');
const ANALYZE = installed('systemd-analyze');
/** Expects only the gateway's settings, and more time to stop than the gateway takes. Returns the time to drain. */
function expectSettings(settings: ReadonlyMap<string, string>, stopTimeoutSeconds: number): number {
  expect([...settings.keys()].filter((name) => !SETTING_NAMES.has(name))).toEqual([]);
  const [drainMs, shutdownMs] = [Number(settings.get('DRAIN_MS')), Number(settings.get('SHUTDOWN_MS'))];
  expect(stopTimeoutSeconds * 1_000).toBeGreaterThan(drainMs + shutdownMs);
  return drainMs;
}

describe('the systemd unit', () => {
  const unit = readSample('payments-gateway.service');
  const settings = new Map(
    [...readSample('payments-gateway.env').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

  it(`is one that systemd accepts${ANALYZE ? '' : ' (skipped, since it is not installed)'}`, async ({ skip }) => {
    if (!ANALYZE) return skip();
    const command = '/opt/payments-gateway/node_modules/.bin/payments-gateway';
    expect(unit).toContain(command);
    const file = join(await temporaryFolder(), 'payments-gateway.service');
    await writeFile(file, unit.replaceAll(command, `"${process.execPath}"`));
    const { code, stderr } = await run(ANALYZE, ['verify', '--man=no', file], { allowFailure: true });
    // The machine may lack a user `payments`, and have other units with problems.
    const own = stderr.split('\n').filter((line) => line.includes(basename(file)) && !/user|group/i.test(line));
    expect({ code, own }).toEqual({ code: 0, own: [] });
  });

  it('has a command that creates the schema in the database of the settings', async () => {
    const folder = await temporaryFolder();
    const [file, program] = [join(folder, 'settings.env'), join(folder, 'payments-gateway')];
    await writeFile(file, 'DATABASE_FILE=configured.db\n');
    const cli = join(ROOT, 'gateway/src/cli.ts');
    await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`, { mode: 0o700 });
    const guide = await readFile(join(ROOT, 'docs/operations/deploy.md'), 'utf8');
    const [, command = ''] = /`([^`]*payments-gateway migrate)`/.exec(guide) ?? [];
    // Only root may change the user.
    const here = command.replace('/etc/payments-gateway.env', file).replace(/setpriv( --\S+)+ /, '');
    await run('sh', ['-c', here], { cwd: folder, env: { PATH: `${folder}:${process.env['PATH']}` } });
    expect(await readdir(folder)).toContain('configured.db');
  });

  it("has only the gateway's settings, and enough time to stop and to be noticed by the proxy", () => {
    const drainMs = expectSettings(settings, Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]));
    const [, interval, failures] = /check inter (\d+)s fall (\d+)/.exec(readSample('haproxy.cfg')) ?? [];
    expect(drainMs).toBeGreaterThan(2 * Number(interval) * Number(failures) * 1_000);
    expect(Number(/^LimitNOFILE=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(SETTINGS.connectionsMax.fallback + 200);
  });
});

describe('the Kubernetes manifests', () => {
  const documents = parseAllDocuments(readSample('kubernetes.yaml')).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
  const one = (kind: string) => documents.find((document) => document.kind === kind);
  const pod = one('Deployment').spec.template;
  const [container] = pod.spec.containers;
  const settings = new Map<string, string>(
    container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
  );

  it('have only known fields, and all required ones', () => {
    const misspelled = structuredClone(documents);
    const [first] = misspelled.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers;
    first.readyProbe = first.readinessProbe;
    // Compiled together, which takes seconds.
    expect(fieldMistakes([...documents, ...misspelled])).toEqual([expect.stringContaining('readyProbe')]);
  });

  it("have only the gateway's settings, and enough time to stop and to be noticed by the probe", () => {
    const drainMs = expectSettings(settings, pod.spec.terminationGracePeriodSeconds);
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    expect(drainMs).toBeGreaterThan(2 * periodSeconds * failureThreshold * 1_000);
  });

  it('select the same pods, restart only hanging ones, replace one at a time, and migrate in a job of their version', () => {
    const { labels } = pod.metadata;
    const [budget, deployment, job] = [one('PodDisruptionBudget'), one('Deployment'), one('Job')];
    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    expect(budget.spec.selector.matchLabels).toEqual(labels);
    expect(one('Service').spec.selector).toEqual(labels);
    const { readinessProbe, livenessProbe, startupProbe } = container;
    const paths = [readinessProbe, livenessProbe, startupProbe].map(({ httpGet }) => httpGet.path);
    expect(paths).toEqual(['/health/ready', '/health/live', '/health/live']);
    expect(container.ports[0].containerPort).toBe(SETTINGS.port.fallback);
    expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(budget.spec.minAvailable).toBeLessThan(deployment.spec.replicas);
    expect(job.spec.template.spec.containers[0].image).toBe(container.image);
    expect(job.metadata.name).toBe(`payments-migrate-${container.image.split(':')[1].replaceAll('.', '-')}`);
  });
});

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The compiler checks the fields of each kind by their types. */
function fieldMistakes(manifests: readonly Manifest[]): string[] {
  const source = manifests.map((manifest, index) => {
    // API versions include the group, except those of the core group.
    const module = `kubernetes-types/${manifest.apiVersion.includes('/') ? '' : 'core/'}${manifest.apiVersion}.d.ts`;
    return `import type { ${manifest.kind} as Kind${index} } from '${module}';
      export const manifest${index}: Kind${index} = ${JSON.stringify(manifest)};`;
  });
  return compilerMessages(join(ROOT, 'tests/gateway/deploy/manifests.ts'), source.join('\n'));
}

describe('the configuration of a proxy', () => {
  it.each(['haproxy.cfg', 'nginx.conf'])(
    'forwards only unambiguous public paths, without keys of operators: %s',
    (name) => {
      const text = readSample(name).replaceAll(/#.*$/gm, '');
      for (const path of ['payments', 'payouts', 'merchant', 'management', 'checkout', 'channels', 'problems'])
        expect(text).toContain(path);
      expect(text).toMatch(/del-header X-Console|proxy_set_header X-Console "";/);
      expect(text.replaceAll('X-Console', '')).not.toMatch(/metrics|console|sandbox/);
      for (const part of ['%2e', '%2f', '%5c']) expect(text).toContain(part);
      // HAProxy knows no `\\s`.
      const [, written = ''] = /authorization\S* (?:-m reg -i|~\*) "?(\^\S+op_)/i.exec(text) ?? [];
      const pattern = new RegExp(written.replaceAll('[[:space:]]', '\\s'), 'i');
      for (const value of ['Bearer op_1', 'bearer  op_1', '\tBEARER\top_1']) expect(value).toMatch(pattern);
      for (const value of ['Bearer sk_test_op_1', 'Bearer sk_live_1']) expect(value).not.toMatch(pattern);
    },
  );

  it('of HAProxy responds with a problem while no gateway is ready, and logs no address of a payment page', () => {
    const text = readSample('haproxy.cfg');
    const [, problem = ''] =
      /http-error status 503 content-type application\/problem\+json string '(.*)' hdr/.exec(text) ?? [];
    expect(JSON.parse(problem)).toMatchObject({ type: 'https://pay.example.com/problems/unavailable', status: 503 });
    expect(text).toMatch(/set-var\(txn\.path\) path,\w+\(\^\/checkout\/\.\*,\/checkout\/masked\)/);
    const [, format = ''] = /log-format "(.*)"/.exec(text) ?? [];
    expect(format).toContain('%[var(txn.path)]');
    expect(format).not.toMatch(/%(\{\S*\})?(r|HP|HPO|HQ|HU)\b/);
  });

  it.each([
    ['haproxy.cfg', 'http-request', 'set-header', 'del-header'],
    ['nginx.conf', 'proxy_set_header', '', ''],
  ])('sets or removes every client header: %s', (name, directive, set, remove) => {
    const lines = readSample(name)
      .split('\n')
      .map((line) => line.trim());
    const has = (...words: string[]) => lines.some((line) => line.startsWith(words.filter(Boolean).join(' ')));
    for (const header of PROXY_HEADERS) {
      const written = header.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
      const isSet = DEFAULTS.proxyHeaders.includes(header);
      expect(has(directive, isSet ? set : remove, written), header).toBe(true);
      if (!isSet && remove === '') expect(has(`${directive} ${written} "";`), header).toBe(true);
    }
  });
});
