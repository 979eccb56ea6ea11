/** The gateway's API documents: the contract, the management API and the sandbox API. */
import { BUNDLE_FILE, type Bundle, type Operation, operations, readBundle } from '../../../contract/src/model.ts';

/** The documents as `npm run build` makes them, each from the folder of the same name in `gateway/`. */
export const API_FILES = {
  sandbox: new URL('../../../generated/sandbox/sandbox.json', import.meta.url),
  management: new URL('../../../generated/management/management.json', import.meta.url),
} as const;

export type GatewayApi = keyof typeof API_FILES;

export const GATEWAY_APIS = Object.keys(API_FILES) as readonly GatewayApi[];

/** Loads a document by name, on demand. */
export type ReadDocument = (name: 'contract' | GatewayApi) => Bundle;

const READ = new Map<Parameters<ReadDocument>[0], Bundle>();

/** Reads documents from their files, each once: tests of a merchant start many gateways in one process. */
export const readDocumentFile: ReadDocument = (name) => {
  const bundle = READ.get(name) ?? readBundle(name === 'contract' ? BUNDLE_FILE : API_FILES[name]);
  READ.set(name, bundle);
  return bundle;
};

export interface ApiDocument {
  readonly bundle: Bundle;
  readonly operations: readonly Operation[];
  /** Ids of the operations that take no key. */
  readonly open: ReadonlySet<string>;
  /** The role that a caller needs for an operation, where the document names one. */
  readonly roles: ReadonlyMap<string, string>;
}

const DERIVED = new WeakMap<Bundle, ApiDocument>();

export function readApiDocument(api: GatewayApi, readDocument = readDocumentFile): ApiDocument {
  const bundle = readDocument(api);
  const document = DERIVED.get(bundle) ?? deriveDocument(bundle);
  DERIVED.set(bundle, document);
  return document;
}

function deriveDocument(bundle: Bundle): ApiDocument {
  const raw = Object.values(bundle.paths).flatMap((item) => Object.values(item)) as {
    operationId?: string;
    security?: Security;
  }[];
  const { security: usual = [{}] } = bundle as { security?: Security };
  const required = raw.map(({ operationId, security = usual }) => [String(operationId), security] as const);
  return {
    bundle,
    operations: operations(bundle),
    open: new Set(required.filter(([, security]) => security.length === 0).map(([id]) => id)),
    roles: new Map(
      required.flatMap(([id, [first = {}]]) =>
        Object.values(first)
          .flat()
          .map((role) => [id, role]),
      ),
    ),
  };
}

/** Requirements by security scheme, with the required roles (OpenAPI 3.1, 4.8.30). */
type Security = readonly Readonly<Record<string, readonly string[]>>[];
