/** Metrics of the whole database. Every gateway on it reports the same, so use their maximum. */
import { Gauge, type Registry } from 'prom-client';
import { EXCEPTION_COUNT_MAX, FAILING_FROM } from '../transactions/failures.ts';
import { DUE_KINDS, OPEN_COUNT_MAX } from '../transactions/open-transactions.ts';
import { DIFFERENCE_COUNT_MAX } from '../transactions/statements.ts';
import { BACKLOG_MAX, BACKLOG_STATES } from '../webhooks/backlog.ts';
import type { DatabaseState } from './database-state.ts';

/** A sample: labels and value. An undefined value is left out. */
type Sample = readonly [labels: Readonly<Record<string, string>>, value: number | undefined];

interface Definition {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly samples: (state: DatabaseState, now: number) => readonly Sample[];
}

const single = (value: number | undefined): Sample[] => [[{}, value]];
/** Seconds since a time in milliseconds; 0 without one. */
const age = (time: number | undefined, now: number) => (time === undefined ? 0 : Math.max(now - time, 0) / 1_000);

const DEFINITIONS: readonly Definition[] = [
  {
    name: 'gateway_failing_transactions',
    help: `Transactions whose next step has failed ${FAILING_FROM} times in a row or more.`,
    samples: ({ failing }) => single(failing),
  },
  {
    name: 'gateway_open_exceptions',
    help: `Transactions whose channel contradicts how they have ended, until that is resolved. At most ${EXCEPTION_COUNT_MAX} are counted.`,
    samples: ({ exceptions }) => single(exceptions),
  },
  {
    name: 'gateway_open_differences',
    help: `Transactions whose amounts in the ledger and in the channel's statements differ, by kind. At most ${DIFFERENCE_COUNT_MAX} are counted. Absent without any.`,
    labels: ['channel', 'kind'],
    samples: ({ differences = [] }) => differences.map(({ channel, kind, count }) => [{ channel, kind }, count]),
  },
  {
    name: 'gateway_oldest_difference_seconds',
    help: 'Seconds since the oldest open difference was found, by channel and kind. Absent without any.',
    labels: ['channel', 'kind'],
    samples: ({ differences = [] }, now) =>
      differences.map(({ channel, kind, oldest }) => [{ channel, kind }, age(oldest, now)]),
  },
  {
    name: 'gateway_payout_pause_seconds',
    help: 'Seconds since an operator or a restore paused all payouts; 0 if they are not paused.',
    samples: ({ payoutPause }, now) => single(payoutPause && age(payoutPause.since, now)),
  },
  {
    name: 'gateway_channel_pause_seconds',
    help: 'Seconds since an operator paused the channel. Absent for channels that are not paused.',
    labels: ['channel'],
    samples: ({ pausedChannels = [] }, now) => pausedChannels.map(({ channel, at }) => [{ channel }, age(at, now)]),
  },
  {
    name: 'gateway_oldest_due_seconds',
    help: 'Seconds since the oldest work was due that no process has claimed, by kind; 0 if none is due.',
    labels: ['kind'],
    samples: ({ due }) => DUE_KINDS.map((kind) => [{ kind }, due && due[kind] / 1_000]),
  },
  {
    name: 'gateway_open_transactions',
    help: `Transactions that are not final, by kind and status; at most ${OPEN_COUNT_MAX} are counted of each.`,
    labels: ['kind', 'status'],
    samples: ({ open = [] }) => open.map(({ kind, status, count }) => [{ kind, status }, count]),
  },
  {
    name: 'gateway_oldest_open_transaction_seconds',
    help: 'Seconds since the creation of the oldest transaction that is not final, by kind and status; 0 if there is none.',
    labels: ['kind', 'status'],
    samples: ({ open = [] }, now) => open.map(({ kind, status, oldest }) => [{ kind, status }, age(oldest, now)]),
  },
  {
    name: 'gateway_stuck_transactions',
    help: 'Transactions that are not final and have no next attempt, so that nothing will happen to them.',
    labels: ['kind', 'status'],
    samples: ({ open = [] }) => open.map(({ kind, status, stuck }) => [{ kind, status }, stuck]),
  },
  {
    name: 'gateway_webhooks',
    help: `Webhooks that are not delivered, by state: due now, scheduled for a later attempt or being attempted, or abandoned. At most ${BACKLOG_MAX} are counted.`,
    labels: ['state'],
    samples: ({ backlog }) => BACKLOG_STATES.map((state) => [{ state }, backlog?.[state].count]),
  },
  {
    name: 'gateway_oldest_webhook_seconds',
    help: 'Seconds since the oldest webhook that is counted was written, by state; 0 if there is none.',
    labels: ['state'],
    samples: ({ backlog }, now) =>
      BACKLOG_STATES.map((state) => [{ state }, backlog && age(backlog[state].oldest, now)]),
  },
  {
    name: 'gateway_troubled_endpoints',
    help: 'Endpoints of merchants, by trouble: hanging or failing, while webhooks wait for them; gone, after a 410; stopped by an operator.',
    labels: ['trouble'],
    samples: ({ endpoints = {} }) => Object.entries(endpoints).map(([trouble, count]) => [{ trouble }, count]),
  },
  {
    name: 'gateway_unexplained_wallets',
    help: 'Wallets that have changed without an entry of the ledger since this process started. Absent in a sandbox.',
    samples: ({ wallets }) => single(wallets),
  },
  {
    name: 'gateway_schema_version',
    help: 'Version of the schema of the database.',
    samples: ({ schema }) => single(schema),
  },
  {
    name: 'gateway_database_size_bytes',
    help: 'Size of the database.',
    samples: ({ space }) => single(space?.database),
  },
  {
    name: 'gateway_disk_free_bytes',
    help: 'Free space on the disk of an SQLite database.',
    samples: ({ space }) => single(space?.disk?.free),
  },
  {
    name: 'gateway_disk_size_bytes',
    help: 'Size of the disk of an SQLite database.',
    samples: ({ space }) => single(space?.disk?.size),
  },
  {
    name: 'gateway_state_query_seconds',
    help: 'Seconds that each query for these metrics took the last time.',
    labels: ['query'],
    samples: ({ seconds }) => Object.entries(seconds).map(([query, taken]) => [{ query }, taken]),
  },
];

/** Adds the metrics. The first of them reads the state, which all share. */
export function addDatabaseMetrics(registry: Registry, read: () => Promise<DatabaseState>, now: () => number): void {
  for (const { name, help, labels = [], samples } of DEFINITIONS) {
    new Gauge({
      ...{ name, help },
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        const state = await read();
        if (labels.length > 0) this.reset();
        else this.remove();
        for (const [values, value] of samples(state, now())) if (value !== undefined) this.set(values, value);
      },
    });
  }
}
