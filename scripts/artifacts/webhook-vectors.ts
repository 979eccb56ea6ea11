/** Test vectors of the webhook signature: deliveries of the contract's examples, with fixed secrets at a fixed time. */
import { PLACEHOLDER_SECRET } from '../../contract/src/mock/placeholders.ts';
import type { Bundle } from '../../contract/src/model.ts';
import { acceptedDeliveries } from '../../contract/src/vectors/accepted.ts';
import { rejectedDeliveries } from '../../contract/src/vectors/rejected.ts';
import type { VectorSecrets } from '../../contract/src/vectors/writer.ts';
import { TOLERANCE_SECONDS } from '../../contract/src/webhook-signature.ts';
import type { WebhookVectors } from '../../contract/src/webhook-vectors.ts';

const ABOUT =
  'Signed webhooks to test a verification on. With `secret` at the time `now`, accept each of `valid` and reject each of `invalid`.';

const SCENE: VectorSecrets = {
  secret: PLACEHOLDER_SECRET,
  previousSecret: encodeSecret('its previous one, being replaced'),
  foreignSecret: encodeSecret('the secret of another merchant..'),
  now: Date.UTC(2026, 2, 2, 9, 4) / 1_000,
  marginSeconds: 1,
  id: 'evt_01KJPX0M5E8T2VQ4R7S9W1Y3ZA',
  body: (example) => JSON.stringify(example),
};

/** generated/webhook-vectors.json. */
export function webhookVectorsArtifact(bundle: Bundle): string {
  const vectors: WebhookVectors = {
    ...{ about: ABOUT, now: SCENE.now, tolerance_seconds: TOLERANCE_SECONDS },
    valid: acceptedDeliveries(bundle, SCENE).map(({ name, summary, secret, signedWith, headers, body }) => ({
      ...{ name, summary, secret, signed_with: signedWith, headers, body },
    })),
    invalid: rejectedDeliveries(bundle, SCENE).map(({ name, reason, code, headers, body }) => ({
      ...{ name, reason, code, secret: SCENE.secret, headers, body },
    })),
  };
  return `${JSON.stringify(vectors, null, 2)}\n`;
}

function encodeSecret(bytes: string): string {
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}
