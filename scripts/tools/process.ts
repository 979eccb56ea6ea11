/** Child processes of the scripts. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command in the repository's root and collects its output. Throws with that output on a nonzero exit code,
 * unless `allowFailure` is set. With `live`, the output goes to this process's own and is not collected.
 */
export function run(
  command: string,
  args: string[],
  options: { allowFailure?: boolean; live?: boolean; cwd?: string; env?: Record<string, string> } = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? ROOT,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', options.live ? 'inherit' : 'pipe', options.live ? 'inherit' : 'pipe'],
    });
    const out: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
    child.stdout?.on('data', (chunk: Buffer) => out.stdout.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => out.stderr.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      const ran: Ran = {
        code: code ?? 1,
        stdout: Buffer.concat(out.stdout).toString(),
        stderr: Buffer.concat(out.stderr).toString(),
      };
      if (ran.code === 0 || options.allowFailure) resolve(ran);
      else reject(new Error(`${[command, ...args].join(' ')} failed:\n${ran.stdout}${ran.stderr}`));
    });
  });
}
