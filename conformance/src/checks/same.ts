/** An unchanged transaction shows the same values in every operation. */
import type { Json } from '../../../contract/src/model.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import { type Finding, formatValue } from '../core/finding.ts';
import type { History, Observation } from '../core/history.ts';
import { fieldClause, knownFields } from '../core/transaction.ts';
import { type Clause, specified } from '../document/basis.ts';
import type { Contract } from '../document/contract.ts';
import { readMember } from '../service/exchange.ts';

const FIND = 'findPayment';

/** Compares each response with the one before it in the same status, unless an action came between. */
export function judgeUnchanged(contract: Contract, { kind, responses }: History): Finding[] {
  const names = Object.keys(knownFields(contract));
  return responses
    .flatMap((later, index): Finding[] => {
      const before = responses[index - 1];
      if (!before || before.status !== later.status || before.endedAt > later.startedAt || isAction(later)) return [];
      const isLookup = [before, later].some(({ exchange }) => exchange?.call.operation.id === FIND);
      return names
        .filter((name) => !agree(readMember(before.body, name), readMember(later.body, name)))
        .map((name) => {
          const clause = isLookup
            ? specified('4.4', contract.operation(FIND).pointer)
            : fieldClause(contract, kind, name);
          return changeFinding(contract, kind, name, [before, later], clause);
        });
    })
    .slice(0, 1);
}

/** An action can make the service ask for other data in the same status. */
function isAction({ exchange }: Observation): boolean {
  return exchange?.call.operation.method !== 'get';
}

/** Whether the values are equal, or objects whose common members agree. They may differ in members that only one of them has. */
function agree(one: Json | undefined, other: Json | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  if (!isObject(one) || !isObject(other)) return JSON.stringify(one) === JSON.stringify(other);
  return Object.keys(one).every((name) => agree(one[name], other[name]));
}

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names the field, the values, and the two responses that disagree. */
export function changeFinding(
  contract: Contract,
  kind: TransactionKind,
  field: string,
  [one, other]: readonly [Observation, Observation],
  clause: Clause = fieldClause(contract, kind, field),
): Finding {
  const before = `${formatValue(readMember(one.body, field))}, as ${one.exchange?.call.operation.id ?? 'before'} returned it`;
  return {
    ...{ at: `body /${field}`, expected: before, found: formatValue(readMember(other.body, field)), clause },
    ...(other.exchange && { exchange: other.exchange }),
  };
}
