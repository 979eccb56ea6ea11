/** The document of the sandbox's operations, which is not part of the contract. */
import { type Bundle, type Operation, operations, readBundle } from '../../../contract/src/model.ts';

/** As `npm run build` makes it from gateway/sandbox/. */
export const SANDBOX_FILE = new URL('../../../generated/sandbox/sandbox.json', import.meta.url);

export interface SandboxDocument {
  readonly bundle: Bundle;
  readonly operations: readonly Operation[];
  /** Ids of the operations that take no API key. */
  readonly open: ReadonlySet<string>;
}

export function readSandboxDocument(): SandboxDocument {
  const bundle = readBundle(SANDBOX_FILE);
  const raw = Object.values(bundle.paths).flatMap((item) => Object.values(item)) as {
    operationId?: string;
    security?: unknown[];
  }[];
  const open = raw.filter(({ security }) => security?.length === 0).map(({ operationId }) => String(operationId));
  return { bundle, operations: operations(bundle), open: new Set(open) };
}
