/** Clients in a page: `../cidr.ts` where no request comes from an address. */

/** The client, which stands for itself. */
export function toNetwork(client: string): string {
  return client;
}
