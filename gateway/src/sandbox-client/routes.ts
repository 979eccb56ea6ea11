/** Method and path of each of the sandbox's operations. */
import type { operations } from '../../../generated/sandbox/types.ts';
import { readSandboxDocument } from '../contract/sandbox-document.ts';

interface Route {
  /** In capitals. */
  readonly method: string;
  /** With names of parameters in braces. */
  readonly path: string;
}

export const ROUTES = Object.fromEntries(
  readSandboxDocument().operations.map(({ id, method, path }) => [id, { method: method.toUpperCase(), path }]),
) as Readonly<Record<keyof operations, Route>>;
