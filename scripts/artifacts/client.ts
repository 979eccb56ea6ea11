/** A typed openapi-fetch client of the contract: no policy, only the types. */

/** generated/client.ts without its banner. */
export function clientArtifact(): string {
  return `import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { paths } from './types.ts';

/** openapi-fetch client that knows the contract's paths, parameters, bodies and problems. */
export type ContractClient = Client<paths>;

/** Creates a client. \`baseUrl\` is where the service is; \`headers\` carry the credential, since the contract only assumes its kind. */
export function createContractClient(options: ClientOptions & { baseUrl: string }): ContractClient {
  return createClient<paths>(options);
}
`;
}
