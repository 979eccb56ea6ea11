/** The addresses of the service, and the kind of key that each accepts. */
import type { Bundle } from '../../contract/src/model.ts';

/** generated/servers.ts without its banner. */
export function serversArtifact({ servers }: Bundle): string {
  const listed = servers.map(({ url, description = '', variables = {} }) => {
    const [, keyPrefix] = /keys that begin with `(\w+)`/.exec(description) ?? [];
    if (!keyPrefix) throw new Error(`The server's description names no keys: write "keys that begin with \`sk_…_\`"`);
    return { url: url.replaceAll(/\{(\w+)\}/g, (_, name: string) => variables[name]?.default ?? ''), keyPrefix };
  });
  return `/** Addresses of the service, with the prefix of the keys for each. */
export const servers = ${JSON.stringify(listed, null, 2)} as const;
`;
}
