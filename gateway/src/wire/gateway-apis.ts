/** The gateway's own APIs, which are not part of the contract, and their documents. */
import { type Bundle, type Operation, operations, readBundle } from '../../../contract/src/model.ts';

/** The documents as `npm run build` makes them, each from the folder of the same name in `gateway/`. */
export const API_FILES = {
  sandbox: new URL('../../../generated/sandbox/sandbox.json', import.meta.url),
  admin: new URL('../../../generated/admin/admin.json', import.meta.url),
} as const;

export type GatewayApi = keyof typeof API_FILES;

export const GATEWAY_APIS = Object.keys(API_FILES) as readonly GatewayApi[];

export interface ApiDocument {
  readonly bundle: Bundle;
  readonly operations: readonly Operation[];
  /** Ids of the operations that take no key. */
  readonly open: ReadonlySet<string>;
}

const DOCUMENTS = new Map<GatewayApi, ApiDocument>();

/** The document of one of the APIs, which is read once. */
export function readApiDocument(api: GatewayApi): ApiDocument {
  const document = DOCUMENTS.get(api) ?? deriveDocument(api);
  DOCUMENTS.set(api, document);
  return document;
}

function deriveDocument(api: GatewayApi): ApiDocument {
  const bundle = readBundle(API_FILES[api]);
  const raw = Object.values(bundle.paths).flatMap((item) => Object.values(item)) as {
    operationId?: string;
    security?: unknown[];
  }[];
  const open = raw.filter(({ security }) => security?.length === 0).map(({ operationId }) => String(operationId));
  return { bundle, operations: operations(bundle), open: new Set(open) };
}
