/** Signing secrets of merchants: listed without the secrets themselves, rotated and revoked. */

import type { Rejection } from '../database/store.ts';
import { invalid } from '../http/problems.ts';
import {
  createSigningSecret,
  deleteExpiredSecrets,
  type RevocationRefusal,
  readSigningSecrets,
  revokeSigningSecret,
} from '../merchants/signing-secrets.ts';
import { type AdministrationServices, UNRECORDED } from './administration-services.ts';
import { milliseconds } from './duration.ts';

const OVERLAP = '1d';
const OVERLAP_MS_MAX = 30 * 24 * 60 * 60_000;
/** Number of expired secrets kept per merchant, for operators and for the sandbox's fault `rotated_secret`. */
const EXPIRED_KEPT = 5;

/** A newly created secret. */
export interface NewSecret {
  readonly id: string;
  readonly secret: string;
  /** The end of the one before it, in milliseconds since 1970; undefined if there was none. */
  readonly previousExpiresAt: number | undefined;
}

/** Adds a secret. The one before it stays valid for the overlap, a day by default, so that receivers can change over. */
export async function rotateSecret(
  { store, time, ids, secretKeys, deliveries }: AdministrationServices,
  merchantId: number,
  overlap = OVERLAP,
  record = UNRECORDED,
): Promise<NewSecret> {
  const overlapMs = milliseconds(overlap);
  if (overlapMs > OVERLAP_MS_MAX) throw invalid([{ pointer: '/overlap', message: 'must be at most 30d' }]);
  const { now } = time.at(merchantId);
  const made = await store.unit(async (db) => {
    const secret = await createSigningSecret(db, merchantId, now, secretKeys, ids, overlapMs);
    await deleteExpiredSecrets(db, merchantId, now, EXPIRED_KEPT);
    const [previous, newest] = (await readSigningSecrets(db, merchantId)).slice(-2);
    const id = (newest ?? previous)?.id ?? '';
    await record(db, { merchantId, subject: id });
    return { id, secret, previousExpiresAt: newest && previous?.expiresAt };
  });
  deliveries.forgetKeys(merchantId);
  return made;
}

/** Ends a secret, within a second. Returns why it can't be. */
export async function revokeSecret(
  { store, time, deliveries }: Pick<AdministrationServices, 'store' | 'time' | 'deliveries'>,
  merchantId: number,
  secretId: string,
  options: { readonly force: boolean },
  record = UNRECORDED,
): Promise<Rejection<RevocationRefusal> | undefined> {
  const { now } = time.at(merchantId);
  const rejection = await store.unit(async (db) => {
    const rejected = await revokeSigningSecret(db, merchantId, secretId, now, options);
    if (!rejected) await record(db, { merchantId, subject: secretId });
    return rejected;
  });
  deliveries.forgetKeys(merchantId);
  return rejection;
}
