/** Each step of each workflow fails if the service breaks there. */
import { describe, expect, it } from 'vitest';
import { responseExamples } from '../../../generated/examples.ts';
import { type Defect, play, WORKFLOWS } from './play.ts';

const FAILURE: Defect['change'] = () => ({ status: 500, body: { title: 'Internal error', status: 500 } });
const NO_PAGE: Defect['change'] = ({ status, body: { redirect_url: _, ...body } }) => ({ status, body });

/** Ends the transaction otherwise than the workflow, with an example of the contract. */
function otherEnd(name: string): Defect['change'] {
  const { getPayment, getPayout } = responseExamples;
  const end = name.startsWith('declined') ? 'succeeded' : 'declined';
  const example = name.endsWith('payout') ? getPayout[200][end] : getPayment[200][end];
  return ({ status, body: { transaction_id = '' } }) => ({ status, body: { ...example, transaction_id } });
}

/** The defects that each step must notice. */
const DEFECTS = Object.entries(WORKFLOWS).flatMap(([name, { steps }]) =>
  steps.flatMap(({ stepId, successCriteria }, step) => {
    const conditions = successCriteria.map(({ condition }) => condition).join();
    return [
      [name, stepId, 'a failure', { step, change: FAILURE }],
      ...(step > 0 && conditions.includes('#/status')
        ? [[name, stepId, 'another end', { step, change: otherEnd(name) }]]
        : []),
      ...(conditions.includes('redirect_url') ? [[name, stepId, 'no payment page', { step, change: NO_PAGE }]] : []),
    ] as [string, string, string, Defect][];
  }),
);

describe.concurrent('a workflow', () => {
  it.each(DEFECTS)('%s fails in step %s after %s', async (name, stepId, _what, defect) => {
    const { code, failed, stdout } = await play(name, { defect });
    expect([code, failed], stdout).toEqual([1, stepId]);
  });

  it('requires a status', () => {
    for (const name of Object.keys(WORKFLOWS))
      expect(DEFECTS.filter(([workflow, , what]) => workflow === name && what === 'another end')).not.toEqual([]);
  });
});
