/** Route for notifications by channels. It isn't part of the contract: merchants never use it. */

import type { Hono } from 'hono';
import type { InboundNotification } from '../channels/channel.ts';
import { askNow } from '../domain/schedule.ts';
import { isFinal, type Transaction } from '../domain/transaction.ts';
import { readBytes } from '../http/body.ts';
import type { HttpEnv } from '../http/context.ts';
import { ProblemError } from '../http/problems.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { respond } from '../http/responses.ts';
import { checkFinal, retryOnConflict } from './advance.ts';
import { commitStep } from './commit-step.ts';
import { transactionById } from './rows.ts';
import type { Services } from './services.ts';

/** Adds the route. A body of any type reaches the channel as it arrived. */
export function addChannelNotifications(
  app: Hono<HttpEnv>,
  services: Services,
  rates: RateLimits,
  bodyBytesMax: number,
) {
  app.post('/channels/:channel/notifications', async (c) => {
    const notification = { headers: c.req.header(), body: await readBytes(c, bodyBytesMax) };
    try {
      await handleNotification(services, c.req.param('channel'), notification);
    } catch (error) {
      if (error instanceof ProblemError && error.problem !== 'unavailable') rates.countUnknownKey(c.env.address);
      throw error;
    }
    return respond(c, 204, null);
  });
}

/** Ids as platform/ids.ts makes them; no database is asked for anything else. */
const ID = /^(pay|out)_[0-9A-Z]{26}$/;

/**
 * Wakes the transaction of a notification, so that its channel is asked at once. About a final transaction, the channel is
 * asked before the response: if that fails, the channel has to send the notification again.
 */
export async function handleNotification(
  services: Services,
  name: string,
  request: InboundNotification,
): Promise<void> {
  const channel = services.channels.find(name);
  if (!channel?.notification) throw new ProblemError('not-found', `No channel ${name} sends notifications.`);
  const id = channel.notification(request);
  if (id === undefined) {
    const detail = `Not a notification of the channel ${name}. Check the channel's secret and the transaction's id.`;
    throw new ProblemError('unauthorized', detail);
  }
  const { transaction } = await wakeTransaction(services, name, id);
  if (!isFinal(transaction.status)) return;
  try {
    await checkFinal(services, transaction);
  } catch (error) {
    services.report(error, { job: 'notifications', transaction_id: id, channel: name });
    throw new ProblemError('unavailable', `The channel can't be asked about ${id} now. Send the notification again.`);
  }
}

/** The transaction, as it was woken, or as it is if it is final. */
async function wakeTransaction(
  services: Services,
  channel: string,
  id: string,
): Promise<{ readonly transaction: Transaction }> {
  const { store, time } = services;
  return retryOnConflict(async () => {
    const transaction = ID.test(id) ? await transactionById(store.read, id, { channel }) : undefined;
    if (!transaction) throw new ProblemError('not-found', `The channel ${channel} has no transaction ${id}.`);
    if (isFinal(transaction.status)) return { transaction };
    return commitStep<Transaction>(services, askNow(transaction, time.at(transaction.merchantId).now));
  });
}
