/**
 * Runs a command of scripts/commands.json on the Node that the project pins, after installing what is missing.
 * It is plain JavaScript without imports of packages, because on a fresh clone there is nothing else yet, and the
 * machine's own Node may be older than the one that runs TypeScript.
 *
 * Usage: node scripts/run.mjs COMMAND [arguments …]
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pinnedNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

const [name = '', ...args] = process.argv.slice(2);
const file = JSON.parse(readFileSync(join(root, 'scripts/commands.json'), 'utf8'))[name];
if (!isInstalled()) install();
if (!existsSync(pinnedNode)) {
  fail('node_modules has no Node. It comes by an install script: run npm install without --ignore-scripts.');
}

const child = spawn(pinnedNode, [join(root, file), ...args], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));

/** npm writes its own copy of the lockfile last; one that is older than ours is of another state. */
function isInstalled() {
  const copy = join(root, 'node_modules', '.package-lock.json');
  return existsSync(copy) && statSync(copy).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

function install() {
  console.error('Installing the dependencies (once, about half a minute) …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // Not `npm ci`: it refuses a lockfile without the optional binaries of other platforms, which not every registry has.
  const args = ['install', '--no-save', '--loglevel=error'];
  const { status } = spawnSync(npm, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) fail('npm install failed; see its output above.');
}

/** @param {string} message */
function fail(message) {
  console.error(message);
  process.exit(1);
}
