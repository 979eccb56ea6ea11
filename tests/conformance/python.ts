/** Whether the example server in Python can run here. */
import { spawnSync } from 'node:child_process';

const MIN = [3, 9] as const;

const found = spawnSync('python3', ['-c', `import sys; sys.exit(sys.version_info < (${MIN.join(', ')}))`]);

/** Empty if Python is there, or else the reason, for the names of skipped tests. */
export const PYTHON_MISSING =
  found.status === 0 ? '' : ` (skipped: no python3 of at least ${MIN.join('.')} on the PATH)`;
