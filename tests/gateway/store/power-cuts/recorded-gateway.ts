/**
 * A gateway and its merchant in one process, in the folder of the database. The merchant appends each acknowledged state
 * to a file, so that the recorder puts it in order with the gateway's writes.
 * Usage: node recorded-gateway.ts ORDERS
 */
import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { startGateway } from '../../../../gateway/src/index.ts';
import { requestExamples } from '../../../../generated/examples.ts';
import type { Payment } from '../../../../generated/types.ts';
import { sendTaken } from '../../../load/client.ts';
import { confirmation } from '../../harness/customer.ts';

const WORKERS = 8;
const CHECKPOINT_EVERY = 25;
const DECLINED = 'decline-BANK_REJECTED';
const DATABASE = 'gateway.db';
/** The recorder knows files by their absolute paths. */
const ACKNOWLEDGED = resolve('acknowledged');

const orders = Array.from({ length: Number(process.argv[2]) }, (_, index) => index).values();
const { url, key, webhooks, close } = await startGateway({ store: DATABASE });
const checkpoints = new DatabaseSync(DATABASE);
checkpoints.exec('pragma synchronous = normal');

async function work(): Promise<void> {
  for (const number of orders) {
    await completeOrder(number);
    // As the writer does after thousands of pages, which would take too many orders.
    if (number % CHECKPOINT_EVERY === 0) checkpoints.exec('pragma wal_checkpoint(passive)');
  }
}

async function completeOrder(number: number): Promise<void> {
  const { createPayment, createPayout } = requestExamples;
  const path = number % 2 === 0 ? '/payouts' : '/payments';
  const { body } = path === '/payouts' ? createPayout['imps-inr'] : createPayment['h2h-upi'];
  const customer = { ...body.customer, id: number % 5 === 0 ? DECLINED : `customer-${number}` };
  const own = { merchant_order_id: `order-${number}`, callback_url: webhooks.url, amount: 1_000 + number };
  let shown = await acknowledge('POST', path, { ...body, customer, ...own });
  const address = `${path}/${shown.transaction_id}`;
  while (shown.status !== 'SUCCESS' && shown.status !== 'FAILED') {
    if (shown.status === 'PAY_CONFIRMATION_NEEDED')
      await acknowledge('POST', `${address}/confirm`, confirmation(shown));
    await pause(5);
    shown = await acknowledge('GET', address);
  }
}

async function acknowledge(method: string, path: string, body?: unknown): Promise<Payment> {
  const shown = await sendTaken<Payment>({ url, key }, method, path, body);
  const { transaction_id: id, merchant_order_id: order, status } = shown;
  appendFileSync(ACKNOWLEDGED, JSON.stringify({ id, order, status }));
  return shown;
}

await Promise.all(Array.from({ length: WORKERS }, work));
checkpoints.close();
await close();
