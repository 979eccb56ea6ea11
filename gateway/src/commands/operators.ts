/** The commands about operators and their keys. */
import { UserError } from '../../../contract/src/cli.ts';
import type { Store } from '../database/store.ts';
import { createOperatorKey, operatorKeys, revokeOperatorKey, revokeOperatorKeys } from '../operators/operator-keys.ts';
import {
  createOperator,
  type OperatorListing,
  operatorById,
  operatorByName,
  type Role,
  setOperatorRole,
} from '../operators/operators.ts';
import { randomIds } from '../platform/ids.ts';
import { timestamp } from '../transactions/view.ts';
import { type Author, recordIf } from './command-services.ts';

const NAME_CHARS = 120;

/** Adds an operator with a key, which is printed once: only its hash is stored. */
export async function createOperatorCommand(
  store: Store,
  text: string,
  { record, clock }: Author,
  { role = 'act', expires }: { readonly role?: Role; readonly expires?: number },
): Promise<string> {
  const name = parseOperatorName(text);
  const created = await store.unit(async (db) => {
    const id = await createOperator(db, name, clock.now(), randomIds, role);
    if (id === undefined) return undefined;
    await record(db, { subject: id });
    return { id, newKey: await createOperatorKey(db, id, clock.now(), randomIds, expires) };
  });
  if (created) return `operator      ${created.id}  ${name}\nrole          ${role}\n${describeNewKey(created.newKey)}`;
  const taken = await operatorByName(store.read, name);
  throw new UserError(
    `${taken?.name} is an operator already. Names are unique, so that one person can't approve their own proposal.
To create another key for this operator: payments-gateway operator-key create ${taken?.id}
To change the role: payments-gateway operator set-role ${taken?.id} ${role}`,
  );
}

export async function setOperatorRoleCommand(
  store: Store,
  id: string,
  role: Role,
  { record }: Author,
): Promise<string> {
  const { name, role: before } = await requireOperator(store, id);
  const changed = await store.unit((db) =>
    recordIf(setOperatorRole(db, id, role), () => record(db, { subject: `${id} ${role}` })),
  );
  if (!changed) throw new UserError(`${name} has the role ${before} already.`);
  return `${name} has the role ${role}`;
}

/** Revokes all keys of an operator, within a second. The operator's changes stay recorded. */
export async function revokeOperatorCommand(store: Store, id: string, { record, clock }: Author): Promise<string> {
  const revoked = await store.unit((db) =>
    recordIf(revokeOperatorKeys(db, id, clock.now()), () => record(db, { subject: id })),
  );
  if (!revoked) throw new UserError(`No operator with a valid key: ${id}.\nTry: payments-gateway operator list`);
  return `revoked all keys of ${id}`;
}

/** Gives an operator another key. Prints it once. */
export async function createOperatorKeyCommand(
  store: Store,
  operatorId: string,
  { record, clock }: Author,
  { expires }: { readonly expires?: number },
): Promise<string> {
  await requireOperator(store, operatorId);
  const created = await store.unit(async (db) => {
    const key = await createOperatorKey(db, operatorId, clock.now(), randomIds, expires);
    await record(db, { subject: key.id });
    return key;
  });
  return describeNewKey(created);
}

/** Lists the keys of an operator, without the keys themselves. */
export async function listOperatorKeysCommand(store: Store, operatorId: string, now: number): Promise<string> {
  await requireOperator(store, operatorId);
  const lines = (await operatorKeys(store.read, operatorId)).map(({ id, hint, createdAt, ...key }) => {
    const used = key.lastUsedAt === undefined ? 'never used' : `last used ${timestamp(key.lastUsedAt)}`;
    const expiry = `${key.expiresAt > now ? 'expires' : 'expired'} ${timestamp(key.expiresAt)}`;
    const end = key.revokedAt === undefined ? expiry : `revoked ${timestamp(key.revokedAt)}`;
    return `${id}  ${hint}  ${timestamp(createdAt)}  ${used}  ${end}`;
  });
  return lines.join('\n') || `No keys yet. Create one: payments-gateway operator-key create ${operatorId}`;
}

/** Revokes a key, within a second. */
export async function revokeOperatorKeyCommand(store: Store, id: string, { record, clock }: Author): Promise<string> {
  const revoked = await store.unit((db) =>
    recordIf(revokeOperatorKey(db, id, clock.now()), () => record(db, { subject: id })),
  );
  if (!revoked) throw new UserError(`No valid key ${id}.\nTry: payments-gateway operator-key list OPERATOR_ID`);
  return `revoked ${id}`;
}

function describeNewKey({ id, key, expiresAt }: Awaited<ReturnType<typeof createOperatorKey>>): string {
  return `key id        ${id}\nexpires       ${timestamp(expiresAt)}\noperator key  ${key}  (shown only now)`;
}

/** Without spaces around it and invisible characters: two names that look the same are the same. */
function parseOperatorName(text: string): string {
  const name = text.normalize('NFC').trim();
  if (name !== '' && name.length <= NAME_CHARS && !/\p{C}/u.test(name)) return name;
  throw new UserError(
    `The name is '${text}'. It must have 1 to ${NAME_CHARS} characters, and no control or invisible characters.`,
    2,
  );
}

async function requireOperator(store: Store, id: string): Promise<OperatorListing> {
  const operator = await operatorById(store.read, id);
  if (!operator) throw new UserError(`Operator not found: ${id}.\nTry: payments-gateway operator list`);
  return operator;
}
