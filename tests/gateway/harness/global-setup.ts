/**
 * One PostgreSQL server for the whole run, started when the first test asks for it. Tests run in processes of their
 * own, so they ask over HTTP for its address. With DATABASE_URL the server that it names is used instead.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where to ask for the address of the PostgreSQL server. */
    postgres: string;
  }
}

const SERVER = fileURLToPath(new URL('./postgres-server.ts', import.meta.url));

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let postgres: { process: ChildProcess; url: Promise<string> } | undefined;
  const coordinator = createServer((_request, response) => {
    postgres ??= start();
    postgres.url.then(
      (url) => response.end(url),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  coordinator.listen(0, '127.0.0.1');
  await once(coordinator, 'listening');
  provide('postgres', `http://127.0.0.1:${(coordinator.address() as AddressInfo).port}/`);
  return async () => {
    coordinator.close();
    coordinator.closeAllConnections();
    if (!postgres || postgres.process.exitCode !== null) return;
    postgres.process.stdin?.end();
    await once(postgres.process, 'exit');
  };
}

function start(): { process: ChildProcess; url: Promise<string> } {
  const given = process.env['DATABASE_URL'];
  const child = spawn(process.execPath, given ? ['-e', ''] : [SERVER], { stdio: ['pipe', 'pipe', 'inherit'] });
  return { process: child, url: given ? Promise.resolve(given) : firstLine(child) };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout) for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('PostgreSQL does not start here; give DATABASE_URL, the address of one that runs');
}
