/** Test data of sandbox channels: they do what they say, or are refused. */
import type { Channels } from '../channel/channels.ts';
import { invalid } from '../contract/problems.ts';
import type { Plan } from '../domain/rules.ts';
import type { Flow, Transaction } from '../domain/transaction.ts';

type WithChannel = Pick<Transaction, 'kind' | 'channel' | 'customer'>;

/** What the test data of a transaction decide in advance, if its channel has some. */
export function planOf(channels: Channels, transaction: WithChannel): Plan | undefined {
  return channels.find(transaction.channel)?.testData?.plan(transaction);
}

/** The plan of a transaction that is about to be opened. Throws the problem with test data that can't take effect. */
export function requirePlan(channels: Channels, request: WithChannel, flow: Flow): Plan | undefined {
  const mistake = channels.find(request.channel)?.testData?.mistake(request, flow);
  if (mistake) throw invalid([mistake]);
  return planOf(channels, request);
}
