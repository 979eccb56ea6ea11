/** The commands about operators and their keys. */
import { parseArgument, parseName, requireParsed, UserError } from '../../../contract/src/cli.ts';
import type { Store } from '../database/store.ts';
import { milliseconds } from '../management/parameters.ts';
import { createOperatorKey, operatorKeys, revokeOperatorKey, revokeOperatorKeys } from '../operators/operator-keys.ts';
import {
  createOperator,
  type OperatorListing,
  operatorById,
  operatorByName,
  ROLES,
  type Role,
  setOperatorRole,
} from '../operators/operators.ts';
import { randomIds } from '../platform/ids.ts';
import { timestamp } from '../transactions/view.ts';
import { recordIf } from './command-services.ts';
import type { DatabaseGroup, OwnOption } from './database-commands.ts';

const NAME_CHARS = 120;
const HOUR_MS = 60 * 60_000;
const LIFETIME_MS_MAX = 366 * 24 * HOUR_MS;

const parseRole = parseName(ROLES);

/** The option for the lifetime of an operator's key. */
const EXPIRES: OwnOption = {
  form: '--expires <duration>',
  description: 'The key is refused after this time, from 1h to 366d. (default: 90d)',
  parse: requireParsed((text) => {
    const lifetime = /^\d{1,9}(m|h|d)$/.test(text) ? milliseconds(text) : 0;
    return lifetime >= HOUR_MS && lifetime <= LIFETIME_MS_MAX ? lifetime : undefined;
  }, 'It must be a duration from 1h to 366d, such as 12h or 90d.'),
};

export const OPERATOR_COMMANDS: DatabaseGroup = {
  name: 'operator',
  commands: [
    {
      usage: 'create <name>',
      description: 'Create an operator with a unique name, and print a key for the management API at /management.',
      options: [
        {
          form: `--role <${ROLES.join('|')}>`,
          description:
            'read: read only. support: also resend webhooks. act: also make other changes (default). approve: also approve changes of money proposed by others.',
          parse: parseRole,
        },
        EXPIRES,
      ],
      action: 'createOperator',
      async run({ store, options, author: { record, clock } }, text = '') {
        const { role = 'act', expires } = options as { readonly role?: Role; readonly expires?: number };
        const name = parseOperatorName(text);
        const created = await store.unit(async (db) => {
          const id = await createOperator(db, { name, role }, clock.now(), randomIds);
          if (id === undefined) return undefined;
          await record(db, { subject: id });
          return { id, newKey: await createOperatorKey(db, id, clock.now(), randomIds, expires) };
        });
        if (created)
          return `operator      ${created.id}  ${name}\nrole          ${role}\n${describeNewKey(created.newKey)}`;
        const taken = await operatorByName(store.read, name);
        throw new UserError(
          `${taken?.name} is an operator already. Names are unique, so that one person can't approve their own proposal.
To create another key for this operator: payments-gateway operator-key create ${taken?.id}
To change the role: payments-gateway operator set-role ${taken?.id} ${role}`,
        );
      },
    },
    {
      usage: 'set-role <operator-id> <role>',
      description: `Change the role of an operator to ${ROLES.join(', ')}.`,
      action: 'setOperatorRole',
      async run({ store, author: { record } }, id = '', text = '') {
        const role = parseArgument('The role', text, parseRole);
        const { name, role: before } = await requireOperator(store, id);
        const changed = await store.unit((db) =>
          recordIf(setOperatorRole(db, id, role), () => record(db, { subject: `${id} ${role}` })),
        );
        if (!changed) throw new UserError(`${name} has the role ${before} already.`);
        return `${name} has the role ${role}`;
      },
    },
    {
      usage: 'revoke <operator-id>',
      description: "Revoke all keys of an operator. The audit log keeps the operator's changes.",
      action: 'revokeOperator',
      async run({ store, author: { record, clock } }, id = '') {
        const revoked = await store.unit((db) =>
          recordIf(revokeOperatorKeys(db, id, clock.now()), () => record(db, { subject: id })),
        );
        if (!revoked) throw new UserError(`No operator with a valid key: ${id}.\nTry: payments-gateway operator list`);
        return `revoked all keys of ${id}`;
      },
    },
  ],
};

export const OPERATOR_KEY_COMMANDS: DatabaseGroup = {
  name: 'operator-key',
  description: 'Create, list and revoke keys of operators.',
  commands: [
    {
      usage: 'create <operator-id>',
      description: 'Create a key, and print it. The other keys of the operator stay valid.',
      options: [EXPIRES],
      action: 'createOperatorKey',
      async run({ store, options, author: { record, clock } }, operatorId = '') {
        await requireOperator(store, operatorId);
        const { expires } = options as { readonly expires?: number };
        return store.unit(async (db) => {
          const key = await createOperatorKey(db, operatorId, clock.now(), randomIds, expires);
          await record(db, { subject: key.id });
          return describeNewKey(key);
        });
      },
    },
    {
      usage: 'list <operator-id>',
      description: 'List the keys of an operator with their last use and expiry, without the keys themselves.',
      async run({ store, clock }, operatorId = '') {
        await requireOperator(store, operatorId);
        const lines = (await operatorKeys(store.read, operatorId)).map(({ id, hint, createdAt, ...key }) => {
          const used = key.lastUsedAt === undefined ? 'never used' : `last used ${timestamp(key.lastUsedAt)}`;
          const expiry = `${key.expiresAt > clock.now() ? 'expires' : 'expired'} ${timestamp(key.expiresAt)}`;
          const end = key.revokedAt === undefined ? expiry : `revoked ${timestamp(key.revokedAt)}`;
          return `${id}  ${hint}  ${timestamp(createdAt)}  ${used}  ${end}`;
        });
        return lines.join('\n') || `No keys yet. Create one: payments-gateway operator-key create ${operatorId}`;
      },
    },
    {
      usage: 'revoke <key-id>',
      description: 'Revoke a key. The other keys of the operator stay valid.',
      action: 'revokeOperatorKey',
      async run({ store, author: { record, clock } }, id = '') {
        const revoked = await store.unit((db) =>
          recordIf(revokeOperatorKey(db, id, clock.now()), () => record(db, { subject: id })),
        );
        if (!revoked) throw new UserError(`No valid key ${id}.\nTry: payments-gateway operator-key list OPERATOR_ID`);
        return `revoked ${id}`;
      },
    },
  ],
};

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
