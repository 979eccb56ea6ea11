/** Amounts collected and paid out by channels, from the ledger. */
import type { Database } from '../database/store.ts';

export interface ChannelMovement {
  readonly transactionId: string;
  readonly channel: string;
  readonly amount: number;
  readonly currency: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const PAGE = 1_000;

/** Movements between wallets and channels, once per transaction, ordered by id. */
export async function* channelMovements(db: Database): AsyncGenerator<ChannelMovement> {
  let last = '';
  for (;;) {
    const rows = await db.all(
      `select e.transaction_id, e.amount, e.currency, e.created_at, t.state
       from ledger_entries e join transactions t on t.id = e.transaction_id
       where e.reason in ('collected', 'paid_out') and e.transaction_id > ?
       order by e.transaction_id limit ?`,
      ...[last, PAGE],
    );
    for (const row of rows) {
      const { channel } = JSON.parse(String(row['state'])) as { channel: string };
      last = String(row['transaction_id']);
      yield {
        ...{ transactionId: last, channel, currency: String(row['currency']) },
        ...{ amount: Number(row['amount']), at: Number(row['created_at']) },
      };
    }
    if (rows.length < PAGE) return;
  }
}
