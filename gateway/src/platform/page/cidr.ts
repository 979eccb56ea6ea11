/** Clients in a page: `../cidr.ts` without addresses. */

/** The client itself. */
export function toNetwork(client: string): string {
  return client;
}
