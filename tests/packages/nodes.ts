/** The Nodes of this machine: the one that runs the tests, and those on the path, which are what people have. */
import { delimiter, join } from 'node:path';
import { ROOT, run } from '../../scripts/tools/process.ts';

const BIN = join(ROOT, 'node_modules', '.bin');

/** Version and executable of each Node that is at least this old, such as `22.13`. */
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
