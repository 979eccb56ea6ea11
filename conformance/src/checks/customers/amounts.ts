/** Amounts at the limits of number types and of the contract, in each currency: they come back as they were sent. */
import type { TransactionKind } from '../../../../contract/src/reference-model.ts';
import type { Check, Context } from '../../core/check.ts';
import type { Finding } from '../../core/finding.ts';
import { KINDS, OPERATION_NAMES } from '../../core/tracked.ts';
import { assumption } from '../../document/basis.ts';
import type { Contract } from '../../document/contract.ts';
import { KIND_LEVELS } from '../levels.ts';
import { judgeRoundTrip, noBody, unfinishedBodies } from './round-trip.ts';

/** Amounts that lose a unit when they are divided by 100 and multiplied by 100 again as floats, and then cut off. */
const INEXACT = [29, 1_003, 1_000_005];
/** The first integer that a 32-bit float can't represent, and both sides of the limits of 32-bit integers. */
const LIMITS = [2 ** 24 + 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32];

/** The amounts to test, in minor units: the contract's minimum and maximum, and the limits between them. */
function boundaries({ bundle }: Contract): number[] {
  const { minimum = 1, maximum = Number.MAX_SAFE_INTEGER } = (bundle.components.schemas['Amount'] ?? {}) as {
    minimum?: number;
    maximum?: number;
  };
  return [minimum, ...[...INEXACT, ...LIMITS].filter((limit) => minimum < limit && limit < maximum), maximum];
}

export function amountChecks(contract: Contract): Check[] {
  return KINDS.flatMap((kind) =>
    boundaries(contract).map((amount): Check => {
      const { create } = OPERATION_NAMES[kind];
      return {
        id: `amount/${create}/${amount}`,
        title: `A ${kind} of ${amount} minor units has the same amount in every response`,
        clause: assumption(contract.bundle, 'amounts'),
        ...{ phase: 'parallel', operation: create, levels: [], partOf: KIND_LEVELS[kind] },
        covers: [['boundaries', `${create} ${amount}`]],
        run: (context) => judgeAmount(context, kind, amount),
      };
    }),
  );
}

/** Limits are the service's own. They decline the transaction, and the request is accepted. */
async function judgeAmount(context: Context, kind: TransactionKind, amount: number): Promise<Finding[]> {
  const all = unfinishedBodies(context, kind);
  if (all.length === 0) throw noBody(context, kind);
  const refusal = assumption(context.contract.bundle, 'amounts');
  const findings = await Promise.all(
    all.map(async (body) => {
      const unpaid = kind === 'payment' || (await isBeyond(context, String(body['currency']), amount));
      return judgeRoundTrip(context, kind, { ...body, amount }, { unpaid }, refusal);
    }),
  );
  return findings.flat();
}

async function isBeyond({ fixtures }: Context, currency: string, amount: number): Promise<boolean> {
  const balance = await fixtures.balance(currency);
  return balance !== undefined && balance.available + balance.pending < amount;
}
