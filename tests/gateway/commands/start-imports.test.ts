/** Modules loaded by a start: only those its settings need, and in a clone no compiler from the second start on. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GATEWAY, startServer } from '../../tools/server.ts';
import { temporaryFolder } from '../harness.ts';

const preloaded = (source: string) => ['--import', `data:text/javascript,${encodeURIComponent(source)}`];

/** Writes the URLs of all loaded modules to the file MODULES when the process exits. */
const LISTING = preloaded(`import { registerHooks } from 'node:module';
import { writeFileSync } from 'node:fs';
const urls = [];
registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
process.on('exit', () => writeFileSync(process.env.MODULES, urls.join('\\n')));`);

async function modulesOfStart(env: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = await temporaryFolder();
  const files = { DATABASE_FILE: join(folder, 'gateway.db'), MODULES: join(folder, 'modules.txt') };
  const server = await startServer([...LISTING, GATEWAY, 'start'], {
    env: { PORT: '0', DATABASE_URL: '', LOG_LEVEL: 'silent', ...files, ...env },
  });
  await server.end('SIGTERM');
  return (await readFile(files.MODULES, 'utf8')).split('\n');
}

const SANDBOX = /\/gateway\/src\/sandbox\/|\/generated\/sandbox\//;
/** Modules a start doesn't need: no route has a Fastify schema, and the database is a file. */
const UNUSED = /\/node_modules\/(pg|ajv|fast-json-stringify\/index)\b/;

/** Except the interface `@opentelemetry/api`, which prom-client loads. */
const TRACES = /\/node_modules\/@opentelemetry\/(?!api\/)|\/tracing\/(open-telemetry|bounded-export)\.ts$/;

describe('a start', () => {
  it('loads no sandbox module without SANDBOX', async () => {
    const modules = await modulesOfStart({ SANDBOX: 'false' });
    expect(modules.filter((url) => url.endsWith('/gateway/src/server.ts'))).toHaveLength(1);
    expect(modules.filter((url) => SANDBOX.test(url))).toEqual([]);
  });

  it('loads no unused database driver, and no schema compiler', async () => {
    const modules = await modulesOfStart({ SANDBOX: 'true' });
    expect(modules.filter((url) => url.endsWith('/gateway/src/sandbox/sandbox.ts'))).toHaveLength(1);
    expect(modules.filter((url) => UNUSED.test(url))).toEqual([]);
  });

  it('loads tracing packages only if enabled', async () => {
    const off = await modulesOfStart({ OTEL_SERVICE_NAME: 'gateway' });
    expect(off.filter((url) => TRACES.test(url))).toEqual([]);
    const on = await modulesOfStart({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    expect(on.filter((url) => TRACES.test(url)).length).toBeGreaterThan(10);
  });
});
