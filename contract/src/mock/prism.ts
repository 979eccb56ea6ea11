/** Prism as a function that turns a selected response into what is sent: the example and the headers. */
import type { createInstance } from '@stoplight/prism-http';
import type { Bundle, Operation } from '../model.ts';
import type { SelectedResponse } from './preferences.ts';

export interface Answer {
  status: number;
  headers: Record<string, string | number>;
  body: unknown;
}

export type Prism = (operation: Operation, selection: SelectedResponse) => Promise<Answer>;

type Logger = Parameters<typeof createInstance>[1]['logger'];

/** Creates Prism with its validation turned off, since the mock has validated each request already. */
export async function createPrism(bundle: Bundle): Promise<Prism> {
  // Imported late, because loading takes half a second that `--help` need not wait for.
  const { createInstance, getHttpOperationsFromSpec } = await import('@stoplight/prism-http');
  const operations = (await getHttpOperationsFromSpec(structuredClone(bundle))).map(
    ({ callbacks: _, ...operation }) => operation,
  );
  const checks = { checkSecurity: false, validateRequest: false, validateResponse: false, errors: false };
  const shared = { ...checks, isProxy: false as const, upstreamProxy: undefined, mock: { dynamic: false } };
  const prism = createInstance(shared, { logger: silentLogger() });

  return async ({ method, path }, { status, example }) => {
    const mock = { code: status, ...(example !== undefined && { exampleKey: example }), dynamic: false };
    const input = { method: method as 'get', url: { path }, headers: {} };
    const result = await prism.request(input, operations, { ...shared, mock })();
    if (result._tag === 'Left') throw result.left;
    const { output } = result.right;
    return { status: output.statusCode, headers: output.headers ?? {}, body: output.body };
  };
}

/** Prism narrates every step; what matters of it is in the response. */
function silentLogger(): Logger {
  const quiet = () => undefined;
  const levels = ['trace', 'debug', 'info', 'success', 'warn', 'error', 'fatal'];
  const logger: Record<string, unknown> = Object.fromEntries(levels.map((level) => [level, quiet]));
  logger['child'] = () => logger;
  return logger as unknown as Logger;
}
