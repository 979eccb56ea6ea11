import { describe, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { minorUnits } from '../../../generated/currencies.ts';
import * as declines from '../../../generated/decline-reasons.ts';
import * as examples from '../../../generated/examples.ts';
import { writeArtifacts } from '../../../scripts/artifacts/artifact.ts';
import { listArtifacts } from '../../../scripts/artifacts/build.ts';

describe('decline reasons', () => {
  it('have the texts of both tables', () => {
    expect(Object.keys(declines.paymentDeclineReasons)).toHaveLength(12);
    expect(Object.keys(declines.payoutDeclineReasons)).toHaveLength(11);
    expect(declines.paymentDeclineReasons.CHANNEL_DOWN.suggested_action).toMatch(/1 minute/);
    expect(declines.payoutDeclineReasons.CHANNEL_DOWN.suggested_action).toMatch(/T\+1/);
  });
});

describe('currencies', () => {
  it("have the contract's decimals", () => {
    expect(minorUnits).toEqual({ INR: 2, EGP: 2, MAD: 2, DZD: 2 });
  });
});

describe('examples', () => {
  it('are data by operation and name', () => {
    expect(examples.requestExamples.createPayment['h2h-upi'].body.currency).toBe('INR');
    expect(examples.responseExamples.getPayment[200].declined.decline_reason).toBe('INSUFFICIENT_FUNDS');
    expect(examples.webhookExamples.payoutFailed.declined.decline_reason).toBe('INVALID_ACCOUNT_NUMBER');
  });
});

describe('the stale check', () => {
  it('reports no stale file after a build, and names a file after a change', async () => {
    const artifacts = await listArtifacts(readBundle());
    expect(await writeArtifacts(artifacts, { dryRun: true })).toEqual([]);
    const changed = artifacts.map((artifact) => ({
      ...artifact,
      content: artifact.content.replace('CHANNEL_DOWN', 'CHANNEL_UP'),
    }));
    expect(await writeArtifacts(changed, { dryRun: true })).toContain('generated/decline-reasons.ts');
  });
});
