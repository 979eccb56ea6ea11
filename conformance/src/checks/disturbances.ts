/** Responses of a temporarily unavailable service. */
import type { Operation, Response } from '../../../contract/src/model.ts';
import type { Check, Context } from '../core/check.ts';
import { type Finding, NotReached } from '../core/finding.ts';
import { callDriver } from '../core/fixtures.ts';
import { judgeHeaders, judgeResponse, judgeWhole } from '../core/judge.ts';
import { exampleCall } from '../core/transactions.ts';
import type { Contract } from '../document/contract.ts';
import { listLevels } from './levels.ts';

/** Statuses that no request causes on its own. */
const DISTURBED = new Set(['429', '500', '503']);

export function disturbanceChecks(contract: Contract): Check[] {
  return contract.operations.flatMap((operation) =>
    operation.responses
      .filter(({ status }) => DISTURBED.has(status))
      .map(
        (response): Check => ({
          id: `disturbance/${operation.id}/${response.status}`,
          title: `${operation.id} returns ${response.status} as it is documented`,
          clause: contract.clause(response.pointer),
          ...{ phase: 'parallel', operation: operation.id, levels: [], partOf: listLevels(operation) },
          run: (context) => judgeDisturbed(context, operation, response),
        }),
      ),
  );
}

async function judgeDisturbed(context: Context, operation: Operation, { status }: Response): Promise<Finding[]> {
  const { contract, driver, access, send } = context;
  const { disturb } = driver;
  if (!disturb) throw new NotReached(`no request causes a ${status}`, 'let the driver cause one by `disturb`');
  const failure = `the driver could not cause a ${status}`;
  const key = await callDriver(driver, 'disturb', failure, async () => disturb(operation.id, Number(status), access));
  const exchange = await send({ ...exampleCall(operation, context), key, awaits: Number(status) });
  const wrong = judgeResponse(contract, exchange, status);
  return wrong.length > 0 ? wrong : [...judgeWhole(contract, exchange), ...judgeHeaders(contract, exchange)];
}
