/** The contract's state machines and webhooks, as the model of the simulation uses them. */
import { type Bundle, readBundle, webhooks } from '../../contract/src/model.ts';

export type Kind = 'payment' | 'payout';

export interface Machines {
  /** Whether the gateway may move from one status to another; from null it opens. */
  allows(kind: Kind, from: string | null, to: string): boolean;
  /** Whether there is a status in between that leads from one to the other. */
  allowsOver(kind: Kind, from: string | null, to: string): boolean;
  isFinal(kind: Kind, status: string): boolean;
  isNotified(kind: Kind, status: string): boolean;
}

/** Reads them from the contract. Moves that only other services make don't count. */
export function readMachines(bundle: Bundle = readBundle()): Machines {
  const machines = bundle['x-state-machines'];
  const moves = new Set(
    Object.entries(machines).flatMap(([kind, { transitions }]) =>
      transitions.filter(({ tolerated }) => !tolerated).map(({ from, to }) => `${kind} ${from} ${to}`),
    ),
  );
  const notified = new Set(
    webhooks(bundle).flatMap((webhook) =>
      (webhook.request?.examples ?? []).map(({ value }) => {
        const { status } = value as { status: string };
        return `${webhook.id.startsWith('payment') ? 'payment' : 'payout'} ${status}`;
      }),
    ),
  );
  const allows: Machines['allows'] = (kind, from, to) => moves.has(`${kind} ${from} ${to}`);
  return {
    allows,
    allowsOver: (kind, from, to) =>
      Object.keys(machines[kind]?.states ?? {}).some((over) => allows(kind, from, over) && allows(kind, over, to)),
    isFinal: (kind, status) => machines[kind]?.states[status]?.final ?? false,
    isNotified: (kind, status) => notified.has(`${kind} ${status}`),
  };
}
