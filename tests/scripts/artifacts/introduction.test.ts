import { describe, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { assumptionAddress, expandIntroduction } from '../../../scripts/artifacts/introduction.ts';

const bundle = readBundle();
const withIntroduction = (description: string) =>
  expandIntroduction({ ...bundle, info: { ...bundle.info, description } });

describe('the introduction', () => {
  it('has a row for every decline reason, state, move and problem of the document', () => {
    const text = bundle.info.description;
    for (const machine of Object.values(bundle['x-state-machines'])) {
      for (const state of Object.keys(machine.states)) expect(text).toContain(`| \`${state}\` |`);
      for (const move of machine.transitions) expect(text).toContain(move.when);
    }
    for (const assumption of bundle['x-assumptions']) expect(text).toContain(`\n## ${assumption.id}\n`);
    for (const branch of Object.values(bundle.components.schemas).flatMap((schema) => schema.anyOf ?? [])) {
      for (const reason of Object.keys(branch['x-decline-reasons'] ?? {})) expect(text).toContain(`| \`${reason}\` |`);
    }
  });

  it('links only to existing assumptions', () => {
    const links = bundle.info.description.match(/#section\/Assumptions\/[\w-]+/g) ?? [];
    const known = bundle['x-assumptions'].map(({ id }) => assumptionAddress(id));
    expect(links.filter((link) => !known.includes(link))).toEqual([]);
  });

  it.each([
    ['h2h-payment', ['EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED', 'VERIFYING', 'SUCCESS']],
    ['redirect-payment', ['CREATED', 'CREATED', 'SUCCESS', 'SUCCESS']],
    ['payout', ['PROCESSING', 'SUCCESS']],
  ])('describes %s with the examples of one transaction, up to its webhook of success', (workflow, statuses) => {
    const text = withIntroduction(`<!-- insert: walkthrough ${workflow} -->`);
    const bodies = [...text.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, body = '']) => JSON.parse(body));
    const about = bodies.filter(({ transaction_id }) => transaction_id !== undefined);
    expect(new Set(about.map(({ transaction_id }) => transaction_id)).size).toBe(1);
    expect(about.map(({ status }) => status)).toEqual(statuses);
    const known = Object.values(bundle.components.examples).map(({ value }) => value);
    for (const body of bodies) expect(known).toContainEqual(body);
    const last = text.lastIndexOf('The service sends a webhook:');
    expect(text.slice(last)).toContain('"status": "SUCCESS"');
  });

  it('refuses a walkthrough without an example for a message', () => {
    const odd = structuredClone(bundle);
    delete odd.webhooks['payoutSucceeded'];
    Object.assign(odd.paths['/payouts/{payout_id}']?.['get'] ?? {}, { responses: {} });
    odd.info.description = '<!-- insert: walkthrough payout -->';
    expect(() => expandIntroduction(odd)).toThrow('payout.arazzo.yaml: no transaction of the examples has a message');
  });
});
