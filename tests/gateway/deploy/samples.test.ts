/** The samples for systemd, Kubernetes and proxies: each tool accepts them, and they agree with the gateway. */
import { spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { DEFAULTS, SETTINGS } from '../../../gateway/src/config/settings.ts';
import { PROXY_HEADERS } from '../../../gateway/src/platform/proxy-headers.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { compilerMessages } from '../../tools/compiler-messages.ts';
import { installed } from '../../tools/installed.ts';
import { freePort } from '../../tools/loopback.ts';
import { afterwards, temporaryFolder } from '../harness.ts';
import { eventually } from '../processes/gateways.ts';
import { placeSample, readSample, selfSigned } from './samples.ts';

const SETTING_NAMES: ReadonlySet<string> = new Set(Object.values(SETTINGS).map(({ env }) => env));
/** Read by PostgreSQL's driver. */
const OTHER_NAMES = ['PGPASSWORD'];

const [ANALYZE, HAPROXY, NGINX] = [installed('systemd-analyze'), installed('haproxy'), installed('nginx')];
const NGINX_FOLDERS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
const without = (program: string | undefined, name: string) =>
  program ? '' : ` (skipped, since ${name} is not installed: apt-get install ${name})`;

const milliseconds = (name: string, settings: ReadonlyMap<string, string>) => Number(settings.get(name));

describe('the systemd unit', () => {
  const unit = readSample('payments-gateway.service');
  const settings = new Map(
    [...readSample('payments-gateway.env').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

  it(`is one that systemd accepts${without(ANALYZE, 'systemd')}`, async ({ skip }) => {
    if (!ANALYZE) return skip();
    const command = '/opt/payments-gateway/node_modules/.bin/payments-gateway';
    const file = await placeSample('payments-gateway.service', { [command]: `"${process.execPath}"` });
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

  it("has only the gateway's settings, and a longer stop timeout than the gateway", () => {
    expect([...settings.keys()].filter((name) => !SETTING_NAMES.has(name) && !OTHER_NAMES.includes(name))).toEqual([]);
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]);
    expect(seconds * 1_000).toBeGreaterThan(milliseconds('DRAIN_MS', settings) + milliseconds('SHUTDOWN_MS', settings));
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

  it("have only the gateway's settings, and a longer stop timeout than the gateway", () => {
    expect([...settings.keys()].filter((name) => !SETTING_NAMES.has(name))).toEqual([]);
    const seconds = pod.spec.terminationGracePeriodSeconds;
    expect(seconds * 1_000).toBeGreaterThan(milliseconds('DRAIN_MS', settings) + milliseconds('SHUTDOWN_MS', settings));
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    expect(milliseconds('DRAIN_MS', settings)).toBeGreaterThan(2 * periodSeconds * failureThreshold * 1_000);
  });

  it('select the same pods, restart only hanging ones, and replace one gateway at a time', () => {
    const { labels } = pod.metadata;
    for (const selector of [
      one('Deployment').spec.selector.matchLabels,
      one('PodDisruptionBudget').spec.selector.matchLabels,
      one('Service').spec.selector,
    ])
      expect(selector).toEqual(labels);
    expect(container.readinessProbe.httpGet.path).toBe('/health/ready');
    for (const probe of ['livenessProbe', 'startupProbe']) expect(container[probe].httpGet.path).toBe('/health/live');
    expect(container.ports[0].containerPort).toBe(SETTINGS.port.fallback);
    expect(one('Deployment').spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(one('PodDisruptionBudget').spec.minAvailable).toBeLessThan(one('Deployment').spec.replicas);
  });

  it('migrate with the image of the deployment, in a job of its version', () => {
    expect(one('Job').spec.template.spec.containers[0].image).toBe(container.image);
    const [, version = ''] = container.image.split(':');
    expect(one('Job').metadata.name).toBe(`payments-migrate-${version.replaceAll('.', '-')}`);
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
  it(`is one that HAProxy accepts${without(HAPROXY, 'haproxy')}`, async ({ skip }) => {
    if (!HAPROXY) return skip();
    const { both } = await selfSigned();
    const file = await placeSample('haproxy.cfg', { '/etc/haproxy/pay.example.com.pem': `"${both}"` });
    const { code, stderr } = await run(HAPROXY, ['-c', '-f', file], { allowFailure: true });
    expect({ code, complaints: stderr.split('\n').filter((line) => /WARNING|ALERT/.test(line)) }).toEqual({
      code: 0,
      complaints: [],
    });
  });

  it(`responds with a problem without a gateway, and logs no token: HAProxy${without(HAPROXY, 'haproxy')}`, async ({
    skip,
  }) => {
    if (!HAPROXY) return skip();
    const port = await freePort();
    const file = await placeSample('haproxy.cfg', {
      ':443 ssl crt /etc/haproxy/pay.example.com.pem alpn h2,http/1.1': `127.0.0.1:${port}`,
      '10.0.0.11:4000': '127.0.0.1:1',
      '10.0.0.12:4000': '127.0.0.1:1',
    });
    const proxy = spawn(HAPROXY, ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'ignore'] });
    afterwards(async () => proxy.kill('SIGKILL'));
    let log = '';
    proxy.stdout.on('data', (chunk) => (log += chunk));
    const address = `http://127.0.0.1:${port}/checkout/secret-token?x=secret-query`;
    const response = await eventually(() => fetch(address).catch(() => undefined));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toMatchObject({ type: 'https://pay.example.com/problems/unavailable' });
    await eventually(async () => (log.includes('GET /checkout/masked') ? true : undefined));
    expect(log).not.toContain('secret');
  });

  it(`is one that nginx accepts${without(NGINX, 'nginx')}`, async ({ skip }) => {
    if (!NGINX) return skip();
    const { key, certificate } = await selfSigned();
    const file = await placeSample('nginx.conf', {
      '/etc/nginx/pay.example.com.key': `"${key}"`,
      '/etc/nginx/pay.example.com.crt': `"${certificate}"`,
      // A check opens the ports, logs and temporary folders, which requires root with the defaults.
      'listen 443 ssl': `listen 127.0.0.1:${await freePort()} ssl`,
      '/var/log/nginx/access.log': '/dev/null',
      '/var/log/nginx/error.log': 'stderr',
      'http {': `http { ${NGINX_FOLDERS.map((name) => `${name}_temp_path ${name};`).join(' ')}`,
    });
    const directives = 'pid /dev/null; error_log stderr;';
    const args = ['-t', '-q', '-e', 'stderr', '-g', directives, '-p', dirname(file), '-c', file];
    expect(await run(NGINX, args, { allowFailure: true })).toMatchObject({ code: 0 });
  });

  it.each(['haproxy.cfg', 'nginx.conf'])('forwards the same paths, and no internal ones: %s', (name) => {
    const text = readSample(name).replaceAll(/#.*$/gm, '').replaceAll('X-Console', '');
    for (const path of ['payments', 'payouts', 'merchant', 'management', 'checkout', 'channels', 'problems'])
      expect(text).toContain(path);
    for (const path of ['metrics', 'console', 'sandbox']) expect(text).not.toContain(path);
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

  it.each(['haproxy.cfg', 'nginx.conf'])(
    'refuses the keys of operators, and removes the header of sessions: %s',
    (name) => {
      const text = readSample(name);
      // HAProxy knows no `\\s`.
      const [, written = ''] = /authorization\S* (?:-m reg -i|~\*) "?(\^\S+op_)/i.exec(text) ?? [];
      const pattern = new RegExp(written.replaceAll('[[:space:]]', '\\s'), 'i');
      for (const value of ['Bearer op_1', 'bearer  op_1', '\tBEARER\top_1']) expect(value).toMatch(pattern);
      for (const value of ['Bearer sk_test_op_1', 'Bearer sk_live_1']) expect(value).not.toMatch(pattern);
      expect(text).toMatch(/del-header X-Console|proxy_set_header X-Console "";/);
    },
  );

  it.each(['haproxy.cfg', 'nginx.conf'])('refuses ambiguous paths: %s', (name) => {
    for (const part of ['%2e', '%2f', '%5c']) expect(readSample(name)).toContain(part);
  });
});
