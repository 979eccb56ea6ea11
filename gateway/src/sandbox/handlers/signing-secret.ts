/** The rotation of the merchant's signing secret. */
import type { RotateSecretRequest, SigningSecret } from '../../../../generated/sandbox/types.ts';
import { rotateSecret } from '../../management/signing-secrets.ts';
import { timestamp } from '../../transactions/view.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';

export async function rotateSigningSecret(
  services: SandboxServices,
  { merchant, body }: SandboxCall<RotateSecretRequest>,
): Promise<SigningSecret> {
  const { secret, previousExpiresAt } = await rotateSecret(services, merchant.id, body.overlap);
  return { secret, ...(previousExpiresAt !== undefined && { previous_expires_at: timestamp(previousExpiresAt) }) };
}
