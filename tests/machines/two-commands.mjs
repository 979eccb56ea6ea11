/**
 * The README's two commands in this copy of the repository, as one process: `npm start` until the gateway is ready, then
 * `npm test` with the arguments. It is plain JavaScript, since it runs on the machine's own Node.
 *
 * Usage: node two-commands.mjs [--install] [arguments of npm test …]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

const READY_WITHIN_MS = 20 * 60_000;
const args = process.argv.slice(2);

if (args[0] === '--install') await run('npm', ['start', '--', '--help']);
else {
  await start();
  await run('npm', ['test', '--', ...args]);
}

/** Starts the gateway, waits until it is ready, and ends it. */
async function start() {
  const port = await freePort();
  const began = performance.now();
  const npm = spawn('npm', ['start'], { env: { ...process.env, PORT: String(port) }, stdio: 'inherit' });
  const ended = once(npm, 'exit').then(() => 'ended');
  const isReady = () =>
    fetch(`http://localhost:${port}/health/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await isReady())) {
    if (performance.now() - began > READY_WITHIN_MS) throw new Error('npm start is not ready');
    const outcome = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 500))]);
    if (outcome === 'ended') throw new Error('npm start has ended');
  }
  npm.kill('SIGTERM');
  await ended;
}

async function run(command, args) {
  const [code] = await once(spawn(command, args, { stdio: 'inherit' }), 'exit');
  if (code !== 0) process.exit(1);
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  return port;
}
