import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { ROOT, run } from '../../../scripts/tools/process.ts';

const MODULE = pathToFileURL(join(ROOT, 'gateway/src/commands/start.ts')).href;
/** As many objects as a loaded gateway creates per second, in as many turns of the event loop. */
const PROGRAM = `
import { getHeapSpaceStatistics } from 'node:v8';
import { limitYoungGeneration } from '${MODULE}';
if (process.argv[1] === 'limited') limitYoungGeneration();
let kept = [];
for (let turn = 0; turn < 500; turn++) {
  for (let made = 0; made < 3_000; made++) kept.push({ made, in: [turn] });
  if (turn % 80 === 0) kept = [];
  await new Promise(setImmediate);
}
console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 1_048_576);
`;

async function mebibytes(...args: string[]): Promise<number> {
  return Number((await run(process.execPath, ['--input-type=module', '-e', PROGRAM, ...args])).stdout);
}

it('limits the growth of the young generation', async () => {
  const [limited, unlimited] = await Promise.all([mebibytes('limited'), mebibytes()]);
  expect(limited).toBeLessThanOrEqual(32);
  expect(unlimited).toBeGreaterThan(limited);
});
