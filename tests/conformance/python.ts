/** Whether the example server in Python can run here. */
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']);

/** Empty if Python is there, or else the reason, for the names of skipped tests. */
export const PYTHON_MISSING = status === 0 ? '' : ' (skipped: no python3 of at least 3.9 on the PATH)';
