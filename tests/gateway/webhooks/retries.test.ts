import { describe, expect, it } from 'vitest';
import { readBundle, webhooks } from '../../../contract/src/model.ts';
import { ANSWER_WITHIN_MS, judgeAttempt, RETRY_DELAYS_MS } from '../../../gateway/src/webhooks/retries.ts';

const NOW = 1_000_000;
const MIDDLE = 0.5;
const UNITS = { s: 1_000, min: 60_000, h: 3_600_000 };

const bundle = readBundle();

/** The durations in a text, in milliseconds. */
function durations(text: string): number[] {
  return [...text.matchAll(/\b(\d+) (s|min|h)\b/g)].map(([, count, unit]) => Number(count) * UNITS[unit as 's']);
}

describe('the verdict on an attempt', () => {
  it('uses the durations of the contract', () => {
    const { assumed = '' } = bundle['x-assumptions'].find(({ id }) => id === 'retries') ?? {};
    expect(durations(assumed)).toEqual([ANSWER_WITHIN_MS, ...RETRY_DELAYS_MS]);
  });

  it('distinguishes only responses that the contract documents', () => {
    const documented = new Set(webhooks(bundle).flatMap(({ responses }) => responses.map(({ status }) => status)));
    expect([...documented].sort()).toEqual(['2XX', '410']);
  });

  it.each([
    ['delivered', [200, 204, 299], undefined],
    ['stopped', [410], undefined],
    ['retried', [199, 300, 307, 400, 409, 411, 429, 500], NOW + 5_000],
  ])('is %s after %j', (outcome, statuses, nextAt) => {
    for (const status of statuses) expect(judgeAttempt({ status }, 1, NOW, MIDDLE)).toEqual({ outcome, nextAt });
  });

  it('varies the pause by up to a tenth', () => {
    expect(judgeAttempt({ status: 500 }, 2, NOW, 0).nextAt).toBe(NOW + 270_000);
    expect(judgeAttempt({ status: 500 }, 2, NOW, 1).nextAt).toBe(NOW + 330_000);
  });

  it('is delivered even by the last attempt', () => {
    expect(judgeAttempt({ status: 200 }, RETRY_DELAYS_MS.length + 1, NOW, MIDDLE).outcome).toBe('delivered');
  });
});
