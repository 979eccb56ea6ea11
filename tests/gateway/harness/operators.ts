/** Operators of a gateway under test. */
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { createOperator, type Role } from '../../../gateway/src/store/access/operators.ts';
import { type CallFunction, callerWith, type TestGateway } from './gateway.ts';

export interface TestOperator {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  /** Calls as this operator. */
  readonly call: CallFunction;
}

export async function addOperator(
  { gateway, clock }: TestGateway,
  name = 'Dana',
  role: Role = 'act',
): Promise<TestOperator> {
  const made = await gateway.store.unit((db) => createOperator(db, name, clock.now(), randomIds, role));
  return { ...made, name, call: callerWith(gateway, made.key) };
}
