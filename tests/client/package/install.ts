/** The client as somebody installs it: built, packed, and put into an empty project without asking a registry. */
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ran, ROOT, run } from '../../../scripts/tools/process.ts';
import { temporaryFolder } from '../../gateway/harness.ts';

export const CLIENT = join(ROOT, 'client');

/** A published dependency comes from this repository's own installation. */
const DEPENDENCIES = ['openapi-fetch', 'openapi-typescript-helpers'];
const BIN = join(ROOT, 'node_modules', '.bin');

/** Makes client/dist. */
export function buildClient(): Promise<Ran> {
  return run(process.execPath, [join(ROOT, 'node_modules/tsdown/dist/run.mjs'), '--logLevel', 'warn'], { cwd: CLIENT });
}

export interface Packed {
  tarball: string;
  /** Paths in the package. */
  files: string[];
}

/** Packs a folder as npm would publish it. */
export async function pack(folder: string, destination: string): Promise<Packed> {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination];
  const { stdout } = await run('npm', args, { cwd: folder });
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  if (!packed) throw new Error(`npm packed nothing from ${folder}`);
  return { tarball: join(destination, packed.filename), files: packed.files.map(({ path }) => path).sort() };
}

/** An empty project with the packed client and nothing else but what that depends on. */
export async function installProject(tarball: string): Promise<string> {
  const project = await temporaryFolder();
  const packs = await temporaryFolder();
  const others = await Promise.all(DEPENDENCIES.map((name) => pack(join(ROOT, 'node_modules', name), packs)));
  await writeFile(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  const tarballs = [tarball, ...others.map((other) => other.tarball)];
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs], {
    cwd: project,
  });
  return project;
}

/** The names of the packages in a project. */
export async function packagesOf(project: string): Promise<string[]> {
  const names = await readdir(join(project, 'node_modules'));
  return names.filter((name) => !name.startsWith('.')).sort();
}

export interface CompilerOptions {
  /** Folder in node_modules that the compiler is in. */
  compiler: string;
  lib: string[];
  types: string[];
}

/** Compiles a project as strictly as TypeScript can, its dependencies' declarations included; throws what it says. */
export async function compile(project: string, { compiler, lib, types }: CompilerOptions): Promise<void> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    target: 'ES2022',
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    outDir: 'out',
    lib,
    types,
  };
  await mkdir(join(project, 'node_modules', '@types'), { recursive: true });
  if (types.includes('node')) await link(project, ['@types/node', 'undici-types']);
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  await run(process.execPath, [join(ROOT, 'node_modules', compiler, 'bin/tsc'), '-p', '.'], { cwd: project });
}

async function link(project: string, names: string[]): Promise<void> {
  for (const name of names) {
    const target = join(project, 'node_modules', name);
    await symlink(join(ROOT, 'node_modules', name), target).catch(() => {});
  }
}

/** The Nodes on the path besides this one, which are what people have; this one if there are none. */
export async function nodesOnPath(): Promise<string[]> {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => folder && folder !== BIN);
  const found = new Map<string, string>([[process.version, process.execPath]]);
  for (const folder of folders) {
    const node = join(folder, 'node');
    const ran = await run(node, ['--version'], { allowFailure: true }).catch(() => undefined);
    const version = ran?.stdout.trim() ?? '';
    if (Number(/^v(\d+)/.exec(version)?.[1]) >= 20 && !found.has(version)) found.set(version, node);
  }
  return [...found.values()];
}
