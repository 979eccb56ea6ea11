/** Request of a sample: an operation's first named request, to the first server, with the contract's credential. */
import {
  type Bundle,
  fillPath,
  type Json,
  type Operation,
  type RequestExample,
  requestExamples,
  SAMPLE_KEY,
  serverUrl,
  successes,
} from '../../../contract/src/model.ts';

export interface SampleCall {
  operation: Pick<Operation, 'method' | 'path'> & { request?: { mediaType: string } };
  request: Pick<RequestExample, 'path' | 'query' | 'body'>;
  /** The path with the example's parameters. */
  path: string;
  /** The first server, with the defaults of its variables. Samples use it unless BASE_URL is set. */
  baseUrl: string;
  credential: Credential;
  /** The key. Samples use it unless API_KEY is set. */
  apiKey: string;
  /** Whether every success is a transaction, whose id and status matter most. */
  hasStatus: boolean;
}

/** A header, and the prefix before the key. */
export interface Credential {
  header: string;
  prefix: string;
}

/** The call that samples of an operation make, with its first named request by default. Throws if the contract does not say enough. */
export function sampleCall(
  bundle: Bundle,
  operation: Operation,
  request: RequestExample | undefined = requestExamples(operation)[0],
): SampleCall {
  if (!request) throw new Error(`${operation.id} has no example to make samples from`);
  return {
    operation,
    request,
    path: fillPath(operation.path, request.path),
    baseUrl: baseUrl(bundle),
    credential: readCredential(bundle),
    apiKey: SAMPLE_KEY,
    hasStatus: hasStatus(operation),
  };
}

/** The header that carries the credential, as the contract's security scheme has it. */
export function readCredential(bundle: Bundle): Credential {
  const [scheme] = Object.values(bundle.components['securitySchemes'] ?? {}) as {
    type: string;
    scheme?: string;
    name?: string;
  }[];
  if (scheme?.type === 'http' && scheme.scheme === 'bearer') return { header: 'Authorization', prefix: 'Bearer ' };
  if (scheme?.type === 'apiKey' && scheme.name) return { header: scheme.name, prefix: '' };
  throw new Error(
    'samples know bearer and header credentials only; teach scripts/artifacts/samples/call.ts the new scheme',
  );
}

/** The first server of the contract, with the defaults of its variables. */
export function baseUrl({ servers: [server] }: Pick<Bundle, 'servers'>): string {
  return server ? serverUrl(server) : '';
}

function hasStatus(operation: Operation): boolean {
  const values = successes(operation).flatMap((response) => response.body?.examples ?? []);
  return values.length > 0 && values.every(({ value }) => isTransaction(value));
}

function isTransaction(value: Json): boolean {
  return value !== null && typeof value === 'object' && 'status' in value && 'transaction_id' in value;
}
