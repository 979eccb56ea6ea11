/** A PostgreSQL primary with a standby, and an address that leads to the current primary. */
import { once } from 'node:events';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { connect, type Postgres, type PostgresSettings, query, startPostgres, startStandby } from './postgres.ts';
import { until } from './wait.ts';

export interface ReplicationOptions {
  /** Whether a commit waits for the standby. */
  readonly synchronous?: boolean;
}

/** A server, and its direct address. */
interface Member {
  readonly server: Postgres;
  /** The standby's path to the log. */
  readonly link?: MovingAddress;
}

const STANDBY = 'standby';
/** Keeps the log written during the standby's copy until it has been streamed. */
const SETTINGS: PostgresSettings = { wal_keep_size: '512MB' };
const WITHIN_MS = 120_000;
const WAITS_FOR_STANDBY = "select from pg_stat_activity where pid = $1 and wait_event = 'SyncRep'";

export class ReplicatedPostgres {
  /** Starts a primary and a standby, and waits until the standby has caught up. */
  static async start({ synchronous = true }: ReplicationOptions = {}): Promise<ReplicatedPostgres> {
    const server = await startPostgres(SETTINGS);
    const pair = new ReplicatedPostgres(server, await openMovingAddress(readPort(server.url)), synchronous);
    await pair.attachStandby().catch(async (error: unknown) => {
      await pair.close();
      throw error;
    });
    return pair;
  }

  /** Leads to the primary after `moveAddress`. */
  readonly url: string;
  readonly #address: MovingAddress;
  readonly #synchronous: boolean;
  #primary: Member;
  #standby: Member | undefined;
  /** The killed primary. */
  #former: Member | undefined;

  private constructor(server: Postgres, address: MovingAddress, synchronous: boolean) {
    this.#primary = { server };
    this.#address = address;
    this.#synchronous = synchronous;
    this.url = withPort(server.url, address.port);
  }

  /** Cuts the standby off from the primary's log. */
  cutLink(): void {
    this.#standby?.link?.moveTo(undefined);
  }

  /** Number of commits that currently wait for the standby. */
  async waitingCommits(): Promise<number> {
    const waiting = "select from pg_stat_activity where wait_event = 'SyncRep'";
    return (await query(this.#primary.server.url, waiting)).rowCount ?? 0;
  }

  /** Kills the primary with all its processes. */
  async killPrimary(): Promise<void> {
    await this.#primary.server.tell('kill');
  }

  /** Waits until reads of the standby include all that it has received. The primary must have been killed. */
  async untilReplayed(): Promise<void> {
    const replayed = 'select pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn()';
    await untilTrue(this.#expectStandby().server.url, replayed, 'the standby does not replay the log');
  }

  /** Points the address to the standby or the promoted server, and closes connections to the former primary. */
  moveAddress(): void {
    const { server } = this.#standby ?? this.#primary;
    this.#address.moveTo(readPort(server.url));
  }

  /** Promotes the standby. It commits without a standby until it gets one, since writes would block otherwise. */
  async promote(): Promise<void> {
    const standby = this.#expectStandby();
    await query(standby.server.url, 'select pg_promote()');
    standby.link?.close();
    this.#former = this.#primary;
    this.#primary = { server: standby.server };
    this.#standby = undefined;
  }

  /** Copies the running primary, starts the copy as its standby, and waits until commits wait for it. */
  async attachStandby(): Promise<void> {
    const { url } = this.#primary.server;
    const link = await openMovingAddress(readPort(url));
    const { username, password } = new URL(url);
    const connection = `host=127.0.0.1 port=${link.port} user=${username} password=${password} application_name=${STANDBY}`;
    const server = await startStandby(url, { ...SETTINGS, primary_conninfo: connection }).catch((error: unknown) => {
      link.close();
      throw error;
    });
    this.#standby = { server, link };
    await untilTrue(url, "select state = 'streaming' from pg_stat_replication", 'the standby does not stream');
    if (!this.#synchronous) return;
    await query(url, `alter system set synchronous_standby_names = '${STANDBY}'`);
    await query(url, 'select pg_reload_conf()');
    await untilTrue(url, "select sync_state = 'sync' from pg_stat_replication", 'the standby is not synchronous');
  }

  /**
   * Restarts the killed primary without a standby, then stops it permanently. Returns whether it acknowledged a write,
   * which would be lost.
   */
  async reviveFormerPrimary(): Promise<boolean> {
    const { server } = this.#former ?? {};
    if (!server) throw new Error('no primary was killed');
    await server.tell('start');
    const client = await connect(server.url);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    let acknowledged = false;
    const writing = client.query("select pg_logical_emit_message(true, 'revived', '')").then(
      () => (acknowledged = true),
      () => undefined,
    );
    const waits = async () => (await query(server.url, WAITS_FOR_STANDBY, rows[0]?.pid)).rowCount === 1;
    const isKnown = await until(async () => acknowledged || (await waits()), WITHIN_MS);
    await server.close();
    this.#former = undefined;
    if (isKnown === undefined) throw new Error('a write to the former primary neither ends nor waits for a standby');
    await writing;
    return acknowledged;
  }

  async close(): Promise<void> {
    this.#address.close();
    const members = [this.#primary, this.#standby, this.#former];
    for (const member of members) {
      member?.link?.close();
      await member?.server.close();
    }
  }

  #expectStandby(): Member {
    if (!this.#standby) throw new Error('there is no standby');
    return this.#standby;
  }
}

function readPort(url: string): number {
  return Number(new URL(url).port);
}

function withPort(url: string, port: number): string {
  const moved = new URL(url);
  moved.port = String(port);
  return moved.href;
}

async function untilTrue(url: string, statement: string, complaint: string): Promise<void> {
  const holds = async () => (await query(url, statement)).rows[0]?.[0] === true;
  if ((await until(holds, WITHIN_MS)) === undefined) throw new Error(complaint);
}

/** A port that forwards connections to a changeable port, like a proxy or a floating IP in a failover. */
interface MovingAddress {
  readonly port: number;
  /** Ends all connections. New ones are forwarded to this port, or refused if there is none. */
  moveTo(port: number | undefined): void;
  close(): void;
}

/** Opens the address on loopback. */
async function openMovingAddress(port?: number): Promise<MovingAddress> {
  let target = port;
  const sockets = new Set<Socket>();
  function join(socket: Socket, other: Socket): void {
    sockets.add(socket);
    socket.setNoDelay(true).pipe(other);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  }
  const server = createServer((near) => {
    if (target === undefined) {
      near.destroy();
      return;
    }
    const far = connectSocket(target, '127.0.0.1');
    join(near, far);
    join(far, near);
  });
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    moveTo(port) {
      target = port;
      endAll();
    },
    close() {
      server.close();
      endAll();
    },
  };
}
