/** Results of a long run are kept in a file, so that it can be resumed, and its record shows what was corrected. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../tools/temporary.ts';
import { DEFECTS } from './defects/index.ts';
import { summarize } from './generated/report.ts';
import { Results } from './generated/results.ts';
import type { Judged } from './generated/trial.ts';

const [first, second] = DEFECTS.filter(({ verdict }) => verdict === 'violating').map(({ id }) => id);
const judged = (id = '', ending: Judged['ending'] = 'convicted'): Judged => ({ id, ending, because: '', ms: 1 });

async function file(): Promise<string> {
  return join(await temporaryFolder('results'), 'results.jsonl');
}

it('a run that was cut off in the middle of a line loses that line only', async () => {
  const path = await file();
  new Results(path).add(judged(first));
  appendFileSync(path, '{"id":"half');
  new Results(path).add(judged(second));
  expect(new Results(path).last()).toEqual([judged(first), judged(second)]);
});

it('a defect that is judged again counts by its last judgement, and the result tells the first', async () => {
  const path = await file();
  const results = new Results(path);
  for (const one of [judged(first, 'acquitted'), judged(second), judged(first)]) results.add(one);
  const [planted] = summarize(results.last(), results.first());
  expect(planted).toMatchObject({ survivors: [], first: { convicted: 1, defects: 2, falseAlarms: 0 } });
  const [unchanged] = summarize([judged(first), judged(second)]);
  expect(unchanged).not.toHaveProperty('first');
});
