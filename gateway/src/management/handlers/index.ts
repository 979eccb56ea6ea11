/** The operations of the management API by their operationId. The start compares this list with the document. */
import type { ManagementOperation } from '../operation.ts';
import { listChanges } from './changes.ts';
import { listChannels, pauseChannel, pausePayouts, resumeChannel, resumePayouts } from './channels.ts';
import { getEvent, listEvents, replayEvents, resendEvent } from './events.ts';
import { listExceptions } from './exceptions.ts';
import {
  auditLedger,
  getCaller,
  getMerchant,
  getOverview,
  listLedgerEntries,
  listMerchants,
  listWallets,
} from './merchants.ts';
import { listOperators } from './operators.ts';
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
import { listSettlements } from './settlements.ts';
import { listSigningSecrets, revokeSigningSecret, rotateSigningSecret } from './signing-secrets.ts';
import { listStoppedUrls, resumeUrl, stopUrl } from './stopped-urls.ts';
import { getPayment, getPayout, listFailingTransactions, listPayments, listPayouts } from './transactions.ts';

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
