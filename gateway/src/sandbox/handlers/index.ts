/** The sandbox's operations by their operationId. The start compares this list with the document. */
import type { SandboxOperation } from '../operation.ts';
import { addChaos, clearChaos, listChaos, removeChaos } from './chaos.ts';
import { advanceClock, freezeClock, getClock, releaseClock, setSignatureTime } from './clock.ts';
import { createConsoleLink } from './console-links.ts';
import { getCredentials } from './credentials.ts';
import { getEvent, listEvents, replayEvents, resendEvent } from './events.ts';
import { inspectPayment, inspectPayout } from './inspect.ts';
import { auditLedger, listLedgerEntries } from './ledger.ts';
import { listTestData } from './list-test-data.ts';
import { listPayments, listPayouts } from './lists.ts';
import { createMerchant, deleteMerchant, getMerchant, resetMerchant } from './merchants.ts';
import { getOverview } from './overview.ts';
import { getRequest, listRequests } from './requests.ts';
import { sendSampleEvents } from './samples.ts';
import { signEvent, takeWebhook } from './sign-event.ts';
import { rotateSigningSecret } from './signing-secret.ts';
import { simulatePayment, simulatePayout } from './simulate.ts';
import { streamChanges } from './stream.ts';
import { addWebhookFault, clearWebhookFaults, listWebhookFaults, removeWebhookFault } from './webhook-faults.ts';
import {
  blockCustomer,
  drainWallet,
  fundWallet,
  listChannels,
  setChannel,
  unblockCustomer,
  useCustomerLimits,
} from './world.ts';

export const SANDBOX_OPERATIONS: Readonly<Record<string, SandboxOperation>> = {
  askForPaymentData: simulatePayment('ask-for-data'),
  askForPaymentConfirmation: simulatePayment('ask-for-confirmation'),
  payPayment: simulatePayment('pay'),
  succeedPayment: simulatePayment('succeed'),
  settlePayment: simulatePayment('settle'),
  declinePayment: simulatePayment('decline'),
  expirePayment: simulatePayment('expire'),
  succeedPayout: simulatePayout('succeed'),
  declinePayout: simulatePayout('decline'),
  getClock,
  advanceClock,
  freezeClock,
  releaseClock,
  setSignatureTime,
  listChannels,
  setChannel,
  fundWallet,
  drainWallet,
  blockCustomer,
  unblockCustomer,
  useCustomerLimits,
  createMerchant,
  getMerchant,
  signEvent,
  takeWebhook,
  listPayments,
  inspectPayment,
  listPayouts,
  inspectPayout,
  listTestData,
  listRequests,
  getRequest,
  listChaos,
  addChaos,
  clearChaos,
  removeChaos,
  listWebhookFaults,
  addWebhookFault,
  clearWebhookFaults,
  removeWebhookFault,
  listEvents,
  getEvent,
  resendEvent,
  replayEvents,
  sendSampleEvents,
  rotateSigningSecret,
  listLedgerEntries,
  auditLedger,
  getOverview,
  streamChanges,
  deleteMerchant,
  resetMerchant,
  createConsoleLink,
  getCredentials,
};
