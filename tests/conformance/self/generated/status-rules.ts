/** Defects in the rules about statuses: moves, final statuses, and statuses that webhooks report. */
import type { Json, Transition } from '../../../../contract/src/model.ts';
import type { TransactionKind } from '../../../../contract/src/reference-model.ts';
import { rewrite, toObject } from '../alteration.ts';
import type { Mutant, Note } from './mutant.ts';
import { BUNDLE } from './places.ts';
import { type Hooks, isRead, LAG_MS, LATE_MS, ruleMutant, showAs, type Telling, twice } from './rules.ts';
import { MACHINES, type Story, statusBefore } from './story.ts';

const machines = Object.entries(BUNDLE['x-state-machines']) as [
  TransactionKind,
  (typeof BUNDLE)['x-state-machines'][string],
][];

export const STATUS_RULES: readonly Mutant[] = machines.flatMap(([kind, { states, transitions }]) => {
  const statuses = Object.keys(states);
  const finals = statuses.filter((status) => MACHINES.isFinal(kind, status));
  return [
    ...transitions.flatMap((move) => moveMutants(kind, move)),
    ...statuses
      .filter((status) => MACHINES.isNotified(kind, status))
      .flatMap((status) => notifiedMutants(kind, status)),
    ...finals.flatMap((status) => finalMutants(kind, status, finals.find((other) => other !== status) ?? status)),
  ];
});

function moveMutants(kind: TransactionKind, move: Transition): Mutant[] {
  const { from, to, by, tolerated = false } = move;
  const rule = `move ${kind} ${from ?? 'creation'} ${to}`;
  const isMade = (story: Story) =>
    story.kind === kind && story.seen.has(to) && (from === null || statusBefore(story, to) === from);
  const isShown = ({ body, place, story }: Telling) => isRead(place) && body['status'] === to && isMade(story);
  const mutants = [
    ruleMutant(rule, 'off', (note) => (from === null ? refused(by, to, note) : frozen(from, isMade, note))),
    ruleMutant(rule, 'twice', (note) => repeatedMove(kind, { from, to, by }, note)),
    ruleMutant(rule, 'late', (note) => ({
      told(telling) {
        const since = telling.story.seen.get(to) ?? 0;
        if (isShown(telling) && Date.now() - since < LAG_MS) showAs(from, telling, note);
      },
    })),
    ruleMutant(rule, 'before', (note) => ({
      told: (telling) => isShown(telling) && listReads(telling.story, to) === 2 && showAs(from, telling, note),
    })),
  ];
  // The reference service makes no tolerated moves, and shows no transaction before its creation.
  const isTaken = (fault: string) => !tolerated && (from !== null || fault === 'off' || fault === 'twice');
  return mutants.map((mutant) => {
    const { fault = '' } = mutant.rule ?? {};
    return { ...mutant, rule: { fault, move }, ...(!isTaken(fault) && { wouldShow: () => false }) };
  });
}

/** The service refuses creations that would begin in the status. */
function refused(operation: string, status: string, note: Note): Hooks {
  return {
    response(response, request) {
      if (request.operation !== operation || toObject(response.body)['status'] !== status) return;
      response.status = 400;
      response.headers['content-type'] = 'application/problem+json';
      response.body = { title: 'Refused', status: 400 };
      note();
    },
  };
}

/** The transaction stays where it was, for everyone. */
function frozen(from: string, isMade: (story: Story) => boolean, note: Note): Hooks {
  return {
    told: (telling) => isMade(telling.story) && showAs(from, telling, note),
    webhook({ body }, { story }) {
      if (!isMade(story) || body['status'] === from) return undefined;
      note();
      return [];
    },
  };
}

/** Carries out a creation or an action twice, or reports the service's own move twice. */
function repeatedMove(
  kind: TransactionKind,
  { from, to, by }: Pick<Transition, 'from' | 'to' | 'by'>,
  note: Note,
): Hooks {
  if (from === null) return createdTwice(by, to, note);
  const accepted = new Map<string, Json>();
  return {
    response(response, { operation, path }) {
      const isSuccess = response.status < 300;
      if (operation !== by) return;
      if (isSuccess && toObject(response.body)['status'] === to)
        accepted.set(path, structuredClone(response.body ?? null));
      const before = accepted.get(path);
      if (isSuccess || before === undefined) return;
      Object.assign(response, { status: 200, body: before });
      response.headers['content-type'] = 'application/json';
      note();
    },
    webhook(webhook, { story }) {
      const isOwn = story.kind === kind && webhook.body['status'] === to && statusBefore(story, to) === from;
      return isOwn ? twice(webhook, note) : undefined;
    },
  };
}

const AGAIN = '~again~';

/** A repeated creation that ends in the status makes another transaction, under an order id that only the gateway sees. */
function createdTwice(operation: string, status: string, note: Note): Hooks {
  const created = new Map<string, number>();
  return {
    request(request) {
      const body = toObject(request.body);
      const order = String(body['merchant_order_id']);
      const count = created.get(order);
      if (request.operation !== operation || count === undefined) return undefined;
      created.set(order, count + 1);
      rewrite(request, { ...body, merchant_order_id: `${order}${AGAIN}${count}` });
      note();
      return undefined;
    },
    told({ body, place }) {
      const [order = ''] = String(body['merchant_order_id']).split(AGAIN);
      if (place.on === operation && body['status'] === status && !created.has(order)) created.set(order, 1);
      body['merchant_order_id'] = order;
    },
    webhook({ body }) {
      body['merchant_order_id'] = String(body['merchant_order_id']).split(AGAIN)[0] ?? '';
      return undefined;
    },
  };
}

function notifiedMutants(kind: TransactionKind, status: string): Mutant[] {
  const rule = `notified ${kind} ${status}`;
  const isOwn = ({ body, story }: Telling) => story.kind === kind && body['status'] === status;
  return [
    ruleMutant(rule, 'off', (note) => ({
      webhook(_webhook, telling) {
        if (!isOwn(telling)) return undefined;
        note();
        return [];
      },
    })),
    ruleMutant(rule, 'twice', (note) => ({
      webhook: (webhook, telling) => (isOwn(telling) ? twice(webhook, note) : undefined),
    })),
    ruleMutant(rule, 'late', (note) => ({
      webhook(webhook, telling) {
        if (!isOwn(telling)) return undefined;
        note();
        return [{ ...webhook, delayMs: LATE_MS }];
      },
    })),
    ruleMutant(rule, 'before', (note) => {
      const notifiedAt = new Map<string, number>();
      return {
        webhook(_webhook, telling) {
          if (isOwn(telling)) notifiedAt.set(telling.story.id, Date.now());
          return undefined;
        },
        told(telling) {
          const since = notifiedAt.get(telling.story.id);
          if (since === undefined || !isOwn(telling) || !isRead(telling.place) || Date.now() - since > LAG_MS) return;
          showAs(statusBefore(telling.story, status) ?? lastBefore(kind, status), telling, note);
        },
      };
    }),
  ];
}

/** The status that comes last before this one. */
function lastBefore(kind: TransactionKind, status: string): string | undefined {
  const { transitions = [] } = BUNDLE['x-state-machines'][kind] ?? {};
  return transitions.findLast(({ from, to }) => from !== null && to === status)?.from ?? undefined;
}

function finalMutants(kind: TransactionKind, status: string, other: string): Mutant[] {
  const rule = `final ${kind} ${status}`;
  const isOwn = ({ body, place, story }: Telling) => isRead(place) && story.kind === kind && body['status'] === status;
  return [
    ruleMutant(rule, 'off', (note) => ({
      told: (telling) => isOwn(telling) && listReads(telling.story, status) > 1 && showAs(other, telling, note),
    })),
    ruleMutant(rule, 'twice', (note) => ({
      told(telling) {
        if (!isOwn(telling) || listReads(telling.story, status) === 1) return;
        telling.body['finalized_at'] = new Date().toISOString();
        note();
      },
    })),
    ruleMutant(rule, 'late', (note) => ({
      told: (telling) => isOwn(telling) && listReads(telling.story, status) === 1 && showAs(other, telling, note),
    })),
    ruleMutant(rule, 'before', (note) => ({
      told(telling) {
        const { body, place, story } = telling;
        const isNext = story.kind === kind && lastBefore(kind, status) === body['status'];
        if (isNext && isRead(place)) showAs(status, telling, note);
      },
    })),
  ];
}

/** Counts the reads that show the status, with this one. */
function listReads({ reads }: Story, status: string): number {
  const count = (reads.get(status) ?? 0) + 1;
  reads.set(status, count);
  return count;
}
