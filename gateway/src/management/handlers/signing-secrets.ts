/** Signing secrets of a merchant. A secret is shown once, to the operator who makes it. */
import type {
  NewSigningSecret,
  RevokeSecretRequest,
  RotateSecretRequest,
  SigningSecretList,
} from '../../../../generated/management/types.ts';
import { ProblemError } from '../../http/problems.ts';
import { readSigningSecrets } from '../../merchants/signing-secrets.ts';
import { timestamp } from '../../transactions/view.ts';
import type { AdministrationServices } from '../administration-services.ts';
import type { ManagementCall } from '../operation.ts';
import { revokeSecret, rotateSecret } from '../signing-secrets.ts';
import { type MerchantParameters, requireNamedMerchant } from './merchants.ts';

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

export async function rotateSigningSecret(
  services: AdministrationServices,
  { parameters, body, record }: ManagementCall<RotateSecretRequest, MerchantParameters>,
): Promise<NewSigningSecret> {
  const merchant = await requireNamedMerchant(services.store.read, parameters);
  const { id, secret, previousExpiresAt } = await rotateSecret(services, merchant.id, body.overlap, record);
  return {
    ...{ id, secret },
    ...(previousExpiresAt !== undefined && { previous_expires_at: timestamp(previousExpiresAt) }),
  };
}

export async function revokeSigningSecret(
  services: AdministrationServices,
  call: ManagementCall<RevokeSecretRequest, MerchantParameters & { secret_id: string }>,
): Promise<SigningSecretList> {
  const { parameters, body, record } = call;
  const { secret_id: secretId } = parameters;
  const { id } = await requireNamedMerchant(services.store.read, parameters);
  const refused = await revokeSecret(services, id, secretId, { force: body.force === true }, record);
  if (refused?.reason === 'unknown') {
    throw new ProblemError('not-found', `Merchant ${id} has no valid signing secret ${secretId}.`);
  }
  if (refused) {
    const consequence = "and webhooks can't be sent without one";
    throw new ProblemError(
      'wrong-state',
      `${secretId} is the only valid signing secret of merchant ${id}, ${consequence}. Rotate it first, or force the revocation.`,
    );
  }
  return listSigningSecrets(services, call);
}
