/** Packages as published: packed by npm and installed in an empty folder, without a registry. */
import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { type Ran, ROOT, run } from '../../scripts/tools/process.ts';
import { temporaryFolder } from '../gateway/harness.ts';

export interface Packed {
  readonly tarball: string;
  /** Paths in the package. */
  readonly files: readonly string[];
}

/** The npm of these tests, as a script: on Windows the command itself is not an executable. */
const NPM = process.env['npm_execpath'];

/** Runs npm or npx on the Node of the tests, since the machine's Node may be too old for the packages. */
export function npm(command: 'npm' | 'npx', args: string[], cwd: string): Promise<Ran> {
  const env = { PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) };
  if (NPM === undefined) return run(command, args, { cwd, env });
  return run(process.execPath, [join(dirname(NPM), `${command}-cli.js`), ...args], { cwd, env });
}

/** Builds and packs a workspace as npm would publish it. */
export async function packWorkspace(name: string): Promise<Packed> {
  const destination = await temporaryFolder();
  await run(process.execPath, [join(ROOT, 'scripts/package.ts'), name, '--no-pack']);
  const [packed] = await pack(join(ROOT, name), '--pack-destination', destination);
  if (!packed) throw new Error(`npm packed nothing from ${name}`);
  return { ...packed, tarball: join(destination, packed.tarball) };
}

/** The contents of all workspaces' packages, in order, without rebuilding them. */
export function packagesToPack(): Promise<Packed[]> {
  return pack(ROOT, '--dry-run', '--workspaces');
}

async function pack(folder: string, ...args: string[]): Promise<Packed[]> {
  const { stdout } = await npm('npm', ['pack', '--json', '--ignore-scripts', ...args], folder);
  const packed = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  return packed.map(({ filename, files }) => ({ tarball: filename, files: files.map(({ path }) => path).sort() }));
}

/** Installs a packed workspace in an empty folder. Its dependencies are already there, so npm needs no registry. */
export function installTarball(workspace: string, packed: Packed): Promise<string> {
  return installTarballs({ [workspace]: packed });
}

/** Installs packed workspaces by their names in one empty folder. */
export async function installTarballs(packed: Readonly<Record<string, Packed>>): Promise<string> {
  const project = await temporaryFolder();
  await writeFile(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  for (const workspace of Object.keys(packed)) await provideDependencies(join(ROOT, workspace), project);
  const tarballs = Object.values(packed).map(({ tarball }) => tarball);
  await npm('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs], project);
  return project;
}

/** The names of the packages in a project. */
export async function listPackages(project: string): Promise<string[]> {
  const entries = await readdir(join(project, 'node_modules'), { recursive: true, withFileTypes: true });
  return entries
    .filter(({ name }) => name === 'package.json')
    .map(({ parentPath }) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(parentPath.replaceAll('\\', '/'))?.[1] ?? '')
    .filter((name) => name !== '')
    .sort();
}

/** Links the installed dependencies of a folder's package into a project's node_modules. */
async function provideDependencies(folder: string, project: string): Promise<void> {
  await providePackages(await readDependencies(folder), project, folder);
}

/** Links packages of this repository, with their dependencies, into a project's node_modules. */
export async function providePackages(names: readonly string[], project: string, folder = ROOT): Promise<void> {
  const placed = new Map<string, string>();
  const queue = [{ folder, target: project, names }];
  for (const dependent of queue) {
    for (const name of dependent.names) {
      const source = findInstalled(dependent.folder, name);
      if (!source) continue;
      const shared = join(project, 'node_modules', name);
      const target = (placed.get(shared) ?? source) === source ? shared : join(dependent.target, 'node_modules', name);
      if (placed.get(target) === source) continue;
      placed.set(target, source);
      await linkPackage(source, target);
      queue.push({ folder: source, target, names: await readDependencies(source) });
    }
  }
}

async function readDependencies(folder: string): Promise<string[]> {
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

/** The folder in which Node finds a package. Undefined for an optional one of another platform. */
function findInstalled(from: string, name: string): string | undefined {
  for (let folder = from; folder.length >= ROOT.length - 1; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(found)) return found;
  }
  return undefined;
}

/**
 * Links a package without its nested packages. Uses hard links, since copying thousands of small files takes seconds.
 */
async function linkPackage(source: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (entry.isDirectory() && entry.name !== 'node_modules') await linkPackage(from, to);
    else if (entry.isFile()) await link(from, to).catch(() => copyFile(from, to));
  }
}
