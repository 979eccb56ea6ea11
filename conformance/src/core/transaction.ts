/** Rules for the fields of transactions: values of the creation come back unchanged. */

import { type Json, openEnum } from '../../../contract/src/model.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import { clauseAt } from '../document/basis.ts';
import type { Contract } from '../document/contract.ts';
import { type Exchange, readMember, readString } from '../service/exchange.ts';
import { type Finding, formatValue } from './finding.ts';
import { OPERATION_NAMES } from './tracked.ts';

/** Fields of a creation that a transaction repeats, and the names under which it shows them. */
const ECHOED: Readonly<Record<string, readonly string[]>> = {
  merchant_order_id: ['merchant_order_id'],
  amount: ['amount'],
  currency: ['currency'],
  payment_method_type: ['payment_method_type', 'payment_method'],
};

/** Schemas that hold the fields, for the clauses. */
const SCHEMAS = { payment: 'PaymentSucceeded', payout: 'PayoutSucceeded' } as const;

/** Finds fields of the response that differ from the creation. */
export function judgeEcho(
  contract: Contract,
  kind: TransactionKind,
  sent: Json | undefined,
  exchange: Exchange,
): Finding[] {
  return Object.entries(ECHOED).flatMap(([name, fields]) =>
    fields.flatMap((field): Finding[] => {
      const wanted = readMember(sent, name);
      const found = readMember(exchange.body, field);
      if (wanted === undefined || found === undefined || found === wanted) return [];
      const expected = `${formatValue(wanted)}, as it was sent to ${OPERATION_NAMES[kind].create}`;
      return [
        {
          at: `body /${field}`,
          expected,
          found: formatValue(found),
          clause: fieldClause(contract, kind, field),
          exchange,
        },
      ];
    }),
  );
}

/** The clause of a field of a transaction. */
export function fieldClause(contract: Contract, kind: TransactionKind, field: string) {
  const properties = contract.bundle.components.schemas[SCHEMAS[kind]]?.properties ?? {};
  const at = `/components/schemas/${SCHEMAS[kind]}`;
  return clauseAt(contract.bundle, field in properties ? `${at}/properties/${field}` : at);
}

/** Statuses with which a creation can respond, by the state machine, tolerated ones too. */
export function firstStatuses(contract: Contract, kind: TransactionKind): string[] {
  return contract.machines[kind].transitions.filter(({ from }) => from === null).map(({ to }) => to);
}

const REASONS = { payment: 'PaymentDeclineReason', payout: 'PayoutDeclineReason' } as const;

/** The codes of the decline table of a kind (source 7.1 and 7.2). */
export function declineReasons({ bundle }: Contract, kind: TransactionKind): string[] {
  const schema = bundle.components.schemas[REASONS[kind]];
  return ((schema && openEnum(schema)?.known) ?? []).map(String);
}

/** The codes that examples carry although the tables don't list them (source 7.3). */
export function unlistedReasons(contract: Contract, kind: TransactionKind): string[] {
  const listed = declineReasons(contract, kind);
  const shown = contract.operation(OPERATION_NAMES[kind].read).responses.flatMap(({ body }) => body?.examples ?? []);
  const reasons = shown.flatMap(({ value }) => readString(value, 'decline_reason') ?? []);
  return [...new Set(reasons)].filter((reason) => !listed.includes(reason));
}

/** Fields that the contract names for payments in any status. */
export function knownFields({ bundle }: Contract): object {
  const { schemas } = bundle.components;
  const names = [
    ...Object.values(schemas['Payment']?.discriminator?.mapping ?? {}),
    ...Object.values(schemas['Payout']?.discriminator?.mapping ?? {}),
  ];
  const properties = names.map((ref) => schemas[ref.slice(ref.lastIndexOf('/') + 1)]?.properties ?? {});
  return Object.assign({}, ...properties);
}
