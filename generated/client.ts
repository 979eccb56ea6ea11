// Made from openapi/ by `npm run build`.
// Do not edit: change the contract and run it again.

import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { paths } from './types.ts';

/** openapi-fetch client that knows the contract's paths, parameters, bodies and problems. */
export type ContractClient = Client<paths>;

/** Creates a client. `baseUrl` is where the service is; `headers` carry the credential, since the contract only assumes its kind. */
export function createContractClient(options: ClientOptions & { baseUrl: string }): ContractClient {
  return createClient<paths>(options);
}
