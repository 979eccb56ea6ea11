/** `../cidr.ts` for pages, whose clients have no addresses. */

/** The client itself. */
export function toNetwork(client: string): string {
  return client;
}
