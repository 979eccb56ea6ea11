/** The sandbox's operations by their operationId. The start compares this list with the document. */
import type { SandboxOperation } from '../operation.ts';
import { addChaos, clearChaos, listChaos, removeChaos } from './chaos.ts';
import { advanceClock, freezeClock, getClock, releaseClock, setSignatureTime } from './clock.ts';
import { createConsoleLink } from './console-links.ts';
import { getCredentials } from './credentials.ts';
import { listTestData } from './list-test-data.ts';
import { createMerchant, deleteMerchant, resetMerchant } from './merchants.ts';
import { sendSampleEvents } from './samples.ts';
import { signEvent, takeWebhook } from './sign-event.ts';
import { simulatePayment, simulatePayout } from './simulate.ts';
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
  signEvent,
  takeWebhook,
  listTestData,
  listChaos,
  addChaos,
  clearChaos,
  removeChaos,
  listWebhookFaults,
  addWebhookFault,
  clearWebhookFaults,
  removeWebhookFault,
  sendSampleEvents,
  deleteMerchant,
  resetMerchant,
  createConsoleLink,
  getCredentials,
};
