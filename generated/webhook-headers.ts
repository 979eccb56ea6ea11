// Made from openapi/ by `npm run build`.
// Do not edit: change the contract and run it again.

/** Headers of a webhook by their content. All of `signatures` have the same value. */
export const webhookHeaders = {
  "id": "webhook-id",
  "timestamp": "webhook-timestamp",
  "signatures": [
    "X-Gateway-Signature",
    "webhook-signature"
  ]
} as const;
