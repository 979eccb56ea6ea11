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
  /** Who may call each operation, by its id. */
  readonly access: ReadonlyMap<string, OperationAccess>;
}

/** The permitted callers of an operation, by the security requirements of its document. */
export interface OperationAccess {
  /** Everyone may call it, without a key. */
  readonly isOpen: boolean;
  /** Which merchants may call it. `test` means with a test key only. */
  readonly merchants: 'all' | 'test' | 'none';
  /** The role that an operator needs. Undefined if operators can't call it. */
  readonly role: string | undefined;
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
  return {
    bundle,
    operations: operations(bundle),
    access: new Map(raw.map(({ operationId, security = usual }) => [String(operationId), toAccess(security)])),
  };
}

/** Requirements by security scheme, with the required roles (OpenAPI 3.1, 4.8.30). */
type Security = readonly Readonly<Record<string, readonly string[]>>[];

function toAccess(security: Security): OperationAccess {
  const apiKey = security.find((requirement) => Object.hasOwn(requirement, 'apiKey'))?.['apiKey'];
  return {
    isOpen: security.length === 0,
    merchants: apiKey === undefined ? 'none' : apiKey.includes('test') ? 'test' : 'all',
    role: security.flatMap(({ operatorKey = [] }) => operatorKey)[0],
  };
}
