/** Clients in a page: `../cidr.ts` without addresses. */

/** The client itself. */
export function toNetwork(client: string): string {
  return client;
}

/** Whether a host name refers to this machine, like `localhost` and its subdomains. */
export function isLoopback(host: string): boolean {
  return /^(.*\.)?localhost$|^127\.|^::1$/.test(host);
}
