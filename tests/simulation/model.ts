/**
 * Rules of payments and payouts, independent of the gateway's domain. The model follows each commit. It knows the legal
 * moves from the contract, paid amounts from the provider, and balances from its own wallets.
 */
import {
  type Balance,
  balanceAfter,
  EMPTY,
  isOverdrawn,
  listMovements,
  type Machines,
  type Movement,
  type TransactionKind,
} from '../../contract/src/reference-model.ts';
import type { Row } from '../../gateway/src/database/store.ts';
import { findMethod, sandboxMethods } from '../../gateway/src/domain/methods.ts';
import type { ClaimedTransaction } from '../../gateway/src/transactions/rows.ts';
import { demand } from './broken-rule.ts';
import { type Clocks, PAUSE_MS_MAX } from './clocks.ts';
import type { Disk } from './disk.ts';
import type { Provider } from './provider.ts';
import type { Scheduler } from './scheduler.ts';

export interface Tracked {
  readonly id: string;
  readonly kind: TransactionKind;
  readonly merchantId: number;
  readonly orderId: string;
  readonly currency: string;
  readonly amount: number;
  readonly method: string;
  readonly customerId: string;
  readonly createdAt: number;
  /** Time after which its customer can no longer act. */
  readonly endsAt: number;
  /** All statuses so far, the current one last. */
  readonly statuses: string[];
  held: boolean;
  /** Amounts of its exceptions. */
  exceptions: number[];
  /** Number of clock changes before its last write. */
  writtenAfter: number;
}

interface Stored {
  readonly exceptions?: readonly { readonly amount: number }[];
}

/** The rows that a commit must contain for a transaction, besides the transaction. */
interface Effects {
  /** The transaction's movements before the commit. */
  readonly movedBefore: readonly Movement[];
  readonly posted: ObservedEntry[];
  readonly events: string[];
  readonly notified: string[];
}

interface Wallet {
  balance: Balance;
  settledUntil: number;
  /** Pending amounts by the id of their entry, each with the time at which it becomes available. */
  readonly credits: Map<string, { readonly amount: number; readonly availableAt: number }>;
}

/** An observed entry. */
interface ObservedEntry extends Movement {
  readonly id: string;
  readonly availableAt: number | undefined;
}

/** Recomputes merchants' balances from observed entries, and from the times up to which wallets are settled. */
class Wallets {
  readonly #wallets = new Map<string, Wallet>();

  /** The balance of a wallet, or undefined if the merchant has none. */
  of(merchantId: number, currency: string): Balance | undefined {
    return this.#wallets.get(`${merchantId} ${currency}`)?.balance;
  }

  /** What can be paid out at a time. */
  availableAt(merchantId: number, currency: string, time: number): number {
    const { balance = EMPTY, credits = [] } = this.#wallets.get(`${merchantId} ${currency}`) ?? {};
    const due = [...credits.values()].filter(({ availableAt }) => availableAt <= time);
    return due.reduce((sum, { amount }) => sum + amount, balance.available);
  }

  /** Moves money. No account of a wallet may go below zero. */
  move(merchantId: number, currency: string, { id, availableAt, ...movement }: ObservedEntry): void {
    const wallet = this.#open(merchantId, currency);
    if (availableAt !== undefined) wallet.credits.set(id, { amount: movement.amount, availableAt });
    this.#apply(wallet, movement);
    this.#settle(wallet);
  }

  /** Sets the time up to which the wallet is settled. */
  settle(merchantId: number, currency: string, until: number): void {
    const wallet = this.#open(merchantId, currency);
    wallet.settledUntil = until;
    this.#settle(wallet);
  }

  #open(merchantId: number, currency: string): Wallet {
    const key = `${merchantId} ${currency}`;
    const wallet = this.#wallets.get(key) ?? { balance: EMPTY, settledUntil: 0, credits: new Map() };
    this.#wallets.set(key, wallet);
    return wallet;
  }

  #settle(wallet: Wallet): void {
    for (const [id, { amount, availableAt }] of wallet.credits) {
      if (availableAt > wallet.settledUntil) continue;
      wallet.credits.delete(id);
      this.#apply(wallet, { from: 'pending', to: 'available', amount });
    }
  }

  #apply(wallet: Wallet, movement: Movement): void {
    wallet.balance = balanceAfter(wallet.balance, [movement]);
    const wrong = () => `after ${JSON.stringify(movement)}: ${JSON.stringify(wallet.balance)}`;
    demand(!isOverdrawn(wallet.balance), 'a wallet is below zero', wrong);
  }
}

export class Model {
  readonly transactions = new Map<string, Tracked>();
  readonly wallets = new Wallets();
  readonly #disk: Disk;
  readonly #machines: Machines;
  readonly #provider: Provider;
  readonly #scheduler: Scheduler;
  readonly #clocks: Clocks;

  constructor(disk: Disk, machines: Machines, provider: Provider, scheduler: Scheduler, clocks: Clocks) {
    this.#clocks = clocks;
    this.#disk = disk;
    this.#machines = machines;
    this.#provider = provider;
    this.#scheduler = scheduler;
  }

  /** The last committed status of a transaction. */
  statusOf(id: string): string | undefined {
    return this.transactions.get(id)?.statuses.at(-1);
  }

  /** Applies a commit. Throws a BrokenRule on an illegal change. */
  follow(changes: readonly Row[]): void {
    const effects = new Map<string, Effects>();
    const effectsOf = (id: string) => {
      const found = effects.get(id);
      if (found) return found;
      const movedBefore = this.#movementsOf(this.transactions.get(id));
      const begun: Effects = { movedBefore, posted: [], events: [], notified: [] };
      effects.set(id, begun);
      return begun;
    };
    const set = new Set<number>();
    for (const change of changes) {
      const id = String(change['id']);
      if (change['what'] === 'clock') {
        this.#clocks.follow(change);
        set.add(Number(id));
      } else if (change['what'] === 'created') this.#create(id, String(change['became']), effectsOf(id));
      else if (change['what'] === 'moved') this.#move(id, change, effectsOf(id));
      else if (change['what'] === 'event') effectsOf(String(change['a'])).events.push(String(change['became']));
      else if (change['what'] === 'entry') {
        const { was: from, became: to, a: amount, b, c, d, e } = change;
        const availableAt = e === null ? undefined : Number(e);
        const entry = { ...({ from, to, amount } as unknown as Movement), id: String(b), availableAt };
        this.wallets.move(Number(c), String(d), entry);
        if (change['id'] !== null) effectsOf(id).posted.push(entry);
      } else if (change['what'] === 'settled') this.#settle(Number(id), String(change['a']), Number(change['b']));
    }
    for (const [id, effect] of effects) this.#checkEffects(id, effect);
    for (const merchantId of set) this.#clocks.checkAll(merchantId);
  }

  /** A process dispatches a transaction. */
  checkDispatch({ id, version, claimedUntil }: Pick<ClaimedTransaction, 'id' | 'version' | 'claimedUntil'>): void {
    const rule = 'dispatched work is not committed and leased';
    demand(this.transactions.has(id), rule, () => id);
    const row = this.#rowOf(id);
    const passedOn = Number(row['version']) > version || this.#scheduler.now >= claimedUntil;
    const until = row['next_attempt_at'];
    demand(passedOn || until === claimedUntil, rule, () => `${id} until ${claimedUntil}, not ${until}`);
  }

  /** The sums that count against a customer's limit: collected or paid-out amounts of a day or a month. */
  usage(): Map<string, number> {
    const sums = new Map<string, number>();
    for (const one of this.transactions.values()) {
      if (one.statuses.at(-1) !== 'SUCCESS') continue;
      const date = new Date(one.createdAt).toISOString();
      for (const period of [date.slice(0, 7), date.slice(0, 10)]) {
        const key = `${one.merchantId} ${one.kind} ${one.customerId} ${one.currency} ${period}`;
        sums.set(key, (sums.get(key) ?? 0) + this.#amountOf(one));
      }
    }
    return sums;
  }

  /** The amount moved by a final transaction. */
  decidedAmount(one: Tracked): number {
    return one.statuses.at(-1) === 'SUCCESS' ? this.#amountOf(one) : 0;
  }

  #amountOf({ id, kind, amount }: Tracked): number {
    return kind === 'payout' ? amount : (this.#provider.collections.get(id)?.paid ?? 0);
  }

  #movementsOf(one: Tracked | undefined): Movement[] {
    if (!one) return [];
    const { kind, statuses, held } = one;
    return listMovements({ kind, status: statuses.at(-1) ?? '', amount: this.#amountOf(one), held });
  }

  #create(id: string, status: string, effects: Effects): void {
    const row = this.#rowOf(id);
    const { customer } = JSON.parse(String(row['details'])) as { customer: { id: string } };
    const { method } = JSON.parse(String(row['state'])) as { method: string };
    const kind = String(row['kind']) as TransactionKind;
    const createdAt = Number(row['created_at']);
    const one: Tracked = {
      id,
      kind,
      merchantId: Number(row['merchant_id']),
      orderId: String(row['order_id']),
      currency: String(row['currency']),
      amount: Number(row['amount']),
      method,
      customerId: customer.id,
      createdAt,
      endsAt: createdAt + (findMethod(sandboxMethods, kind, method)?.validityMs ?? 0),
      statuses: [],
      ...{ held: false, exceptions: [], writtenAfter: this.#clocks.sets },
    };
    for (const other of this.transactions.values()) {
      const same = other.orderId === one.orderId && other.kind === one.kind && other.merchantId === one.merchantId;
      demand(!same, 'an order id is used twice', () => `${other.id} and ${id}`);
    }
    this.transactions.set(id, one);
    const { merchantId, currency } = one;
    one.held = kind === 'payout' && this.wallets.availableAt(merchantId, currency, createdAt) >= one.amount;
    this.#enter(one, status, effects);
  }

  #move(id: string, { was, became, a, b, c, e, f }: Row, effects: Effects): void {
    const one = this.transactions.get(id);
    demand(one !== undefined, 'a transaction changes that was never created', () => id);
    const { now } = this.#scheduler;
    if (a === b) {
      demand(was === became, 'a status changes without a version', () => `${id} from ${was} to ${became}`);
      // Setting a clock reschedules work that waits for its time.
      const waited = f !== null && Number(c) === this.#clocks.stored(one.merchantId, Number(f));
      const leased = c !== null && Number(c) > now && Number(e) === 0 && !waited;
      demand(!leased, 'a lease is ignored', () => `${id} is claimed ${Number(c) - now} ms before its lease ends`);
      return;
    }
    demand(Number(b) === Number(a) + 1, 'a version is skipped or repeated', () => `${id} from version ${a} to ${b}`);
    one.writtenAfter = this.#clocks.sets;
    if (was !== became) this.#enter(one, String(became), effects);
    else if (this.#machines.isFinal(one.kind, String(was)))
      demand(this.#makesException(one), 'a final transaction changes', () => `${id} in ${was}`);
  }

  /** Records an exception of a final transaction: a result that differs from the previous one. */
  #makesException(one: Tracked): boolean {
    const { id, exceptions } = one;
    const { exceptions: stored = [] } = JSON.parse(String(this.#rowOf(id)['state'])) as Stored;
    if (stored.length === exceptions.length) return false;
    const amounts = stored.map(({ amount }) => amount);
    const [said = -1] = amounts.slice(exceptions.length);
    const before = exceptions.at(-1) ?? this.decidedAmount(one);
    const isNew = amounts.length === exceptions.length + 1 && said !== before;
    demand(isNew, 'an exception is repeated', () => `${id}: ${amounts} after ${exceptions}`);
    one.exceptions = amounts;
    return true;
  }

  /** A wallet is settled up to a time that its merchant has had. */
  #settle(merchantId: number, currency: string, until: number): void {
    const latest = this.#clocks.latest(merchantId);
    demand(until <= latest, 'money is settled too early', () => `${merchantId} until ${until}, now ${latest}`);
    this.wallets.settle(merchantId, currency, until);
  }

  /** Adds a new status of the transaction. */
  #enter(one: Tracked, status: string, effects: Effects): void {
    const { id, kind, held, statuses } = one;
    const from = statuses.at(-1) ?? null;
    demand(this.#allows(one, from, status), 'a move is not in the contract', () => `${id} ${from} ${status}`);
    statuses.push(status);
    if (this.#machines.isNotified(kind, status)) effects.notified.push(status);
    if (!this.#machines.isFinal(kind, status)) return;
    if (kind === 'payment') this.#endPayment(one, status);
    else {
      const { state = 'new' } = this.#provider.disbursements.get(id) ?? {};
      const agrees = status === 'SUCCESS' ? state === 'paid' && held : state === 'new' || state === 'declined';
      demand(agrees, 'a payout ends otherwise than at the provider', () => `${id} is ${status}, there it is ${state}`);
    }
    if (status === 'SUCCESS') this.#checkLimits(one);
  }

  /**
   * A payment skips the intermediate status if it was paid before the gateway could offer amounts, or before it was
   * confirmed.
   */
  #allows({ id, kind }: Tracked, from: string | null, to: string): boolean {
    if (this.#machines.allows(kind, from, to)) return true;
    const found = ['VERIFYING', 'SUCCESS'].includes(to) && this.#provider.collections.get(id)?.state === 'paid';
    return found && this.#machines.allowsOver(kind, from, to);
  }

  #endPayment({ id }: Tracked, status: string): void {
    const { state = 'new' } = this.#provider.collections.get(id) ?? {};
    const agrees = status === 'SUCCESS' ? state === 'paid' : state !== 'paid' && state !== 'awaiting';
    demand(agrees, 'a payment ends otherwise than at the provider', () => `${id} is ${status}, there it is ${state}`);
  }

  #checkLimits({ kind, method, merchantId, customerId, currency }: Tracked): void {
    const limits = findMethod(sandboxMethods, kind, method)?.limits;
    const prefix = `${merchantId} ${kind} ${customerId} ${currency} `;
    for (const [key, sum] of this.usage()) {
      if (!limits || !key.startsWith(prefix)) continue;
      const max = key.length - prefix.length > 7 ? limits.perDay : limits.perMonth;
      demand(sum <= max, 'a customer exceeds a limit', () => `${key}: ${sum} of ${max}`);
    }
  }

  #checkEffects(id: string, { movedBefore, posted, events, notified }: Effects): void {
    const one = this.transactions.get(id);
    if (!one) return;
    const row = this.#rowOf(id);
    const status = String(row['status']);
    demand(status === one.statuses.at(-1), 'a status is not the one that it moved to', () => `${id} ${status}`);
    const [found, expected] = [posted, this.#movementsOf(one).slice(movedBefore.length)].map((all) =>
      all.map(({ from, to, amount }) => `${from} ${to} ${amount}`).join(),
    );
    demand(found === expected, 'the ledger misses or repeats a movement', () => `${id}: ${found} is not ${expected}`);
    const once = events.join() === notified.join();
    demand(once, 'not exactly one event for a transition', () => `${id}: ${events} for ${notified}`);
    for (const { availableAt } of posted) if (availableAt !== undefined) this.#checkDelay(one, row, availableAt);
    this.#checkWallet(one);
    this.#checkDue(one, row['next_attempt_at'] ?? null);
    this.#checkTimes(one, row);
  }

  #checkDelay({ id, kind, method }: Tracked, row: Row, availableAt: number): void {
    const { finalizedAt } = JSON.parse(String(row['state'])) as { finalizedAt: number };
    const expected = finalizedAt + (findMethod(sandboxMethods, kind, method)?.settlementMs ?? 0);
    demand(availableAt === expected, 'money settles at another time', () => `${id} at ${availableAt}, not ${expected}`);
  }

  #checkWallet({ merchantId, currency }: Tracked): void {
    const balance = this.wallets.of(merchantId, currency);
    const [row] = this.#disk.rows(
      'select available, pending, reserved from wallets where merchant_id = ? and currency = ?',
      merchantId,
      currency,
    );
    const same = JSON.stringify(row) === JSON.stringify(balance);
    demand(
      same,
      'a wallet is not the sum of its entries',
      () => `${JSON.stringify(row)} is not ${JSON.stringify(balance)}`,
    );
  }

  /** Every open transaction has a due time, unless its channel has promised a notification. */
  #checkDue(one: Tracked, dueAt: Row[string]): void {
    const { id, kind, endsAt } = one;
    const status = one.statuses.at(-1) ?? '';
    const over = this.#machines.isFinal(kind, status);
    if (dueAt === null) {
      const rests = over || this.#provider.owesNotification(id);
      demand(rests, 'a transaction is stuck without a due time', () => `${id} in ${status}`);
      return;
    }
    demand(!over, 'a transaction that is over is due', () => `${id} in ${status}`);
    const { merchantId } = one;
    // By the merchant's clock, which may have gone back since.
    const latest = Math.max(this.#clocks.latest(merchantId), this.#scheduler.now, kind === 'payment' ? endsAt : 0);
    const { dueAt: waitsFor = 0 } = JSON.parse(String(this.#rowOf(id)['state'])) as { dueAt?: number };
    demand(
      waitsFor <= latest + PAUSE_MS_MAX,
      'a transaction is due far too late',
      () => `${id} in ${status}: ${dueAt}`,
    );
  }

  /** It follows its merchant's time, but its history never goes back. */
  #checkTimes({ id, merchantId }: Tracked, row: Row): void {
    if (row['next_attempt_at'] !== null) this.#clocks.checkRow(merchantId, row);
    const { history = [] } = JSON.parse(String(row['state'])) as { history?: [string, number][] };
    const times = history.map(([, after]) => after);
    const ordered = times.every((time, index) => time >= (times[index - 1] ?? 0));
    demand(ordered, 'a history goes back', () => `${id}: ${times}`);
    const changedAt = Number(row['created_at']) + (times.at(-1) ?? 0);
    const latest = this.#clocks.latest(merchantId);
    demand(
      changedAt <= latest,
      'a change has a time that its merchant has not had',
      () => `${id} at ${changedAt}, the latest is ${latest}`,
    );
  }

  #rowOf(id: string): Row {
    const [row] = this.#disk.rows('select * from transactions where id = ?', id);
    demand(row !== undefined, 'a transaction is gone', () => id);
    return row;
  }
}
