/** Findings of a check, and the verdict that follows (docs/decisions/0008-violating-and-differing.md). */
import type { Json } from '../../../contract/src/model.ts';
import type { Clause } from '../document/contract.ts';
import { BudgetExceeded } from '../service/connection.ts';
import type { Exchange, ReceivedDelivery } from '../service/exchange.ts';
import type { Profile } from './settings.ts';

/** A rule that the service breaks. */
export interface Finding {
  /** The place: `status`, `header NAME`, `body /pointer`, `webhook body /pointer`, or a description. */
  readonly at: string;
  readonly expected: string;
  readonly found: string;
  readonly clause: Clause;
  /** Violating even if only an assumption is broken, such as money without a payment. */
  readonly binds?: boolean;
  /** The run ended with it, so it comes first. */
  readonly endsRun?: boolean;
  /** The requests that led to it, in order, if it takes several. */
  readonly steps?: readonly Exchange[];
  readonly exchange?: Exchange | undefined;
  readonly delivery?: ReceivedDelivery | undefined;
}

/** A rule over the whole run reports this many findings at most: they mostly have one cause. */
export const FINDINGS_MAX = 10;

/**
 * `conforming`; `violating`, if the source says otherwise, or the finding binds anyway; `differs`, if
 * only an assumption says otherwise; `not reached`, if the check could not be carried out; `fault`, if the kit itself failed.
 */
export type Verdict = 'conforming' | 'violating' | 'differs' | 'not reached' | 'fault';

/** A verdict under a profile, as every output names it. */
export type NamedVerdict = Verdict | 'violating, assumed';

/** Names the verdict: if the whole document binds, a difference from an assumption violates it. */
export function nameVerdict<T extends Verdict>(verdict: T, profile: Profile = 'document'): T | 'violating, assumed' {
  return verdict === 'differs' && profile === 'document' ? 'violating, assumed' : verdict;
}

/** Ends a check that can't be carried out, with the reason and a remedy. */
export class NotReached extends Error {
  readonly remedy: string;
  /** The response after which it could not continue. */
  readonly exchange: Exchange | undefined;
  /** Violations that kept it from continuing. With any, the check is violating, whatever it is about. */
  readonly findings: readonly Finding[];
  constructor(reason: string, remedy: string, exchange?: Exchange, findings: readonly Finding[] = []) {
    super(reason);
    this.remedy = remedy;
    this.exchange = exchange;
    this.findings = findings;
  }
}

/** Continues a check. If the rest isn't reached, the findings so far are the result. */
export async function andThen(findings: readonly Finding[], next: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return [...findings, ...(await next())];
  } catch (error) {
    const isOpen = error instanceof NotReached || error instanceof BudgetExceeded;
    if (isOpen && findings.length > 0) return [...findings];
    throw error;
  }
}

/** The result; undefined if the service or the driver doesn't get there. */
export async function ifReached<T>(make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof NotReached)) throw error;
    return undefined;
  }
}

export function toVerdict(findings: readonly Finding[]): Verdict {
  if (findings.length === 0) return 'conforming';
  return findings.some((finding) => toBreach(finding) === 'violating') ? 'violating' : 'differs';
}

export function toBreach({
  clause,
  binds,
}: {
  clause: Pick<Clause, 'basis'>;
  binds?: boolean;
}): 'violating' | 'differs' {
  return binds || clause.basis === 'specified' ? 'violating' : 'differs';
}

/** A value as reports show it. */
export function formatValue(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}
