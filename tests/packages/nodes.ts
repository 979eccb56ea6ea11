/** The Nodes on this machine: the one running the tests, and others on the path. */
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { npm } from './install.ts';

/** Arguments that make this Node report an old version. */
export const AS_OLD_NODE = [
  '--import',
  `data:text/javascript,${encodeURIComponent(
    "for (const [on, name, value] of [[process.versions, 'node', '20.20.2'], [process, 'version', 'v20.20.2']]) Object.defineProperty(on, name, { value });",
  )}`,
];

/** The complete output on a Node too old for a package. */
export function oldNodeLine(name: string): RegExp {
  return new RegExp(`^${name} needs Node 22\\.13 or newer; this is v[\\d.]+\\. Install a newer one from \\S+\\n$`);
}

/** Commands that run an old Node: this one with a faked version, and installed old ones. */
async function oldNodes(): Promise<string[][]> {
  const found = await nodesOnPath('0.0');
  const old = found.filter(([version]) => !isAtLeast(version, '22.13')).map(([, node]) => [node]);
  return [[process.execPath, ...AS_OLD_NODE], ...old];
}

/** Tests a package's installed command: its help, and the error of the command and imports on an old Node. */
export function itHasCommand(name: string, project: () => string, imports: readonly string[], exitCode = 1): void {
  it('has the command, with help', async () => {
    const { stdout } = await npm('npx', ['--offline', name, '--help'], project());
    expect(stdout).toContain(`Usage: ${name}`);
  });

  it('prints the required Node in one line on an older one', async () => {
    const cwd = project();
    const bin = join(cwd, 'node_modules', name, 'dist', `${name}.js`);
    for (const [node = '', ...args] of await oldNodes()) {
      const command = await run(node, [...args, bin], { cwd, allowFailure: true });
      expect([command.code, command.stderr]).toEqual([exitCode, expect.stringMatching(oldNodeLine(name))]);
      for (const specifier of imports) {
        const program = `await import('${specifier}').catch(({ message }) => console.error(message))`;
        const imported = await run(node, [...args, '--input-type=module', '-e', program], { cwd });
        expect(imported.stderr, specifier).toMatch(oldNodeLine(name));
      }
    }
  });
}

const BIN = join(ROOT, 'node_modules', '.bin');

/** Version and executable of each Node from a minimum version on, such as `22.13`. */
export async function nodesOnPath(least: string): Promise<[version: string, executable: string][]> {
  const found = new Map([[process.version, process.execPath]]);
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder && folder !== BIN);
  for (const folder of folders) {
    const node = join(folder, process.platform === 'win32' ? 'node.exe' : 'node');
    const version = (await run(node, ['--version'], { allowFailure: true }).catch(() => undefined))?.stdout.trim();
    if (version && !found.has(version) && isAtLeast(version, least)) found.set(version, node);
  }
  return [...found];
}

function isAtLeast(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}
