/** Checks of the user: a limit of the response time, and custom checks of a module. */
import type { JsonObject, Operation } from '../../../contract/src/model.ts';
import type { Check, Context } from '../core/check.ts';
import { FINDINGS_MAX, type Finding } from '../core/finding.ts';
import type { OwnService, Settings } from '../core/settings.ts';
import { lastSeen } from '../core/transactions.ts';
import type { Clause } from '../document/contract.ts';
import type { Exchange } from '../service/exchange.ts';

const ownClause = (rests: string, text: string): Clause => ({ pointer: '', basis: 'specified', rests, text });

export function ownChecks({ checks, maxResponseTime }: Pick<Settings, 'checks' | 'maxResponseTime'>): Check[] {
  const own = checks.map(
    ({ id, title, run }): Check => ({
      ...{ id: `own/${id}`, title, clause: ownClause('your own check', title), phase: 'parallel' },
      ...{ levels: [], partOf: [] },
      async run(context) {
        let last: Exchange | undefined;
        const found = await run(
          createService(context, (exchange) => {
            last = exchange;
          }),
        );
        const evidence = last && { exchange: last };
        return found.map((one): Finding => ({ ...one, clause: ownClause('your own check', title), ...evidence }));
      },
    }),
  );
  return maxResponseTime === undefined ? own : [...own, responseTimeCheck(maxResponseTime)];
}

function createService({ fixtures, send }: Context, note: (exchange: Exchange) => void): OwnService {
  return {
    async request(method, path, { body, key } = {}) {
      const operation: Operation = {
        ...{ id: `${method.toUpperCase()} ${path}`, method: method.toLowerCase(), path, pointer: '', summary: '' },
        ...{ tags: [], description: '', parameters: [], exactlyOneOf: [], responses: [], callbacks: [] },
      };
      const json = body === undefined ? {} : { body, mediaType: 'application/json' };
      const exchange = await send({ operation, target: path, ...json, ...(key !== undefined && { key }) });
      note(exchange);
      return { status: exchange.status, headers: exchange.headers, body: exchange.body };
    },
    payment: async (goal) => (lastSeen(await fixtures.reach(goal)) ?? {}) as JsonObject,
    payout: async (goal) => (lastSeen(await fixtures.reach(goal)) ?? {}) as JsonObject,
  };
}

/** Judges the requests of all checks. Requests that the contract doesn't allow are too few to matter. */
function responseTimeCheck(msMax: number): Check {
  const text = `Every response is complete within ${msMax} ms.`;
  const clause = ownClause('--max-response-time', text);
  return {
    ...{ id: 'own/response-time', title: `Every response comes within ${msMax} ms`, clause, phase: 'end' },
    ...{ levels: [], partOf: [] },
    async run({ journal }) {
      const slow = journal.exchanges.filter(({ startedAt, endedAt }) => endedAt - startedAt > msMax);
      return slow
        .toSorted((one, other) => other.endedAt - other.startedAt - (one.endedAt - one.startedAt))
        .slice(0, FINDINGS_MAX)
        .map((exchange) => {
          const found = `${exchange.endedAt - exchange.startedAt} ms, and ${slow.length - 1} other responses are slower`;
          return { at: 'response time', expected: `at most ${msMax} ms`, found, clause, exchange };
        });
    },
  };
}
