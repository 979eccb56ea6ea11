/** The keys that encrypt signing secrets and personal data in the database. */
import { UserError } from '../../../contract/src/cli.ts';
import type { Database, Store } from '../database/store.ts';
import { type Reencryption, reencryptSecrets, UnusableSecrets } from '../merchants/signing-secrets.ts';
import { UndecryptableSecret } from '../platform/key-ring.ts';
import { recordOnlyKey, reencryptPersonalData } from '../transactions/personal-data.ts';
import type { Author } from './command-services.ts';
import type { DatabaseGroup } from './database-commands.ts';

/** Secrets, or transactions, in a unit of work. */
const BATCH = 100;
/** Failures that are printed. */
const FAILURES_MAX = 20;

/** A UserError for data that the keys of the settings can't decrypt. Other errors stay unchanged. */
export function explainSecrets(error: unknown): unknown {
  if (!(error instanceof UnusableSecrets || error instanceof UndecryptableSecret)) return error;
  if (/in the clear/.test(error.message)) {
    return new UserError(
      `LIVE is set, but the database has unencrypted data:\n${error.message}\nEncrypt it: payments-gateway secret reencrypt`,
    );
  }
  return new UserError(
    `SECRETS_KEY can't decrypt the data of the database:\n${error.message}\nSet SECRETS_KEY to the key of the gateways, and SECRETS_KEY_PREVIOUS to keys that it replaces.`,
  );
}

export const SECRET_COMMANDS: DatabaseGroup = {
  name: 'secret',
  commands: [
    {
      usage: 'reencrypt',
      description:
        'Encrypt all signing secrets and personal data with SECRETS_KEY, including unencrypted ones. Gateways that have the key may be running.',
      force: 'Delete personal data whose key is lost.',
      action: 'reencryptSecrets',
      run: reencryptCommand,
    },
  ],
};

interface ReencryptOptions {
  readonly store: Store;
  readonly author: Author;
  /** Deletes personal data that can't be decrypted. */
  readonly force: boolean;
}

/** Encrypts all signing secrets and personal data with the first key, while gateways run. */
async function reencryptCommand({ store, author, force }: ReencryptOptions): Promise<string> {
  const [newest] = store.read.keys.ids;
  if (newest === undefined) {
    throw new UserError('SECRETS_KEY is not set. Set it to the key to encrypt with: openssl rand -base64 32', 2);
  }
  const failures: string[] = [];
  let [failed, deleted] = [0, 0];
  let isRecorded = false;
  const encryptAll = async (encryptPart: (db: Database, after: string) => Promise<Reencryption>) => {
    let encrypted = 0;
    for (let after: string | undefined = ''; after !== undefined; ) {
      const from: string = after;
      const part: Reencryption = await store.unit(async (db) => {
        const done = await encryptPart(db, from);
        if (!isRecorded && done.encrypted > 0) await author.record(db, { subject: newest });
        return done;
      });
      isRecorded ||= part.encrypted > 0;
      encrypted += part.encrypted;
      failed += part.failures.length;
      deleted += part.deleted ?? 0;
      failures.push(...part.failures.slice(0, FAILURES_MAX - failures.length));
      after = part.last;
    }
    return encrypted;
  };
  const secrets = await encryptAll((db, after) => reencryptSecrets(db, BATCH, after));
  const failedSecrets = failed;
  const transactions = await encryptAll((db, after) => reencryptPersonalData(db, { limit: BATCH, after, force }));
  // Even if a signing secret can't be decrypted: it can be replaced.
  if (failed === failedSecrets) await store.unit(recordOnlyKey);
  const encrypted = `encrypted ${secrets} signing secrets and ${transactions} transactions with key ${newest}`;
  const done = deleted > 0 ? `${encrypted}, deleted the personal data of ${deleted} transactions` : encrypted;
  if (failed === 0) return done;
  const more = failed > failures.length ? [`and ${failed - failures.length} more`] : [];
  const remedy = force
    ? ', or revoke the signing secrets: payments-gateway secret revoke MERCHANT_ID SECRET_ID --force'
    : '';
  throw new UserError(
    `${done}, but ${failed} could not be decrypted:\n${[...failures, ...more].join('\n')}\nAdd the keys that are missing to SECRETS_KEY_PREVIOUS${remedy}.`,
  );
}
