/**
 * Runs a command of scripts/commands.json with the project's Node version, after installing missing dependencies and
 * building the gateway's own APIs. Plain JavaScript without package imports, because a fresh clone has no packages yet
 * and the system's Node may be too old to run TypeScript.
 *
 * Usage: node scripts/run.mjs COMMAND [arguments …]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildGatewayApis } from './tools/gateway-apis.mjs';
import { findNode } from './tools/node.mjs';
import { showProgress } from './tools/progress.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [name = '', ...args] = process.argv.slice(2);
const file = JSON.parse(readFileSync(join(root, 'scripts/commands.json'), 'utf8'))[name];
const env = {
  ...process.env,
  ...(!canNpmCache() && { npm_config_cache: join(root, 'node_modules/.cache/npm') }),
  // Without a compile cache, each command would spend a third of its start compiling the same sources.
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(root, 'node_modules/.cache/node'),
};
if (!isInstalled()) await install();
const node = await prepare().catch(({ message }) => fail(message));

const child = spawn(node, [join(root, file), ...args], { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));

/** Returns the path of Node, after building what git ignores. `lint` explains why a document can't be built. */
async function prepare() {
  const node = findNode(root);
  if (name !== 'lint') await buildGatewayApis();
  return node;
}

/** npm writes its copy of the lockfile last, so an older copy means an incomplete or outdated install. */
function isInstalled() {
  const copy = join(root, 'node_modules', '.package-lock.json');
  return existsSync(copy) && statSync(copy).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

async function install() {
  const packages = lockedPackages();
  console.error(`Installing ${packages.length} packages (once) …`);
  // npm creates all folders first, and then unpacks the packages as they arrive.
  const installed = () => packages.filter((path) => existsSync(join(root, path, 'package.json'))).length;
  const end = showProgress('Installing', { detail: () => `${installed()} of ${packages.length} packages` });
  const args = [
    // Not `npm ci`: it refuses a lockfile without the optional binaries of other platforms, which not every registry has.
    ...['install', '--no-save', '--loglevel=error'],
    // NODE_ENV=production, or a user's configuration, would leave out what the commands need.
    ...['--include=dev', '--include=optional'],
  ];
  const npm = spawn('npm', args, {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    // On Windows npm is a script of the shell.
    shell: process.platform === 'win32',
  });
  const [status] = await once(npm, 'exit');
  end();
  if (status !== 0) fail('npm install failed; see its output above.');
}

/** Whether npm can write to its cache. In a container, the home folder may be missing or read-only. */
function canNpmCache() {
  try {
    const folder = process.env['npm_config_cache'] ?? join(homedir(), '.npm');
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Paths of the packages for this system. */
function lockedPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const fits = ({ os = [process.platform], cpu = [process.arch] }) =>
    os.includes(process.platform) && cpu.includes(process.arch);
  return Object.keys(packages).filter((path) => path.startsWith('node_modules/') && fits(packages[path]));
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(1);
}
