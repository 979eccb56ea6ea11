/** Signing secrets of a merchant. A secret is shown once, to the operator who makes it. */
import type {
  NewSigningSecret,
  RevokeSecretRequest,
  RotateSecretRequest,
  SigningSecretList,
} from '../../../../generated/management/types.ts';
import { invalid, ProblemError } from '../../http/problems.ts';
import {
  createSigningSecret,
  deleteExpiredSecrets,
  readSigningSecrets,
  revokeSigningSecret as revoke,
} from '../../merchants/signing-secrets.ts';
import { timestamp } from '../../transactions/view.ts';
import type { AdministrationServices } from '../administration-services.ts';
import { milliseconds } from '../duration.ts';
import type { ManagementCall } from '../operation.ts';
import { type MerchantParameters, requireNamedMerchant } from './merchants.ts';

const OVERLAP = '1d';
const OVERLAP_MS_MAX = 30 * 24 * 60 * 60_000;
/** Number of expired secrets kept per merchant, for operators and for the sandbox's fault `rotated_secret`. */
const EXPIRED_KEPT = 5;

export async function listSigningSecrets(
  { store, time }: AdministrationServices,
  { parameters, operator }: ManagementCall<unknown, MerchantParameters>,
): Promise<SigningSecretList> {
  const { id: merchantId } = await requireNamedMerchant(store.read, parameters);
  const { now } = time.at(merchantId);
  const secrets = await readSigningSecrets(store.read, merchantId);
  return {
    data: secrets.map(({ id, createdAt, expiresAt, keyId }) => ({
      ...{ id, created_at: timestamp(createdAt) },
      ...(expiresAt !== undefined && { expires_at: timestamp(expiresAt) }),
      valid: expiresAt === undefined || expiresAt > now,
      ...(operator && keyId !== undefined && { encrypted_with: keyId }),
    })),
  };
}

/** Adds a secret. The one before it stays valid for the overlap, so that receivers can change over. */
export async function rotateSigningSecret(
  { store, time, ids, secretKeys, deliveries }: AdministrationServices,
  { parameters, body, record }: ManagementCall<RotateSecretRequest, MerchantParameters>,
): Promise<NewSigningSecret> {
  const { id: merchantId } = await requireNamedMerchant(store.read, parameters);
  const overlapMs = milliseconds(body.overlap ?? OVERLAP);
  if (overlapMs > OVERLAP_MS_MAX) throw invalid([{ pointer: '/overlap', message: 'must be at most 30d' }]);
  const { now } = time.at(merchantId);
  const made = await store.unit(async (db) => {
    const secret = await createSigningSecret(db, merchantId, now, secretKeys, ids, overlapMs);
    await deleteExpiredSecrets(db, merchantId, now, EXPIRED_KEPT);
    const [previous, newest] = (await readSigningSecrets(db, merchantId)).slice(-2);
    const id = (newest ?? previous)?.id ?? '';
    await record(db, { merchantId, subject: id });
    const expiresAt = newest && previous?.expiresAt;
    return { id, secret, ...(expiresAt !== undefined && { previous_expires_at: timestamp(expiresAt) }) };
  });
  deliveries.forgetKeys(merchantId);
  return made;
}

/** Ends a secret, within a second. */
export async function revokeSigningSecret(
  services: AdministrationServices,
  call: ManagementCall<RevokeSecretRequest, MerchantParameters & { secret_id: string }>,
): Promise<SigningSecretList> {
  const { store, time, deliveries } = services;
  const { parameters, body, record } = call;
  const { secret_id: secretId } = parameters;
  const { id: merchantId } = await requireNamedMerchant(store.read, parameters);
  const { now } = time.at(merchantId);
  const refused = await store.unit(async (db) => {
    const rejected = await revoke(db, merchantId, secretId, now, { force: body.force === true });
    if (!rejected) await record(db, { merchantId, subject: secretId });
    return rejected;
  });
  deliveries.forgetKeys(merchantId);
  if (refused?.reason === 'unknown') {
    throw new ProblemError('not-found', `Merchant ${merchantId} has no valid signing secret ${secretId}.`);
  }
  if (refused) {
    const consequence = "and webhooks can't be sent without one";
    throw new ProblemError(
      'wrong-state',
      `${secretId} is the only valid signing secret of merchant ${merchantId}, ${consequence}. Rotate it first, or force the revocation.`,
    );
  }
  return listSigningSecrets(services, call);
}
