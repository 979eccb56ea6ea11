/** Fixtures for tests of the console: a gateway with a sandbox, and a browser's requests to it. */
import type { Gateway } from '../../../gateway/src/server.ts';
import type { ManualClock } from '../../tools/manual-clock.ts';
import type { Answer, TestGateway, TestGatewayOptions } from '../harness/gateway.ts';
import { type Injected, inject, startTestGateway } from '../harness.ts';

/** Starts a gateway with a sandbox. */
export function startConsole(options: TestGatewayOptions & { clock?: ManualClock } = {}): Promise<TestGateway> {
  return startTestGateway({ sandbox: true, ...options });
}

/** A browser after it has sent the login form. */
export interface ConsoleBrowser {
  readonly login: Injected;
  /** As the Cookie header has it; empty if the login failed. */
  readonly cookie: string;
  /** Sends a request as the console's script does. An undefined header is left out. */
  send(
    this: { readonly cookie: string },
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    body?: unknown,
    headers?: Readonly<Record<string, string | undefined>>,
  ): Promise<Answer>;
}

/** Sends the login form as a browser does. */
export async function consoleBrowser(
  gateway: Gateway,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ConsoleBrowser> {
  const login = await inject(gateway, {
    method: 'POST',
    url: '/console/login',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    payload: new URLSearchParams({ key }).toString(),
  });
  return {
    login,
    cookie: String(login.headers['set-cookie'] ?? '').split(';')[0] ?? '',
    async send(method, url, body, changes = {}) {
      const all = {
        cookie: this.cookie,
        'x-console': '1',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...changes,
      };
      const sent = Object.fromEntries(
        Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
      const response = await inject(gateway, {
        method,
        url,
        headers: sent,
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
      const isJson = /\bjson\b/.test(String(response.headers['content-type']));
      return {
        status: response.statusCode,
        body: isJson ? response.json() : response.body,
        text: response.body,
        headers: response.headers,
      };
    },
  };
}
