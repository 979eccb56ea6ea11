/** The kit's command in this process, and a service that violates the contract. */
import { createServer } from 'node:http';
import { vi } from 'vitest';
import { createProgram } from '../../conformance/src/program.ts';
import { runCommand } from '../../contract/src/cli.ts';
import { collect } from '../tools/collect.ts';
import { listenOnLoopback } from '../tools/loopback.ts';

export const runKit = (...args: string[]) => collect((terminal) => runCommand(createProgram(terminal), args));

/** Clears the kit's variables, which this machine may set. For `beforeAll`. */
export function clearVariables(): () => void {
  const names = ['API_KEY', 'SECOND_API_KEY', 'WEBHOOK_SECRET', 'GITHUB_ACTIONS', 'GITHUB_STEP_SUMMARY'];
  for (const name of names) vi.stubEnv(name, undefined);
  return () => vi.unstubAllEnvs();
}

/** Starts a service that responds to every request with unrelated JSON. */
export function startBroken(onRequest: () => void = () => {}) {
  return listenOnLoopback(
    createServer((_request, response) => {
      onRequest();
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"FINE"}');
    }),
  );
}
