/** The command `reconcile`: compares the ledger with a channel's statement, and prints what differs. */
import { readFile } from 'node:fs/promises';
import { UserError } from '../../../contract/src/cli.ts';
import type { Channel, StatementEntry } from '../channels/channel.ts';
import { withCheckedResults } from '../channels/results.ts';
import type { GatewayConfig } from '../config/settings.ts';
import type { Database, Store } from '../database/store.ts';
import { channelMovements } from '../ledger/movements.ts';
import { contradictedById } from '../transactions/exception-rows.ts';
import { anyTransactionById } from '../transactions/rows.ts';
import { timestamp } from '../transactions/view.ts';
import { readMethodsAndChannels } from './methods-and-channels.ts';
import { printSnapshot } from './rows-output.ts';

export interface ReconcileOptions {
  readonly config: GatewayConfig;
  /** Entries of the ledger before it, and from `to` on, may be missing in the statement. Milliseconds since 1970. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Prints the differences and a summary. The exit code is 1 if there is a difference. */
export async function reconcileCommand(
  store: Store,
  name: string,
  file: string,
  { config, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: ReconcileOptions,
  print: (text: string) => void,
): Promise<number> {
  const { channels } = await readMethodsAndChannels(config);
  const stated = sumBookings(await readStatement(channels, name, file));
  const compared = new Set<string>();
  let found = 0;
  let unknown = 0;
  await printSnapshot(store, async (db) => {
    const differs = async (id: string, text: string, there?: string) => {
      const difference = await describeDifference(db, id, text, there);
      if (difference === undefined) return;
      found++;
      print(`${id}: ${difference}\n`);
    };
    for await (const { transactionId: id, channel, amount, currency, at } of channelMovements(db)) {
      if (channel !== name) continue;
      const there = stated.get(id);
      if (!there && (at < from || at >= to)) continue;
      compared.add(id);
      const here = `${amount} ${currency}`;
      if (!there) await differs(id, `the ledger has ${here} of ${timestamp(at)}, the statement has nothing`);
      else if (there !== here) await differs(id, `the ledger has ${here}, the statement has ${there}`, there);
    }
    for (const [id, there] of stated) {
      if (compared.has(id)) continue;
      const known = await anyTransactionById(db, id.startsWith('pay_') ? 'payment' : 'payout', id);
      if (!known) unknown++;
      const here = known ? `is ${known.status} by the channel ${known.channel}` : 'unknown here';
      await differs(id, `${here}, the statement has ${there}`, there);
    }
  });
  print(`${compared.size} entries of the channel ${name}, ${found} differences\n`);
  if (unknown > 0) print(`${unknown} are unknown here. After a restore, import them: payments-gateway import --help\n`);
  return found === 0 ? 0 : 1;
}

/** A difference with the state of its exception. Undefined if the statement confirms an exception that operators have resolved. */
async function describeDifference(
  db: Database,
  id: string,
  difference: string,
  there: string | undefined,
): Promise<string | undefined> {
  const contradicted = await contradictedById(db, id);
  if (!contradicted) return difference;
  const { transaction, since, claimed } = contradicted;
  if (since !== undefined) return `${difference}; its exception is open`;
  const confirmed = claimed === 0 ? undefined : `${claimed} ${transaction.currency}`;
  return there === confirmed ? undefined : difference;
}

/** Amounts of the statement by transaction: one, unless the money was moved several times. */
function sumBookings(bookings: readonly StatementEntry[]): Map<string, string> {
  const totals = new Map<string, string>();
  for (const { transactionId: id, amount, currency } of bookings) {
    const before = totals.get(id);
    totals.set(id, `${before === undefined ? '' : `${before} and `}${amount} ${currency}`);
  }
  return totals;
}

async function readStatement(
  channels: readonly Channel[],
  name: string,
  file: string,
): Promise<readonly StatementEntry[]> {
  const channel = channels.map(withCheckedResults).find((one) => one.name === name);
  const known = channels.filter(({ statement }) => statement).map((one) => one.name);
  if (!channel?.statement) {
    const next = known.length > 0 ? `Use one of ${known.join(', ')}.` : 'Give the file that defines it: --config FILE.';
    throw new UserError(`No channel ${name} reads statements. ${next}`, 2);
  }
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new UserError(`Can't read ${file}: ${error.message}`);
  });
  try {
    return channel.statement(bytes);
  } catch (error) {
    throw new UserError(`${file}: ${(error as Error).message}`);
  }
}
