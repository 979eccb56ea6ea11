/**
 * Builds the documents, types and validators of the gateway's own APIs, which git ignores, if they are stale. Plain
 * JavaScript without package imports, because run.mjs calls it on older versions of Node. `npm install` runs it as a
 * script.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNode } from './node.mjs';
import { showProgress } from './progress.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GENERATOR = 'scripts/artifacts/build-gateway-apis.ts';
/** The documents, the schemas of the contract that they include, the brand, and the versions of packages. */
const SOURCES = ['gateway/management', 'gateway/sandbox', 'openapi', 'redocly.yaml', 'package-lock.json'];
const OUTPUTS = ['generated/management', 'generated/sandbox'];
const HASH_FILE = 'generated/management/hash';

/** Builds the files if they are missing, or if a source, a module of the generator or a file itself has changed. */
export async function buildGatewayApis(root = ROOT) {
  const hashFile = join(root, HASH_FILE);
  if (existsSync(hashFile) && readFileSync(hashFile, 'utf8') === hashFiles(root)) return;
  requireWritable(root);
  const end = showProgress("Building the gateway's APIs");
  const child = spawn(findNode(root), [join(root, GENERATOR)], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'exit');
  end();
  if (code !== 0) throw new Error(`${OUTPUTS.join(' and ')} can't be built. The reason is printed above.`);
  writeFileSync(hashFile, hashFiles(root));
}

/** @param {string} root */
function hashFiles(root) {
  const hash = createHash('sha256');
  const files = [...SOURCES, ...OUTPUTS].flatMap((path) => listFiles(join(root, path)));
  for (const file of [...files, ...listImports([join(root, GENERATOR)])]) {
    if (file === join(root, HASH_FILE)) continue;
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

/** @param {string} path */
function listFiles(path) {
  if (!existsSync(path) || statSync(path).isFile()) return existsSync(path) ? [path] : [];
  const files = readdirSync(path, { recursive: true }).map((name) => join(path, String(name)));
  return files.filter((file) => statSync(file).isFile()).sort();
}

const IMPORT = /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gm;

/**
 * Lists the files, and everything that their modules import, directly or indirectly.
 *
 * @param {readonly string[]} files
 */
export function listImports(files) {
  const found = new Set(files);
  for (const file of found) {
    if (!/\.m?[jt]s$/.test(file)) continue;
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) found.add(resolve(dirname(file), path));
  }
  return found;
}

/** @param {string} root */
function requireWritable(root) {
  try {
    for (const folder of ['generated', ...OUTPUTS].map((path) => join(root, path)).filter(existsSync))
      accessSync(folder, constants.W_OK);
  } catch {
    throw new Error(
      `The gateway's APIs must be built, and this user can't write to ${join(root, 'generated')}. Run \`npm run build\` as the owner of that folder.`,
    );
  }
}

// An install succeeds even if they can't be built, such as without development dependencies. Commands try again.
if (process.argv[1]?.endsWith('gateway-apis.mjs') && existsSync(join(ROOT, 'node_modules/openapi-typescript')))
  await buildGatewayApis().catch(({ message }) => console.error(message));
