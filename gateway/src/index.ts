/** The gateway as a library: for tests, and for programs with custom channels. */

import { throwOnOldNode } from '../../contract/src/node-version.ts';
import gatewayPackage from '../package.json' with { type: 'json' };

export { ApiError } from './api-client/client.ts';
export type { ReceivedWebhook, WebhookInbox } from './api-client/inbox.ts';
export {
  type CallContext,
  type Channel,
  type ChannelPayment,
  type ChannelPayout,
  type ChannelResponse,
  ChannelUnavailable,
  type InboundNotification,
  type StatementEntry,
} from './channels/channel.ts';
export { defineGateway, type GatewayDefinition, UnusableDefinition } from './channels/definition.ts';
export { simulatedChannels } from './channels/simulator.ts';
export { openStore } from './database/open-store.ts';
export type { Store } from './database/store.ts';
export type { CancelEvent, PaymentEvent, PayoutEvent } from './domain/events.ts';
export { contractMethods, type Method, type Methods, sandboxMethods, withChannel } from './domain/methods.ts';
export type { Items } from './domain/transaction.ts';
export { startTracing } from './monitoring/tracing/start-tracing.ts';
export { KeyRing } from './platform/key-ring.ts';
export {
  createGateway,
  type Gateway,
  type GatewayOptions,
  type MerchantAccess,
  type RunningGateway,
  type StartGatewayOptions,
  startGateway,
} from './server.ts';

throwOnOldNode(gatewayPackage);
