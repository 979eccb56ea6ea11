/** Results of a long run are kept in a file, so that it can be resumed. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../tools/temporary.ts';
import { DEFECTS } from './defects/index.ts';
import { summarize } from './generated/report.ts';
import { Results } from './generated/results.ts';
import type { Judged } from './generated/trial.ts';

const [first, second] = DEFECTS.filter(({ verdict }) => verdict === 'violating').map(({ id }) => id);
const judged = (id = '', ending: Judged['ending'] = 'reported'): Judged => ({ id, ending, because: '', ms: 1 });

async function file(): Promise<string> {
  return join(await temporaryFolder('results'), 'results.jsonl');
}

it('loses only the last line of an interrupted run', async () => {
  const path = await file();
  new Results(path).add(judged(first));
  appendFileSync(path, '{"id":"half');
  new Results(path).add(judged(second));
  expect(new Results(path).last()).toEqual([judged(first), judged(second)]);
});

it('counts the last result of a repeated defect', async () => {
  const results = new Results(await file());
  for (const one of [judged(first, 'passed'), judged(second), judged(first)]) results.add(one);
  expect(summarize(results.last())).toMatchObject([{ set: 'planted', survivors: [] }]);
});
