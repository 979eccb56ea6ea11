/** The API documents, the routes and the reference agree. */
import { describe, expect, it } from 'vitest';
import { DEFAULTS } from '../../../gateway/src/config/settings.ts';
import { bindOperations } from '../../../gateway/src/core.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { createApp } from '../../../gateway/src/http/app.ts';
import { readContract } from '../../../gateway/src/http/contract.ts';
import { NO_METRICS } from '../../../gateway/src/http/metrics.ts';
import { RAISED } from '../../../gateway/src/http/problems.ts';
import { systemClock } from '../../../gateway/src/platform/clock.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { NO_LOG } from '../../../gateway/src/platform/log.ts';
import { storeTime } from '../../../gateway/src/platform/merchant-time.ts';
import { createTestChannels, openTestSqlite } from '../harness.ts';

const contract = readContract();

describe('the problem registry', () => {
  it('is the same in the gateway and in the contract', () => {
    expect([...RAISED].sort()).toEqual([...contract.problems.keys()].sort());
  });

  it('equals the reference row by row', () => {
    const { description } = contract.bundle.info;
    const rows = [...description.matchAll(/^\| (\d{3}) \| `(https:\/\/[\w.-]+\/problems\/[\w-]+)` \| (.+) \|$/gm)];
    expect(rows.map(([, status, type, title]) => ({ status: Number(status), type, title })).sort(byType)).toEqual(
      [...contract.problems.values()].map(({ status, type, title }) => ({ status, type, title })).sort(byType),
    );
  });
});

function byType(a: { type?: string | undefined }, b: { type?: string | undefined }): number {
  return String(a.type) < String(b.type) ? -1 : 1;
}

describe('the start', () => {
  const server = async (change: (contract: ReturnType<typeof readContract>) => ReturnType<typeof readContract>) => {
    const services = {
      store: await openTestSqlite(),
      clock: systemClock,
      time: storeTime(systemClock),
      ids: randomIds,
      methods: sandboxMethods,
      channels: createTestChannels(),
      checkoutUrl: (token: string) => token,
      report: () => undefined,
    };
    return createApp({
      contract: change(readContract()),
      services,
      handlers: bindOperations(services),
      log: NO_LOG,
      bodyBytesMax: DEFAULTS.bodyBytesMax,
      requestsPerSecond: DEFAULTS.requestsPerSecond,
      metrics: NO_METRICS,
    });
  };

  it('is refused for an operation of the contract without a handler', async () => {
    const [first] = readContract().operations;
    const more = server((contract) => ({
      ...contract,
      operations: [...contract.operations, { ...first, id: 'refundPayment' } as never],
    }));
    await expect(more).rejects.toThrow('the operation refundPayment has no handler');
  });

  it('is refused for a problem outside the contract', async () => {
    const poorer = server((contract) => ({
      ...contract,
      problems: new Map([...contract.problems].filter(([name]) => name !== 'wrong-state')),
    }));
    await expect(poorer).rejects.toThrow('the problem wrong-state is not in it');
  });
});
