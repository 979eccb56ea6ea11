/** The command `start`: listens, prints the addresses, and stops gracefully. */

import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { pino } from 'pino';
import { type CommandTerminal, stopSignal, UserError } from '../../../contract/src/cli.ts';
import { printable } from '../../../contract/src/printable.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { findMisspelled } from '../config/read-config.ts';
import type { GatewayConfig } from '../config/settings.ts';
import { readContract } from '../http/contract.ts';
import type { OpenTracer } from '../monitoring/tracing/open-telemetry.ts';
import { startTracing } from '../monitoring/tracing/start-tracing.ts';
import { createIds } from '../platform/ids.ts';
import { isLoopback } from '../platform/loopback.ts';
import { addReference, createReference } from '../server/reference.ts';
import { createGateway, type Gateway } from '../server.ts';
import {
  addDemoReceiver,
  createExampleTransactions,
  DEMO_RECEIVER,
  type Demo,
  demoConsoleLink,
  demoMerchant,
} from './demo.ts';
import { readMethodsAndChannels } from './methods-and-channels.ts';
import { describeStore, explainMode, openConfiguredStore } from './open-store.ts';
import { explainSecrets } from './secrets.ts';

interface StartOptions {
  /** Create and print the demo merchant. */
  readonly demo: boolean;
  /** Create the transactions of the contract's examples for the demo merchant. */
  readonly examples?: boolean;
  readonly terminal: CommandTerminal;
}

/** A sandbox runs on one machine, and so do its merchants' endpoints. */
export const SANDBOX_DEFAULTS = { CALLBACK_ALLOW: '127.0.0.0/8,::1', LOG_LEVEL: 'warn' };

/** Maximum milliseconds to send the last traces. A collector that is down must not delay the stop. */
const TRACES_MS_MAX = 2_000;

/** Runs the gateway until SIGINT or SIGTERM. */
export async function startCommand(config: GatewayConfig, options: StartOptions): Promise<void> {
  const { demo, terminal } = options;
  requireSafe(config, demo);
  const fewFiles = checkOpenFiles(config);
  const methodsAndChannels = await readMethodsAndChannels(config);
  limitYoungGeneration();
  const store = await openConfiguredStore(config);
  const logger = pino({ level: config.logLevel }, logDestination());
  const tracer = await startTracing({ log: logger });
  let address = '';
  const url = () => config.publicUrl || address;
  const gateway = await createGateway({
    store,
    migrate: config.migrate,
    log: logger,
    tracer,
    publicUrl: url,
    // Otherwise, the contract's, which may be a placeholder that leads nowhere.
    referenceUrl: config.live ? url : undefined,
    callbackAllow: config.callbackAllow,
    ...methodsAndChannels,
    retentionDays: config.retentionDays,
    limits: config,
    network: config,
    replaceGlobals: true,
    keyPolicy: { live: config.live, demo },
    sandbox: config.sandbox,
    sandboxMerchants: config,
    console: config.console,
    seed: config.seed,
  }).catch(async (error: unknown) => {
    await store.close();
    throw explainMode(config, explainSecrets(error));
  });
  const merchant = await serve(gateway, config, { ...options, url }).catch(async (error: unknown) => {
    await gateway.close();
    throw error;
  });
  if (fewFiles) logger.warn(fewFiles);
  for (const { found, setting } of findMisspelled(process.env)) {
    logger.warn({ variable: found }, `${found} is not a setting. Did you mean ${setting}?`);
  }
  if (config.sandbox && isOpen(config)) {
    logger.warn({ host: config.host }, 'everyone who reaches this gateway can create merchants in its sandbox');
  }
  const { port } = gateway.server.address() as AddressInfo;
  address = `http://${config.host.includes(':') ? `[${config.host}]` : localName(config.host)}:${port}`;
  // Installed before the gateway announces itself, because an earlier signal would kill it.
  const stopped = stopSignal();
  if (merchant || terminal.isTTY) {
    const link = merchant && config.sandbox ? await demoConsoleLink(store, address) : undefined;
    terminal.out(`${welcome(address, config, { demo: merchant, link })}\n`);
  } else announce(terminal, { address, database: describeStore(config) });
  await stopGateway(gateway, config, { signal: await stopped, logger, tracer });
}

/** Prints a log line at every LOG_LEVEL, because it says which port was chosen. */
function announce(terminal: CommandTerminal, fields: object): void {
  pino({}, { write: terminal.out }).info(fields, 'listening');
}

interface Stopping {
  readonly signal: NodeJS.Signals;
  readonly logger: pino.Logger;
  readonly tracer: OpenTracer | undefined;
}

/** Drains and closes the gateway. Ends the process if that takes too long. */
async function stopGateway(
  gateway: Gateway,
  { drainMs, shutdownMs }: GatewayConfig,
  { signal, logger, tracer }: Stopping,
): Promise<void> {
  const drained = drain(gateway, drainMs);
  logger.info({ signal, drain_ms: drainMs }, 'stopping');
  await drained;
  const isDone = await isStopped(gateway, shutdownMs);
  const sent = await tracer?.end(Math.min(TRACES_MS_MAX, shutdownMs));
  if (isDone) {
    logger.info({ signal }, 'stopped');
    // An exporter that still waits for its collector would keep the process alive.
    if (sent === false) process.exit(0);
  } else {
    logger.warn({ signal, shutdown_ms: shutdownMs }, 'stopped before everything in progress had ended');
    process.exit(1);
  }
}

/** Writes log lines to stderr. JSON escapes some control characters only. */
function logDestination(): { write(line: string): void } {
  const stderr = pino.destination(2);
  return { write: (line) => void stderr.write(printable(line, { lines: true })) };
}

/** Adds the demo merchant and the pages of the command, and listens. Returns the merchant. */
async function serve(
  gateway: Gateway,
  config: GatewayConfig,
  { demo, examples, terminal, url }: StartOptions & { readonly url: () => string },
): Promise<Demo | undefined> {
  const merchant = demo ? await demoMerchant(gateway.store, createIds(config.seed)) : undefined;
  if (merchant) {
    const { merchantId, secret } = merchant;
    if (examples) await createExampleTransactions(gateway.services, merchantId);
    // Signatures have the real time, unless the merchant asks for its clock's.
    const now = () => gateway.time.signedAt(merchantId);
    const { bodyBytesMax } = config;
    const tell = (line: string) => terminal.out(`${line}\n`);
    addDemoReceiver(gateway.routes, { contract: readContract(), secret, bodyBytesMax, tell, now });
  }
  addReference(gateway, createReference({ url, key: merchant?.key, live: config.live }));
  await listen(gateway, config);
  return merchant;
}

/** Throws a UserError for settings that together would open what must stay closed. */
export function requireSafe(config: GatewayConfig, demo: boolean): void {
  const { host, live, seed, sandbox, corsOrigins, checkDatabase, databaseUrl, publicUrl } = config;
  const publicHost = URL.parse(publicUrl)?.hostname.replace(/^\[|\]$/g, '');
  const refusals: readonly (readonly [isRefused: boolean, message: string])[] = [
    [
      demo && !isLoopback(host),
      `HOST is '${host}', but the key of the demo merchant is public. Start the demo on 127.0.0.1, or run the gateway without it: payments-gateway start --host ${host}`,
    ],
    [demo && live, 'LIVE is set, but a demo never moves real money. Remove LIVE, or run: payments-gateway start'],
    [
      live && seed !== '',
      'SEED is set, but LIVE is too, and everyone who knows a seed can guess ids and links. Remove SEED.',
    ],
    [live && sandbox, 'LIVE and SANDBOX are both set, but a sandbox never moves real money. Remove one of them.'],
    [
      sandbox && isOpen(config) && !config.sandboxOpen,
      `HOST is '${host}', so everyone who reaches it could create merchants in the sandbox. Set SANDBOX_KEY, so that they need it, or SANDBOX_OPEN=true if they may. To run without the sandbox, set SANDBOX=false.`,
    ],
    [
      checkDatabase !== 'none' && databaseUrl !== '',
      'CHECK_DATABASE is set, but only an SQLite file can be checked. Remove CHECK_DATABASE or DATABASE_URL.',
    ],
    [
      live && publicHost !== undefined && isLoopback(publicHost),
      `PUBLIC_URL is '${publicUrl}', which leads payers to their own device. Write the address at which they reach the gateway, such as https://pay.example.com.`,
    ],
    [
      live && corsOrigins.includes('*'),
      "CORS_ORIGINS is '*', but LIVE is set. Name the origins, such as https://app.example.com, or remove CORS_ORIGINS.",
    ],
  ];
  for (const [isRefused, message] of refusals) if (isRefused) throw new UserError(message, 2);
}

/** Whether others than this machine could create merchants without a key. */
function isOpen({ host, sandboxKey }: GatewayConfig): boolean {
  return sandboxKey === '' && !isLoopback(host);
}

async function listen(gateway: Gateway, { host, port }: GatewayConfig): Promise<void> {
  try {
    await gateway.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new UserError(
        `Port ${port} is already in use. Stop the process that listens on it, or set PORT to another port.`,
      );
    throw new UserError(`Can't listen on ${host}:${port}: ${message}\nCheck HOST and PORT.`);
  }
}

/** Continues to serve for `ms`, or until a second signal. */
function drain(gateway: Gateway, ms: number): Promise<void> {
  const impatience = new AbortController();
  stopSignal().then(() => impatience.abort());
  return gateway.drain(ms, impatience.signal);
}

/** Closes the gateway. False if that takes longer than `ms`: then others take over when the leases end. */
async function isStopped(gateway: Gateway, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), ms);
  const closed = gateway.close().then(() => true);
  return Promise.race([closed, late.promise]).finally(() => clearTimeout(timer));
}

function localName(host: string): string {
  return host === '127.0.0.1' || host === '0.0.0.0' ? 'localhost' : host;
}

interface Welcome {
  readonly demo: Demo | undefined;
  /** Opens the console of the demo merchant once. */
  readonly link: string | undefined;
}

function welcome(address: string, config: GatewayConfig, { demo, link }: Welcome): string {
  const lines = [
    `gateway     ${address}  (${describeStore(config)})`,
    ...(config.console
      ? [`console     ${link ? `${link}  (opens once, within 15 minutes)` : `${address}/console`}`]
      : []),
    `reference   ${address}/docs`,
    `health      ${address}/health/ready    metrics  ${address}/metrics`,
  ];
  if (config.callbackAllow.length > 0)
    lines.push(`webhooks    to public addresses and ${config.callbackAllow.join(', ')}`);
  if (!demo) return lines.join('\n');
  return [...lines, '', ...firstSteps(address, demo)].join('\n');
}

/** Calls that take a first payment through the host-to-host flow; its webhooks are printed as they arrive. */
function firstSteps(address: string, demo: Demo): string[] {
  const call = (path: string, body: unknown) =>
    [
      `curl ${address}${path} -H 'Authorization: Bearer ${demo.key}' -H 'Content-Type: application/json' \\`,
      `  -d '${JSON.stringify(body)}'`,
    ].join('\n');
  const { body } = requestExamples.createPayment['h2h-upi'];
  const { body: confirmation } = requestExamples.confirmPayment['tid-and-amount'];
  return [
    `demo merchant   ${demo.merchantId}`,
    `API key         ${demo.key}`,
    `signing secret  ${demo.secret}`,
    '',
    'Create a payment:',
    // Not the order of the reference's samples, which have another callback_url.
    call('/payments', { ...body, merchant_order_id: 'first-order', callback_url: `${address}${DEMO_RECEIVER}` }),
    '',
    'Confirm it, with the transaction_id of the response:',
    call('/payments/TRANSACTION_ID/confirm', confirmation),
    '',
    `To use a payment page, add "return_url":"${address}/docs", change merchant_order_id, and open the redirect_url.`,
    '',
  ];
}

// The size of V8's space for new objects. V8 lets it grow until the gateway takes half as much memory again under load,
// without a gain in speed, since objects of a finished request are garbage anyway. Node takes the limit itself only as a flag
// of its command line, which `npx` does not give; whether the space grows any further is asked again at each growth.

const BYTES_MAX = 16 * 1024 * 1024;

/** Stops the growth at 16 MiB; V8 doubles the space up to there. */
function limitYoungGeneration(): void {
  const observer = new PerformanceObserver(() => {
    if (youngGenerationBytes() < BYTES_MAX) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}

function youngGenerationBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}

/** Files of the process, its database and its webhooks, without the connections of clients and to PostgreSQL. */
const OWN_FILES = 192;
const RAISE =
  'Raise it, such as with `ulimit -n 65536`, LimitNOFILE=65536 of systemd, or --ulimit nofile=65536 of Docker.';

/**
 * Throws a UserError if the limit leaves no files for clients. Returns a warning if it leaves fewer than
 * CONNECTIONS_MAX: the system silently resets connections above it.
 */
export function checkOpenFiles(
  { connectionsMax, databaseUrl, databaseConnections }: GatewayConfig,
  limit: number | undefined = openFilesMax(),
): string | undefined {
  if (limit === undefined) return undefined;
  const needed = OWN_FILES + (databaseUrl ? databaseConnections : 0);
  if (limit <= needed)
    throw new UserError(`The limit on open files is ${limit}, but the gateway needs more than ${needed}. ${RAISE}`);
  const room = limit - needed;
  if (room >= connectionsMax) return undefined;
  return `the limit on open files is ${limit}, which leaves room for ${room} connections, but CONNECTIONS_MAX is ${connectionsMax}. ${RAISE} Otherwise, set CONNECTIONS_MAX to ${room}.`;
}

/** The process's own limit; undefined where the system doesn't show it, or has none. */
function openFilesMax(): number | undefined {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
