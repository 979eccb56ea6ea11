/** Refuses invalid credentials and headers before fetch sees them, because fetch quotes them in its errors. */
import { servers } from '../../generated/servers.ts';

const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/;
const LOOPBACK = /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/;
const LIVE = 'sk_live_';

/** Throws a TypeError that names the value and the remedy, and never quotes the value. */
export function checkCredentials(values: Readonly<Record<string, unknown>>, { protocol, hostname, origin }: URL): void {
  const server = servers.find(({ url }) => new URL(url).origin === origin);
  for (const name in values) {
    for (const value of [values[name]].flat()) {
      const text = `${value}`;
      checkCharacters(name, text);
      if (text.includes('whsec_')) {
        throw new TypeError(`${name} is a signing secret, whsec_…, which is never sent. Use an API key, sk_…`);
      }
      if (text.includes(LIVE) && protocol === 'http:' && !LOOPBACK.test(hostname)) {
        throw new TypeError(`${name} is a live key, and ${origin} is not encrypted. Use https://`);
      }
      const own = servers.find(({ keyPrefix }) => text.includes(keyPrefix));
      if (server && own && own !== server) {
        throw new TypeError(`${name} is a key for ${own.url}, ${own.keyPrefix}…, and baseUrl is ${origin}. Change one`);
      }
    }
  }
}

function checkCharacters(name: string, text: string): void {
  const position = text.search(UNSENDABLE);
  if (position < 0) return;
  const code = text.charCodeAt(position).toString(16).toUpperCase().padStart(4, '0');
  throw new TypeError(`${name} contains U+${code} at position ${position}, which a header cannot carry. Remove it`);
}
