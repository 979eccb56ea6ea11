/** Failed webhooks are retried, except to an address that is gone. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Check, Context } from '../../core/check.ts';
import { type Finding, formatValue, NotReached } from '../../core/finding.ts';
import type { Contract } from '../../document/contract.ts';
import { ID_HEADER, TIMESTAMP_HEADER } from '../../receiver/signature.ts';
import { type DeliveryReply, type ReceivedDelivery, readString } from '../../service/exchange.ts';
import { claimedFlow } from '../levels.ts';
import { describeReceived, notArrived, webhookCheck } from './delivery.ts';

const FAILED = 'FAILED';
const WAITING = 'PAY_CONFIRMATION_NEEDED';
/** A service that waits 15 s for a reply repeats the webhook after that. */
const REPLY_MS = 15_000;
const RETRY_MS = 6_000;
/** Times that even a quick service gets to send the next event, and to read the reply. */
const GONE_MS = 1_500;
const GONE_READ_MS = 1_000;

const FAILURES: readonly { name: string; title: string; reply: DeliveryReply; takesMs: number }[] = [
  { name: '500', title: 'a 500', reply: 500, takesMs: RETRY_MS },
  { name: 'redirect', title: 'a redirect', reply: 302, takesMs: RETRY_MS },
  { name: 'close', title: 'a closed connection', reply: 'close', takesMs: RETRY_MS },
  { name: 'no-reply', title: 'no reply', reply: 'hang', takesMs: REPLY_MS + RETRY_MS },
];

/** They take the longest, so they come first. */
export function retryChecks(contract: Contract): Check[] {
  const clause = contract.assumption('retries');
  return [
    ...FAILURES.map((failure) =>
      webhookCheck(`retry/${failure.name}`, `A webhook comes again after ${failure.title}, with the same id`, clause, {
        phase: 'background',
        covers: [['deliveries', `again after ${failure.title}`]],
        run: (context) => judgeRetry(context, failure),
      }),
    ),
    webhookCheck('retry/gone', 'No webhook comes to an address that replied 410', clause, {
      phase: 'background',
      needs: ['payments-h2h'],
      covers: [['deliveries', 'after a 410']],
      run: judgeGone,
    }),
  ];
}

async function judgeRetry(context: Context, { title, reply, takesMs }: (typeof FAILURES)[number]): Promise<Finding[]> {
  const { contract, fixtures, settings } = context;
  const clause = contract.assumption('retries');
  if (settings.timeoutMs < takesMs) {
    throw new NotReached(`it takes up to ${takesMs} ms`, `set --timeout ${takesMs}`);
  }
  const tracked = await fixtures.reachNew({ flow: claimedFlow(settings), until: FAILED }, { status: FAILED, reply });
  const first = await fixtures.timeouts.webhook(tracked, FAILED);
  if (!first) throw notArrived(context, tracked, 'the first attempt');
  const isNext = (delivery: ReceivedDelivery) => delivery !== first && readString(delivery.body, 'status') === FAILED;
  const second = await tracked.endpoint.find(isNext, settings.timeoutMs);
  if (tracked.endpoint.wasLeft()) {
    const expected = 'no request to the address of the redirect, which is a failure';
    return [{ at: 'webhook address', expected, found: 'one that followed it', clause, delivery: first }];
  }
  if (!second) {
    const expected = `another attempt after ${title} within ${settings.timeoutMs / 1_000} s`;
    return [{ at: 'webhook', expected, found: describeReceived(tracked.endpoint), clause, delivery: first }];
  }
  const [before, after] = [first, second].map(({ headers }) => headers[ID_HEADER]);
  if (before === after) return [];
  const [expected, found] = [formatValue(before), formatValue(after)];
  return [{ at: `webhook header ${ID_HEADER}`, expected, found, clause, delivery: second }];
}

async function judgeGone(context: Context): Promise<Finding[]> {
  const { contract, fixtures } = context;
  const clause = contract.assumption('retries');
  // Its payment succeeds, which checks that compare wallets must not see.
  const { tracked, refused, known, tookMs } = await fixtures.moving(() => refuseForGood(context));
  const later = await tracked.endpoint.find(
    (delivery) => !known.has(delivery) && !wasInFlight(delivery, refused),
    fixtures.timeouts.unseenMs(GONE_MS, tookMs),
  );
  return later
    ? [{ at: 'webhook', expected: 'none after a 410', found: formatValue(later.body), clause, delivery: later }]
    : [];
}

/** Replies 410 to the first event of a payment, and takes it to its end. */
async function refuseForGood(context: Context) {
  const { fixtures } = context;
  const tracked = await fixtures.reachNew({ flow: 'h2h', until: WAITING }, { status: WAITING, reply: 410 });
  const refused = await fixtures.timeouts.webhook(tracked, WAITING);
  if (!refused) throw notArrived(context, tracked, 'the first event');
  const { startedAt, endedAt } = tracked.creation;
  /** The time of a request, or of a webhook. */
  const tookMs = Math.max(endedAt - startedAt, refused.receivedAt - endedAt);
  // The service has to have read the reply before the next event is due.
  await pause(fixtures.timeouts.unseenMs(GONE_READ_MS, tookMs));
  const known = new Set(tracked.endpoint.deliveries);
  await fixtures.drive(tracked, { flow: 'h2h', until: 'SUCCESS' });
  return { tracked, refused, known, tookMs };
}

/** Seconds after the refused attempt in which another attempt of the same event can have been in flight. */
const IN_FLIGHT_S = 3;

/** Whether the service signed the attempt before it could read the reply. */
function wasInFlight({ headers, body }: ReceivedDelivery, refused: ReceivedDelivery): boolean {
  const later = Number(headers[TIMESTAMP_HEADER]) - Number(refused.headers[TIMESTAMP_HEADER]);
  return later <= 0 || (readString(body, 'status') === WAITING && later <= IN_FLIGHT_S);
}
