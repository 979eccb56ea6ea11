/** `logs`: follows a merchant's requests. */
import { printable } from '../../../../contract/src/printable.ts';
import type { RequestSummary } from '../../../../generated/sandbox/types.ts';
import { type Access, callSandbox } from '../../sandbox-client/client.ts';
import { followChanges } from '../../sandbox-client/stream.ts';
import { type Following, talking } from './access.ts';

export interface LogsOptions {
  /** Only requests whose response is an error. */
  readonly failed?: boolean;
  /** Requests of the past to begin with. */
  readonly last?: number;
}

/** Prints the last requests, then each new one until the signal is aborted. */
export async function logs(access: Access, options: LogsOptions, { terminal, signal }: Following): Promise<void> {
  const { failed = false, last = 10 } = options;
  const show = (request: RequestSummary) => {
    if (!failed || request.status >= 400) terminal.out(`${line(request)}\n`);
  };
  await talking(access, async () => {
    if (last > 0) {
      const query = { limit: last, ...(failed && { failed: 'true' as const }) };
      const { data } = await callSandbox(access, 'listRequests', { query });
      for (const request of data.toReversed()) show(request);
    }
    const onLost = (ms: number) => terminal.err(`the connection was lost; trying again in ${ms / 1_000} s\n`);
    for await (const { type, data } of followChanges(access, { signal, onLost })) {
      if (type === 'request') show(data as unknown as RequestSummary);
    }
  });
}

function line({ at, method, path, status, duration_ms, id, problem }: RequestSummary): string {
  const begin = printable(`${at.slice(11, 23)}  ${status}  ${method.padEnd(6)} ${path}  ${duration_ms} ms  ${id}`);
  return problem === undefined ? begin : `${begin}\n              ${printable(problem)}`;
}
