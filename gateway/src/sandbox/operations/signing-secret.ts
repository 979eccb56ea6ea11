/** The rotation of the merchant's signing secret. */
import type { RotateSecretRequest, SigningSecret } from '../../../../generated/sandbox/types.ts';
import { invalid } from '../../contract/problems.ts';
import { timestamp } from '../../contract/view.ts';
import { createSigningSecret, deleteExpiredSecrets } from '../../store/signing-secrets.ts';
import { milliseconds } from '../duration.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';

const OVERLAP = '1d';
const OVERLAP_MS_MAX = 30 * 24 * 60 * 60_000;
/** Expired secrets of a merchant that are kept, for the fault `rotated_secret`. */
const EXPIRED_KEPT = 5;

export async function rotateSigningSecret(
  { store, world, ids, secretKeys, deliveries }: SandboxServices,
  { merchant, body }: SandboxCall<RotateSecretRequest>,
): Promise<SigningSecret> {
  const overlapMs = milliseconds(body.overlap ?? OVERLAP);
  if (overlapMs > OVERLAP_MS_MAX) throw invalid([{ pointer: '/overlap', message: 'must be at most 30d' }]);
  const { now } = world.at(merchant.id);
  const secret = await store.unit(async (db) => {
    const created = await createSigningSecret(db, merchant.id, now, secretKeys, ids, overlapMs);
    await deleteExpiredSecrets(db, merchant.id, now, EXPIRED_KEPT);
    return created;
  });
  deliveries.forgetKeys(merchant.id);
  return { secret, previous_expires_at: timestamp(now + overlapMs) };
}
