// Made from gateway/management/ by `npm run build`.
// Do not edit: change its document and run it again.

import type * as types from './types.ts';

/** A validation error, as Ajv reports it. */
export interface ValidationError {
  instancePath: string;
  schemaPath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
}

/** Tells whether a value fits its schema; `errors` then holds what is wrong, until the next call. */
export interface Validator<T> {
  (value: unknown): value is T;
  errors?: ValidationError[] | null;
}

/** Path and query parameters as one object, by operation. */
export const parameters: {
  readonly "listPayments": Validator<Record<string, string>>;
  readonly "getPayment": Validator<Record<string, string>>;
  readonly "proposePaymentOutcome": Validator<Record<string, string>>;
  readonly "listPayouts": Validator<Record<string, string>>;
  readonly "getPayout": Validator<Record<string, string>>;
  readonly "proposePayoutOutcome": Validator<Record<string, string>>;
  readonly "listFailingTransactions": Validator<Record<string, string>>;
  readonly "listEvents": Validator<Record<string, string>>;
  readonly "getEvent": Validator<Record<string, string>>;
  readonly "resendEvent": Validator<Record<string, string>>;
  readonly "listRequests": Validator<Record<string, string>>;
  readonly "getRequest": Validator<Record<string, string>>;
  readonly "listStoppedUrls": Validator<Record<string, string>>;
  readonly "listMerchants": Validator<Record<string, string>>;
  readonly "getMerchant": Validator<Record<string, string>>;
  readonly "getOverview": Validator<Record<string, string>>;
  readonly "listWallets": Validator<Record<string, string>>;
  readonly "listLedgerEntries": Validator<Record<string, string>>;
  readonly "auditLedger": Validator<Record<string, string>>;
  readonly "listSigningSecrets": Validator<Record<string, string>>;
  readonly "rotateSigningSecret": Validator<Record<string, string>>;
  readonly "revokeSigningSecret": Validator<Record<string, string>>;
  readonly "proposeCorrection": Validator<Record<string, string>>;
  readonly "proposeImport": Validator<Record<string, string>>;
  readonly "pauseChannel": Validator<Record<string, string>>;
  readonly "resumeChannel": Validator<Record<string, string>>;
  readonly "listExceptions": Validator<Record<string, string>>;
  readonly "proposeExceptionResolution": Validator<Record<string, string>>;
  readonly "listProposals": Validator<Record<string, string>>;
  readonly "getProposal": Validator<Record<string, string>>;
  readonly "approveProposal": Validator<Record<string, string>>;
  readonly "rejectProposal": Validator<Record<string, string>>;
  readonly "listSettlements": Validator<Record<string, string>>;
  readonly "listOperators": Validator<Record<string, string>>;
  readonly "listChanges": Validator<Record<string, string>>;
};

/** Request bodies, by operation. */
export const requestBodies: {
  readonly "proposePaymentOutcome": Validator<types.ProposedPaymentOutcome>;
  readonly "pausePayouts": Validator<types.PauseRequest>;
  readonly "resumePayouts": Validator<types.PauseRequest>;
  readonly "proposePayoutOutcome": Validator<types.ProposedPayoutOutcome>;
  readonly "resendEvent": Validator<types.ResendRequest>;
  readonly "replayEvents": Validator<types.ReplayRequest>;
  readonly "stopUrl": Validator<types.StopUrlRequest>;
  readonly "resumeUrl": Validator<types.ResumeUrlRequest>;
  readonly "rotateSigningSecret": Validator<types.RotateSecretRequest>;
  readonly "revokeSigningSecret": Validator<types.RevokeSecretRequest>;
  readonly "proposeCorrection": Validator<types.ProposedCorrection>;
  readonly "proposeImport": Validator<types.ProposedImport>;
  readonly "pauseChannel": Validator<types.PauseRequest>;
  readonly "resumeChannel": Validator<types.PauseRequest>;
  readonly "proposeExceptionResolution": Validator<types.ProposedExceptionResolution>;
  readonly "approveProposal": Validator<types.DecisionRequest>;
  readonly "rejectProposal": Validator<types.DecisionRequest>;
};
