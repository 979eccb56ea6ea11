/** Access to the gateway that client commands call over HTTP, on this or another machine. */
import { type CommandLine, type Terminal, UserError } from '../../../../contract/src/cli.ts';
import { type Access, ApiError, type BodyViolation, describeViolation, type Problem } from '../../api-client/client.ts';
import type { Wait } from '../../api-client/stream.ts';
import { DEMO_KEY } from '../../merchants/api-keys.ts';

export interface AccessFlags {
  readonly url?: string;
}

export interface ClientFlags extends AccessFlags {
  readonly json?: boolean;
}

const DEFAULT_URL = 'http://localhost:4000';

/** Adds the common options of client commands: the gateway, and the output format. */
export function addAccess(command: CommandLine): CommandLine {
  return command
    .option('--url <url>', 'Base URL of the gateway. (env: GATEWAY_URL)', undefined)
    .option('--json', 'Print JSON to stdout, one value a line, and everything else to stderr.')
    .addHelpText('after', `\nThe API key is taken from API_KEY. Without it, the key of the demo merchant is used.`);
}

/** The gateway and the key. Throws a UserError for an address that isn't one. */
export function readAccess({ url }: AccessFlags, env: NodeJS.ProcessEnv): Access {
  const text = url ?? env['GATEWAY_URL'] ?? DEFAULT_URL;
  return { url: readAddress('The URL', text, DEFAULT_URL).replace(/\/+$/, ''), key: env['API_KEY'] || DEMO_KEY };
}

/** The gateway and the operator's key. Throws a UserError without a key. */
export function readOperatorAccess({ url }: AccessFlags, env: NodeJS.ProcessEnv): Access {
  const key = env['OPERATOR_KEY'];
  if (!key) {
    throw new UserError(
      "OPERATOR_KEY is missing. Set it to an operator's key, which payments-gateway operator create NAME prints.",
      2,
    );
  }
  return { ...readAccess({ ...(url !== undefined && { url }) }, env), key };
}

/** An http or https address as people type it: the scheme may be missing, or all but the port. Throws a UserError. */
export function readAddress(what: string, text: string, example: string): string {
  const address = /^\d+$/.test(text)
    ? `http://localhost:${text}`
    : /^[a-z][\w+.-]*:\/\//i.test(text)
      ? text
      : `http://${text}`;
  const url = text.startsWith('/') ? null : URL.parse(address);
  // `fetch` refuses addresses with a password.
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url.href;
  throw new UserError(
    `${what} is '${text}'. It must be an http or https address without a password, such as ${example}, or a port of this machine.`,
    2,
  );
}

/** A refusal of a gateway, with the invalid parts of the request. */
export class RefusedRequest extends UserError {
  readonly violations: readonly BodyViolation[];
  constructor(message: string, { violations = [] }: Problem) {
    super(message);
    this.violations = violations;
  }
}

/** Runs a client command and explains errors of the gateway or the connection. Defaults to the sandbox. */
export async function callGateway<T>(
  { url, key }: Access,
  talk: () => Promise<T>,
  explain: (error: ApiError, url: string, key: string) => string = explainSandbox,
): Promise<T> {
  try {
    return await talk();
  } catch (error) {
    if (error instanceof ApiError) throw new RefusedRequest(explain(error, url, key), error.problem);
    if (error instanceof TypeError) {
      throw new UserError(
        `Can't reach a gateway at ${url}. Start one with payments-gateway, or name another with --url.`,
      );
    }
    throw error;
  }
}

/** Follows the gateway until the signal is aborted. Ignores errors after that. */
export async function followGateway(access: Access, signal: AbortSignal, follow: () => Promise<void>): Promise<void> {
  await callGateway(access, follow).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Explains a refusal of the management API. Its details are written for people. */
export function explainToOperator({ status, message, problem }: ApiError, url: string, key: string): string {
  const { detail = message, violations = [] } = problem as Problem;
  if (status === 401) return `${url} refuses the key …${key.slice(-4)} of OPERATOR_KEY. ${detail}`;
  return [detail, ...violations.map(describeViolation)].join('\n');
}

function explainSandbox({ status, message, problem }: ApiError, url: string, key: string): string {
  if (status === 401) {
    const own = key === DEMO_KEY ? 'the demo key, which only a demo takes' : `the key …${key.slice(-4)} of API_KEY`;
    return `${url} refuses ${own}. Set API_KEY to a test key of that gateway.`;
  }
  if (status === 404 && problem['type'] !== undefined && /Route not found: \S+ \/sandbox\//.test(message)) {
    return `${message} ${url}/docs/sandbox lists the paths. With LIVE or SANDBOX=false, a gateway has no sandbox.`;
  }
  return message;
}

/** The time of day on this machine, for the beginning of a line. */
export function timeOfDay(): string {
  return new Date().toTimeString().slice(0, 8);
}

/** Prints lines until the signal to stop. */
export interface FollowedOutput {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** Print values as JSON instead of text. */
  readonly json?: boolean;
}

export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** Returns a function that prints each wait to stderr. Calls that wait at the same time are reported once. */
export function reportWaits(terminal: Terminal): (wait: Wait) => void {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return ({ reason, ms }) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + ms;
    terminal.err(`${reason}; trying again in ${ms / 1_000} s\n`);
  };
}

/** Remembers the newest ids, to detect missed ones. */

const KEPT = 2_000;

export class SeenIds {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Returns whether the id is new. Forgets the oldest of too many. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const [oldest = ''] = this.#ids;
    if (this.#ids.size > KEPT) this.#ids.delete(oldest);
    return true;
  }
}
