/** A check, its context and its result. */
import type { Clause, Contract } from '../document/contract.ts';
import type { Driver, ServiceAccess } from '../drivers/driver.ts';
import type { Receiver } from '../receiver/receiver.ts';
import type { Exchange, Journal, ServiceCall } from '../service/exchange.ts';
import type { Finding, Verdict } from './finding.ts';
import type { Fixtures } from './fixtures.ts';
import type { Level, Settings } from './settings.ts';

/**
 * The phase in which a check runs. `background` checks mostly wait, so they run alongside all others. `parallel` checks
 * run concurrently. Checks of `money`, `walks` and `wallets` compare wallets: in each currency they run one at a time, in
 * this order, with payouts last. `end` checks judge the journal of the whole run.
 */
export type Phase = 'background' | 'parallel' | 'money' | 'walks' | 'wallets' | 'end';

/** Kinds of coverage that checks declare. All others are measured from the run's messages. */
export const DECLARED_KINDS = [
  'currencies',
  'boundaries',
  'texts',
  'races',
  'identities',
  'lookups',
  'wallets',
  'deliveries',
  'repeats',
] as const;

/** A part of the coverage, such as `['races', 'createPayment']`. */
export type CoveredPart = readonly [kind: (typeof DECLARED_KINDS)[number], name: string];

export interface Check {
  /** Stable from version to version, such as `bad-input/createPayment/amount/minimum`. */
  readonly id: string;
  /** Behavior of a conforming service, in the present tense. */
  readonly title: string;
  /** The clause that the check is about. Findings name their own. */
  readonly clause: Clause;
  readonly phase: Phase;
  /** Operation under test, if there is one. */
  readonly operation?: string;
  /** Levels for which the check has to be reached. */
  readonly levels: readonly Level[];
  /** Levels of which it is a part; it is left out if none of them is claimed. Empty for checks of every service. */
  readonly partOf: readonly Level[];
  /** One of these has to be claimed as well, such as payouts for their webhooks. Any set of levels will do by default. */
  readonly needs?: readonly Level[];
  /** Currency of the compared wallet, by the driver. Checks without one run one at a time. */
  readonly walletOf?: (driver: Driver) => string | undefined;
  /** Parts that the check covers whenever it is reached. */
  readonly covers?: readonly CoveredPart[];
  /** Parts whose coverage depends on the run. The check reports each covered part with `cover`. */
  readonly mayCover?: readonly CoveredPart[];
  /** Judges the service. Throws NotReached if it can't, and NoHttpResponse if the service doesn't respond. */
  run(context: Context): Promise<Finding[]>;
}

export interface Context {
  readonly contract: Contract;
  readonly settings: Settings;
  readonly driver: Driver;
  /** For calls of the driver. */
  readonly access: ServiceAccess;
  readonly journal: Journal;
  readonly receiver: Receiver;
  readonly fixtures: Fixtures;
  send(call: ServiceCall): Promise<Exchange>;
  sendTogether(calls: readonly ServiceCall[]): Promise<Exchange[]>;
  /** Returns an order ID that no run has used. */
  orderId(): string;
  /** Adds a part of the check's `mayCover` to the coverage. */
  cover(...part: CoveredPart): void;
}

export interface Result extends Omit<Check, 'run' | 'walletOf' | 'covers' | 'mayCover'> {
  readonly covered: readonly CoveredPart[];
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** The reason why the check was not reached, or the kit's fault. */
  readonly reason?: string;
  /** The next step that would help to reach it. */
  readonly remedy?: string;
  readonly ms: number;
}
