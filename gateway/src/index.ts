/** The gateway as a library, for tests. */

export { SandboxError } from './sandbox-client/client.ts';
export type { ReceivedWebhook, WebhookInbox } from './sandbox-client/inbox.ts';
export { type MerchantAccess, type RunningGateway, type StartGatewayOptions, startGateway } from './start-gateway.ts';
