/** Operators of a gateway under test. */

import { createOperatorKey } from '../../../gateway/src/operators/operator-keys.ts';
import {
  createOperator,
  type OperatorListing,
  operatorByName,
  type Role,
} from '../../../gateway/src/operators/operators.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { type CallFunction, createCaller, type TestGateway } from './gateway.ts';

export interface TestOperator {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  /** Calls as this operator. */
  readonly call: CallFunction;
}

/** Adds an operator, or a key for the operator with this name. */
export async function addOperator(
  { gateway, clock }: TestGateway,
  name = 'Dana',
  role: Role = 'act',
): Promise<TestOperator> {
  const { id, key } = await gateway.store.unit(async (db) => {
    await createOperator(db, { name, role }, clock.now(), randomIds);
    const operator = (await operatorByName(db, name)) as OperatorListing;
    return { id: operator.id, key: (await createOperatorKey(db, operator.id, clock.now(), randomIds)).key };
  });
  return { id, key, name, call: createCaller(gateway, key) };
}
