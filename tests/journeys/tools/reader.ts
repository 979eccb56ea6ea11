/** A reader at a shell who pastes commands as printed, in a separate folder and environment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from '../../../scripts/tools/process.ts';
import { afterTheFile } from '../../gateway/harness/afterwards.ts';

export interface ReaderOptions {
  /** Variables set by the reader beforehand. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Replacements for printed ports that may be in use, such as `{ 4000: 51234 }`. Applied to commands and blocks;
   * servers receive them through `env`.
   */
  readonly ports?: Readonly<Record<number, number>>;
  /** The reader's Node: the system's, or the one running the tests. */
  readonly node?: 'machine' | 'tests';
}

export interface Printed {
  readonly code: number;
  /** Standard output. */
  readonly out: string;
  /** Standard error. */
  readonly err: string;
}

/** A command that keeps running, such as a server. */
export interface Running {
  /** The output so far. */
  printed(): string;
  /** Waits for matching output. Throws with the output if the process ends or the time limit passes. */
  until(pattern: RegExp, limitMs?: number): Promise<RegExpExecArray>;
  /** Sends the signal to the process itself, not to its group, and waits for its end. Returns its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

const RUN_LIMIT_MS = 240_000;
const START_LIMIT_MS = 60_000;

/** Creates a folder, removed after the test file. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'journey-'));
  // PostgreSQL runs as another user, and its program is in the folder's node_modules.
  await chmod(folder, 0o755);
  afterTheFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export class Reader {
  readonly folder: string;
  readonly #env: Record<string, string>;
  readonly #ports: Readonly<Record<number, number>>;
  /** Variables and the folder, as the last block left them. */
  readonly #state: string;

  constructor(folder: string, { env = {}, ports = {}, node = 'machine' }: ReaderOptions = {}) {
    this.folder = folder;
    this.#ports = ports;
    this.#env = { ...environment(node), ...env };
    const kept = mkdtempSync(join(tmpdir(), 'reader-'));
    afterTheFile(() => rm(kept, { recursive: true, force: true }));
    this.#state = join(kept, 'state.sh');
    writeFileSync(this.#state, `export PWD='${folder}'\n`);
  }

  /** Text with the reader's ports instead of the printed ones. */
  adapt(text: string): string {
    return Object.entries(this.#ports).reduce(
      (adapted, [from, to]) =>
        adapted.replaceAll(new RegExp(`\\b(localhost|127\\.0\\.0\\.1):${from}\\b`, 'g'), `$1:${to}`),
      text,
    );
  }

  /**
   * Pastes a block into the shell, keeping variables and the folder of earlier blocks. Stops at the first failing
   * command. Throws with the output unless `allowFailure` is set.
   */
  async run(block: string, { allowFailure = false, limitMs = RUN_LIMIT_MS } = {}): Promise<Printed> {
    const script = `set -ea; set -o pipefail; . '${this.#state}'; cd "$PWD"; trap 'export -p > "${this.#state}"' EXIT\n${this.adapt(block)}`;
    const child = this.#spawn(script);
    const output = collect(child);
    const late = setTimeout(() => signalGroup(child, 'SIGKILL'), limitMs);
    const [code] = await once(child, 'close');
    clearTimeout(late);
    const printed: Printed = { code: code ?? 1, out: output.out, err: output.err };
    if (printed.code !== 0 && !allowFailure) {
      throw new Error(`exit code ${code} of:\n${block}\n--- printed ---\n${output.all}`);
    }
    return printed;
  }

  /** Starts a command in the background of the shell. It and its descendants end with the file. */
  start(command: string): Running {
    const child = this.#spawn(`. '${this.#state}'; cd "$PWD"; exec ${this.adapt(command)}`);
    const output = collect(child);
    const ended = once(child, 'exit').then(([code]) => code as number | null);
    afterTheFile(async () => {
      signalGroup(child, 'SIGKILL');
      await ended;
    });
    return {
      printed: () => output.all,
      until: (pattern, limitMs = START_LIMIT_MS) => awaitOutput(pattern, output, ended, limitMs, command),
      end: (signal = 'SIGTERM') => {
        child.kill(signal);
        return ended;
      },
    };
  }

  #spawn(script: string): ChildProcess {
    return spawn('bash', ['-c', script], {
      cwd: this.folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group, to end the whole group.
      detached: true,
    });
  }
}

/** The user's environment, without the variables that npm and vitest added for this run. */
function environment(node: 'machine' | 'tests'): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_(?!EXTRA_CA_CERTS)|VITEST|TEST$|DATABASE_|INIT_CWD$|FORCE_COLOR$|LIVE$|PORT$)/.test(name),
  );
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.startsWith(ROOT));
  if (node === 'tests') folders.unshift(dirname(process.execPath));
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    ...{ PATH: folders.join(delimiter), NO_COLOR: '1', NO_PROXY: '*' },
  };
}

type Output = Record<'out' | 'err' | 'all', string>;

/** Collects the output of a process as it arrives. */
function collect(child: ChildProcess): Output {
  const texts = { out: '', err: '', all: '' };
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
      texts.all += text;
    });
  }
  return texts;
}

/** Polls the output of another program, which sends no event. */
const LOOK_EVERY_MS = 20;

async function awaitOutput(
  pattern: RegExp,
  output: Output,
  ended: Promise<unknown>,
  limitMs: number,
  command: string,
): Promise<RegExpExecArray> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  for (const began = performance.now(); performance.now() - began < limitMs; await delay(LOOK_EVERY_MS)) {
    const wasOver = isOver;
    const match = pattern.exec(output.all);
    if (match) return match;
    if (wasOver) throw new Error(`${command} ended before it printed ${pattern}:\n${output.all}`);
  }
  throw new Error(`${command} did not print ${pattern} within ${limitMs} ms:\n${output.all}`);
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // All processes of the group have ended.
  }
}
