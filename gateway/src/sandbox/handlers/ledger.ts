/** The merchant's ledger, with the running balance, and its audit. */
import type { Audit, LedgerPage } from '../../../../generated/sandbox/types.ts';
import { auditStore } from '../../management/audit.ts';
import { ledgerPage } from '../../management/ledger.ts';
import type { PageParameters } from '../../management/pages.ts';
import { systemTimers } from '../../platform/timers.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';

const nextTurn = () => new Promise<void>((resolve) => systemTimers.nextTurn(resolve));

/** Other requests wait while a batch is compared, which takes some milliseconds. */
const BATCH_ROWS = 100;

export async function listLedgerEntries(
  { store }: SandboxServices,
  { merchant, parameters }: SandboxCall<undefined, PageParameters & { currency: string }>,
): Promise<LedgerPage> {
  return ledgerPage(store.read, merchant.id, parameters);
}

export async function auditLedger({ store, audits }: SandboxServices, { merchant }: SandboxCall): Promise<Audit> {
  const options = { merchantId: merchant.id, batchRows: BATCH_ROWS, pause: nextTurn };
  const { entries, transactions, found, differences } = await audits.take(merchant.id, () =>
    auditStore(store, options),
  );
  return { ok: found === 0, entries, transactions, findings: [...differences] };
}
