/** A file with one completely processed payment, whose rows can be copied. */

import { findMethod, sandboxMethods } from '../../gateway/src/domain/methods.ts';
import { createGateway, type Gateway } from '../../gateway/src/server.ts';
import { requestExamples } from '../../generated/examples.ts';
import { inject } from '../gateway/harness/inject.ts';
import { insertLoadMerchant, openDatabase } from '../load/merchants.ts';
import { ManualClock } from '../tools/manual-clock.ts';
import { timeArrivals } from './arrivals.ts';
import { payments } from './bodies.ts';

export interface Template {
  readonly file: string;
  /** The payment. */
  readonly id: string;
  /** API key of its merchant. */
  readonly key: string;
}

/** The payment is from yesterday, so that it doesn't count against today's limits. */
const AGO_MS = 24 * 60 * 60_000;

/** Creates the file with a collected, settled payment and its delivered webhooks, so that no work is due. */
export async function writeTemplate(file: string): Promise<Template> {
  const receiver = await timeArrivals(() => '');
  const clock = new ManualClock(Date.now() - AGO_MS);
  const store = await openDatabase({ DATABASE_FILE: file });
  const { key } = await insertLoadMerchant(store, clock.now());
  const gateway = await createGateway({
    store,
    clock,
    publicUrl: () => 'http://localhost',
    callbackAllow: ['127.0.0.0/8'],
  });
  try {
    const body = payments('template', receiver.url)();
    const { transaction_id: id } = await post(gateway, key, '/payments', body);
    await gateway.idle();
    const { tid } = requestExamples.confirmPayment['tid-and-amount'].body.confirm_data;
    await post(gateway, key, `/payments/${id}/confirm`, { confirm_data: { tid, amount: String(body.amount) } });
    await gateway.idle();
    clock.advance(findMethod(sandboxMethods, 'payment', body.payment_method_type)?.settlementMs ?? 0);
    await gateway.idle();
    return { file, id, key };
  } finally {
    await gateway.close();
    await receiver.close();
  }
}

async function post(gateway: Gateway, key: string, url: string, payload: object): Promise<{ transaction_id: string }> {
  const response = await inject(gateway, { method: 'POST', url, headers: { authorization: `Bearer ${key}` }, payload });
  if (response.statusCode >= 300) throw new Error(`POST ${url} returned ${response.statusCode}: ${response.body}`);
  return response.json();
}
