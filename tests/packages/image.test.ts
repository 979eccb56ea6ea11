/** Settings of the Dockerfile and compose.yaml, verified without building an image. */
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { requireSafe } from '../../gateway/src/commands/start.ts';
import { readConfig } from '../../gateway/src/config/read-config.ts';
import { SETTINGS } from '../../gateway/src/config/settings.ts';
import { startGateway } from '../../gateway/src/index.ts';
import { ROOT, run } from '../../scripts/tools/process.ts';

interface Service {
  readonly environment: Record<string, unknown>;
  readonly [member: string]: unknown;
}

const DOCKERFILE = (await readFile(join(ROOT, 'Dockerfile'), 'utf8')).replaceAll('\\\n', ' ');
const COMPOSE = parse(await readFile(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true });
const { database, gateway, migrate } = COMPOSE.services as Record<'database' | 'gateway' | 'migrate', Service>;
const KNOWN = [...Object.values(SETTINGS).map(({ env }) => env), 'PGPASSWORD'];

const [, VARIABLES = ''] = /^ENV (.*)$/m.exec(DOCKERFILE) ?? [];
const IMAGE_ENV = Object.fromEntries([...VARIABLES.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));

/** A value of compose.yaml as Compose expands it: with the default after `:-`, or `secret`. */
function withDefaults(value: string): string {
  return value.replaceAll(/\$\{\w+(?::-([^}]*))?[^}]*\}/g, (_, fallback?: string) => fallback ?? 'secret');
}

const COMPOSE_ENV = {
  ...IMAGE_ENV,
  ...Object.fromEntries(
    Object.entries(gateway.environment).map(([name, value]) => [name, withDefaults(String(value))]),
  ),
};

describe('the image', () => {
  it("sets only the gateway's settings", () => {
    expect(Object.keys(IMAGE_ENV).filter((name) => !KNOWN.includes(name))).toEqual(['NODE_ENV', 'SQLITE_TMPDIR']);
  });

  it('keeps an SQLite database in its volume', () => {
    const [, workdir = ''] = /^WORKDIR (\S+)\n(?!COPY)/m.exec(DOCKERFILE.slice(DOCKERFILE.lastIndexOf('FROM'))) ?? [];
    const [, volume] = /^VOLUME (\S+)$/m.exec(DOCKERFILE) ?? [];
    expect(dirname(resolve(workdir, readConfig({}, IMAGE_ENV).databaseFile))).toBe(volume);
  });

  it('starts without additional settings, and without a public sandbox', () => {
    const config = readConfig({}, IMAGE_ENV);
    expect(() => requireSafe(config, false)).not.toThrow();
    expect(config).toMatchObject({ sandbox: false, sandboxOpen: false });
  });

  it('names its base by version and digest, and runs as an unprivileged user', () => {
    expect(DOCKERFILE).toMatch(/^ARG NODE_IMAGE=docker\.io\/library\/node:24\.\d+\.\d+-\S+@sha256:[0-9a-f]{64}$/m);
    expect(DOCKERFILE).toMatch(/^USER 1000:1000$/m);
  });

  it('is healthy while the gateway is ready, and unhealthy otherwise', async () => {
    const [, command = ''] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(DOCKERFILE) ?? [];
    const [, ...args] = JSON.parse(command) as string[];
    const started = await startGateway();
    const options = { env: { PORT: new URL(started.url).port }, allowFailure: true };
    const ready = await run(process.execPath, args, options);
    await started.close();
    const gone = await run(process.execPath, args, options);
    expect([ready.code, gone.code]).toEqual([0, 1]);
  });
});

describe('compose.yaml', () => {
  it("sets only the gateway's settings, and keeps its root file system read-only", () => {
    expect(Object.keys(gateway.environment).filter((name) => !KNOWN.includes(name))).toEqual([]);
    expect(gateway['read_only']).toBe(true);
  });

  it("keeps the channels' secrets in a file that is neither committed nor in the image", async () => {
    expect(gateway['env_file']).toEqual([{ path: 'channels.env', required: false }]);
    for (const name of ['.gitignore', '.dockerignore'])
      expect((await readFile(join(ROOT, name), 'utf8')).split('\n')).toContain('channels.env');
  });

  it("migrates before the start, which a live gateway doesn't do itself", () => {
    expect(migrate['command']).toEqual(['migrate']);
    expect(migrate.environment).toMatchObject({ DATABASE_URL: gateway.environment['DATABASE_URL'] });
    expect(gateway['depends_on']).toEqual({ migrate: { condition: 'service_completed_successfully' } });
  });

  it('has a longer stop timeout than a live gateway', () => {
    const live = { LIVE: 'true', SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'), SANDBOX: '' };
    const { drainMs, shutdownMs } = readConfig({}, { ...COMPOSE_ENV, ...live });
    expect(Number.parseInt(String(gateway['stop_grace_period']), 10) * 1_000).toBeGreaterThan(drainMs + shutdownMs);
    expect(Object.keys(gateway.environment)).toEqual(expect.arrayContaining(['LIVE', 'TRUST_PROXY']));
  });

  it('starts on PostgreSQL with the settings of the image, and without a public sandbox', () => {
    const config = readConfig({}, COMPOSE_ENV);
    expect(() => requireSafe(config, false)).not.toThrow();
    // Any password is accepted, because it is in no URL.
    expect(COMPOSE_ENV).toHaveProperty('PGPASSWORD', 'secret');
    expect(gateway.environment['DATABASE_URL']).not.toContain('PASSWORD');
    expect(database['image']).toMatch(/^docker\.io\/library\/postgres:18\.\d+@sha256:[0-9a-f]{64}$/);
    const databaseUrl = 'postgres://payments@database/payments';
    expect(config).toMatchObject({ sandbox: false, sandboxOpen: false, host: '0.0.0.0', databaseUrl });
  });
});
