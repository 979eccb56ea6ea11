/** The commands that the operators' console shows: a shell runs each as it is, and it makes the change that it names. */
import { chmod, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import { readApiDocument } from '../../../gateway/src/http/gateway-apis.ts';
import { run } from '../../../scripts/tools/process.ts';
import { commandsWith } from '../commands/run-command.ts';
import { fund, paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { BANK } from '../harness/live.config.ts';
import { addOperator } from '../harness/operators.ts';
import { openTestSqlite, temporaryFolder } from '../harness.ts';
import { CONFIRMATION_NEEDED, startOperated } from '../management/operator.ts';
import { status } from '../webhooks/receiver.ts';

type Values = Readonly<Record<string, string | number>>;
type Commands = Readonly<Record<string, (values: Values, at: { method: string; path: string }) => string[]>>;

const MODULE = new URL('../../../gateway/console/operators/commands.js', import.meta.url);
const { COMMANDS, replayOfStopped } = (await import(MODULE.href)) as {
  COMMANDS: Commands;
  replayOfStopped: (stopped: { merchant_id: number; url: string }) => Values;
};
const CHANGES = readApiDocument('management').operations.filter(({ method }) => method !== 'get');

const REPLACED: Readonly<Record<string, string>> = {
  ...{ REFERENCE: 'Statement 7, line 14', REASON: 'Ticket 4711', DECLINE_REASON: 'BANK_REJECTED' },
  ...{ AMOUNT: '1200', CURRENCY: 'INR', METHOD: 'UPI_IN', CHANNEL: 'bank', CUSTOMER: 'customer-71' },
  ...{ TRANSACTION_ID: 'pay_01KJPWD6M0J09BZPCH3ETT3T8D', ORDER: 'order-77' },
};
/** A callback URL that a shell would run if it weren't quoted. */
const PATH = `/it's?a=$(exit%207)&b=;exit+7;`;

/** Never says how a payment or a payout ends, except for some customers. */
const SILENT: Channel = {
  ...BANK,
  async initiate({ customer }) {
    if (customer.id === 'decline') return { event: { type: 'declined', reason: 'BANK_REJECTED' } };
    return CONFIRMATION_NEEDED;
  },
  verify: async ({ amount, status }) =>
    status === 'FAILED' ? { event: { type: 'succeeded', amountPaid: amount } } : { askAgainAt: undefined },
  notification: ({ body }) => new TextDecoder().decode(body),
};

/** Copies a command as an operator does: replaces its words in capitals, and runs it in a shell. */
async function shell(url: string) {
  const bin = await temporaryFolder();
  const program = join(bin, 'payments-gateway');
  await writeFile(program, `#!/bin/sh\nprintf '%s\\0' "$@"`);
  await chmod(program, 0o755);
  return async (id: string, values: Values | (() => Promise<Values>), key: string) => {
    const { method = '', path = '' } = CHANGES.find((one) => one.id === id) ?? {};
    const env = { GATEWAY_URL: url, OPERATOR_KEY: key, PATH: `${bin}:${process.env['PATH']}` };
    const results: string[] = [];
    const at = { method: method.toUpperCase(), path };
    // Each alternative is about a transaction of its own.
    const next = () => (typeof values === 'function' ? values() : values);
    for (let index = 0; ; index++) {
      const shown = COMMANDS[id]?.(await next(), at)[index];
      if (shown === undefined) return results;
      const command = shown.replaceAll(/\b[A-Z_]{5,}\b/g, (word) => REPLACED[word] ?? word);
      const script = command.startsWith('curl') ? command.replace('curl', 'curl -sS --fail-with-body') : command;
      const { stdout } = await run('sh', ['-c', script], { env });
      if (command.startsWith('curl')) {
        results.push(stdout);
        continue;
      }
      const { code, stdout: said, stderr } = await commandsWith(env)(...stdout.split('\0').slice(0, -1));
      expect({ id, code, stderr }).toEqual({ id, code: 0, stderr: '' });
      results.push(said);
    }
  };
}

it('there are commands for every change of the operators’ API', () => {
  expect(Object.keys(COMMANDS).sort()).toEqual(CHANGES.map(({ id }) => id).sort());
});

it('each makes the change, which is recorded with its reason', async () => {
  const { test, operator, receiver } = await startOperated(await openTestSqlite(), { channels: [SILENT] });
  const { gateway, call, merchant } = test;
  await gateway.listen({ host: '127.0.0.1', port: 0 });
  await fund(gateway.store, merchant, 10_000_000);
  const lee = await addOperator(test, 'Lee', 'approve');
  const ran = await shell(`http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`);
  const dana = (id: string, values: Parameters<typeof ran>[1]) => ran(id, values, operator.key);
  const callback_url = `${receiver.address}${PATH}`;
  const create = async (path: string, body: object) => {
    const created = await call('POST', path, body);
    expect(created.body, created.text).toHaveProperty('transaction_id');
    await gateway.idle();
    return created.body.transaction_id as string;
  };
  const pay = (customer = 'ask') => create('/payments', paymentRequest({ callback_url, customer: { id: customer } }));
  const payOut = () => create('/payouts', payoutRequest({ callback_url }));
  const merchant_id = merchant.id;

  const [paid] = await dana('proposePaymentOutcome', async () => ({ transaction_id: await pay(), amount: 49_900 }));
  await dana('proposePayoutOutcome', async () => ({ transaction_id: await payOut() }));
  await dana('proposeExceptionResolution', async () => {
    const transaction_id = await pay('decline');
    await call('POST', '/channels/bank/notifications', transaction_id);
    return { transaction_id, kind: 'payment' };
  });
  await dana('proposeCorrection', { merchant_id });
  await dana('proposeImport', { merchant_id });
  const { data: proposals } = (await operator.call('GET', '/management/proposals?state=open')).body;
  expect(proposals).toHaveLength(9);
  const approved = /prp_\w+/.exec(paid ?? '')?.[0] ?? '';
  await ran('approveProposal', { proposal_id: approved }, lee.key);
  await dana('rejectProposal', { proposal_id: proposals[0].id });
  await dana('pauseChannel', { channel: 'bank' });
  await dana('resumeChannel', { channel: 'bank' });
  await dana('pausePayouts', {});
  await ran('resumePayouts', {}, lee.key);

  receiver.respondWith(status(410));
  await pay('decline');
  const { data: events } = (await operator.call('GET', '/management/events')).body;
  const { id: event_id, url } = events[0];
  expect(url).toBe(callback_url);
  await dana('resendEvent', { event_id });
  await dana('resumeUrl', { merchant_id, url });
  await dana('stopUrl', { merchant_id, url });
  // The event is older than the stop.
  const [replayed] = await dana('replayEvents', replayOfStopped({ merchant_id, url }));
  expect(JSON.parse(replayed ?? '')).toEqual({ events: 1 });
  const [rotated] = await dana('rotateSigningSecret', { merchant_id });
  await dana('revokeSigningSecret', { merchant_id, secret_id: JSON.parse(rotated ?? '').id });

  const { data } = (await operator.call('GET', '/management/changes?limit=200')).body;
  const made = new Set(data.map(({ action }: { action: string }) => action));
  expect([...made].sort()).toEqual(CHANGES.map(({ id }) => id).sort());
  expect(new Set(data.map(({ reason }: { reason: string }) => reason))).toEqual(new Set([REPLACED['REASON']]));
}, 60_000);
