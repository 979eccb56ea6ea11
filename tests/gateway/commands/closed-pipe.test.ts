import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../../scripts/tools/process.ts';

it('ends without an error when nobody reads the rest of its output, as in `--help | head -1`', async () => {
  const args = [join(ROOT, 'gateway/src/main.ts'), 'start', '--help'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const complaints: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(String(chunk)));
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(complaints.join('')).toBe('');
});
