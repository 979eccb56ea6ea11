/** `resend`: sends a webhook of the merchant again. */
import { UserError } from '../../../../contract/src/cli.ts';
import type { Event } from '../../../../generated/management/types.ts';
import { webhookName } from '../../../../generated/webhooks.ts';
import { type Access, callManagement, SandboxError } from '../../sandbox-client/client.ts';
import { callGateway } from './access.ts';

/** Sends it, and returns it as it was before. Throws a UserError with the events of the transaction whose id it was given. */
export async function resend(access: Access, eventId: string): Promise<Event> {
  return callGateway(access, async () => {
    try {
      return await callManagement(access, 'resendEvent', { path: { event_id: eventId } });
    } catch (error) {
      const isTransaction = /^(pay|out)_/.test(eventId);
      if (!isTransaction || !(error instanceof SandboxError) || error.status !== 404) throw error;
      throw new UserError(await explain(access, eventId), 2);
    }
  });
}

/** The event in a line. */
export function describeResent({ id, transaction_id: transaction, url, status, body }: Event): string {
  const name = webhookName(JSON.parse(body) as { status: string }) ?? status;
  return `${name}  ${transaction}  ${id}  → ${url}`;
}

async function explain(access: Access, transactionId: string): Promise<string> {
  const { data } = await callManagement(access, 'listEvents', { query: { transaction_id: transactionId } });
  const events = data.map(({ id, created_at, status, state }) => `  ${id}  ${created_at}  ${status}  ${state}`);
  if (events.length === 0) return `${transactionId} has no events.`;
  return [`${transactionId} is a transaction. Its events, the newest first:`, ...events].join('\n');
}
