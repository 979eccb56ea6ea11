/** The commands about operators, who use the operators' API. */
import { UserError } from '../../../contract/src/cli.ts';
import { randomIds } from '../platform/ids.ts';
import { allOperators, createOperator, type Role, revokeOperator } from '../store/access/operators.ts';
import type { Store } from '../store/engine/store.ts';
import { timestamp } from '../wire/view.ts';
import { type Author, recordIf } from './command-services.ts';

const NAME_CHARS = 120;

/** Adds an operator. Prints the key once: only its hash is kept. */
export async function createOperatorCommand(
  store: Store,
  name: string,
  { record, clock }: Author,
  role: Role = 'act',
): Promise<string> {
  if (name.trim() === '' || name.length > NAME_CHARS) {
    throw new UserError(`The name is '${name}'. It must have 1 to ${NAME_CHARS} characters.`, 2);
  }
  const { id, key } = await store.unit(async (db) => {
    const created = await createOperator(db, name, clock.now(), randomIds, role);
    await record(db, { subject: created.id });
    return created;
  });
  return `operator      ${id}  ${name}\nrole          ${role}\noperator key  ${key}  (shown only now)`;
}

/** Lists the operators, without their keys. */
export async function listOperatorsCommand(store: Store): Promise<string> {
  const lines = (await allOperators(store.read)).map(({ id, name, role, hint, createdAt, revokedAt }) => {
    const end = revokedAt === undefined ? '' : `  revoked ${timestamp(revokedAt)}`;
    return `${id}  ${hint}  ${timestamp(createdAt)}  ${role.padEnd(7)}  ${name}${end}`;
  });
  return lines.join('\n') || 'No operators yet. Create one: payments-gateway operator create NAME';
}

/** Ends an operator's key; it is refused from within a second on. What the operator has changed stays recorded. */
export async function revokeOperatorCommand(store: Store, id: string, { record, clock }: Author): Promise<string> {
  const revoked = await store.unit((db) =>
    recordIf(revokeOperator(db, id, clock.now()), () => record(db, { subject: id })),
  );
  if (!revoked) throw new UserError(`No operator with a valid key: ${id}.\nTry: payments-gateway operator list`);
  return `revoked ${id}`;
}
