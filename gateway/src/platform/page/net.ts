/** Addresses in a page, which connects to nothing by address: no more than the host of a request needs. */

const IPV4 = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;

/** 4, 6, or 0 for what isn't an address. */
export function isIP(text: string): number {
  if (IPV4.test(text)) return 4;
  return /^[\da-f:.]+$/i.test(text) && text.includes(':') && URL.canParse(`http://[${text}]`) ? 6 : 0;
}

/** Contains single addresses and IPv4 networks of whole bytes. */
export class BlockList {
  readonly #prefixes: string[] = [];

  addSubnet(network: string, prefix: number): void {
    this.#prefixes.push(
      network.includes(':')
        ? network
        : `${network
            .split('.')
            .slice(0, prefix / 8)
            .join('.')}.`,
    );
  }

  check(address: string): boolean {
    return this.#prefixes.some((prefix) => `${address}.`.startsWith(prefix));
  }
}
