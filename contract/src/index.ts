/** The contract as a library: the document, and its operations, webhooks, examples and state machines as objects. */
export * from './model.ts';
export { toPointer } from './pointer.ts';
export { senderForm } from './sender.ts';
export {
  type InvalidWebhookVector,
  readWebhookVectors,
  type ValidWebhookVector,
  type VectorErrorCode,
  type WebhookVectors,
} from './webhook-vectors.ts';
