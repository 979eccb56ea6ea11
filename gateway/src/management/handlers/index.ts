/** The operations of the management API by their operationId. The start compares this list with the document. */
import type { ManagementOperation } from '../operation.ts';
import { listSettlements } from '../settlements.ts';
import { listChannels, pauseChannel, pausePayouts, resumeChannel, resumePayouts } from './channels.ts';
import { getEvent, listEvents, listStoppedUrls, replayEvents, resendEvent, resumeUrl, stopUrl } from './events.ts';
import {
  auditLedger,
  getCaller,
  getMerchant,
  getOverview,
  listLedgerEntries,
  listMerchants,
  listSigningSecrets,
  listWallets,
  revokeSigningSecret,
  rotateSigningSecret,
} from './merchants.ts';
import { listChanges, listOperators } from './operators.ts';
import {
  approveProposal,
  getProposal,
  listProposals,
  proposeCorrection,
  proposeExceptionResolution,
  proposeImport,
  proposePaymentOutcome,
  proposePayoutOutcome,
  rejectProposal,
} from './proposals.ts';
import { getRequest, listRequests, streamChanges } from './requests.ts';
import {
  getPayment,
  getPayout,
  listExceptions,
  listFailingTransactions,
  listPayments,
  listPayouts,
} from './transactions.ts';

export const MANAGEMENT_OPERATIONS: Readonly<Record<string, ManagementOperation>> = {
  listPayments,
  getPayment,
  listPayouts,
  getPayout,
  listFailingTransactions,
  listEvents,
  getEvent,
  resendEvent,
  replayEvents,
  listStoppedUrls,
  stopUrl,
  resumeUrl,
  getCaller,
  listMerchants,
  getMerchant,
  getOverview,
  listWallets,
  listLedgerEntries,
  auditLedger,
  listRequests,
  getRequest,
  streamChanges,
  listSigningSecrets,
  rotateSigningSecret,
  revokeSigningSecret,
  listChannels,
  pauseChannel,
  resumeChannel,
  pausePayouts,
  resumePayouts,
  proposeCorrection,
  proposeImport,
  proposePaymentOutcome,
  proposePayoutOutcome,
  listExceptions,
  proposeExceptionResolution,
  listProposals,
  getProposal,
  approveProposal,
  rejectProposal,
  listSettlements,
  listOperators,
  listChanges,
};
