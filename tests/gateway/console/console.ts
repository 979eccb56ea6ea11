/** Fixtures for tests of the console: a gateway with a sandbox, and a browser's requests to it. */
import type { Gateway } from '../../../gateway/src/server.ts';
import type { ManualClock } from '../../tools/manual-clock.ts';
import {
  type Answer,
  createCaller,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from '../harness/gateway.ts';
import { type Injected, inject } from '../harness/inject.ts';

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
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const login = await inject(gateway, {
    method: 'POST',
    url: '/console/login',
    headers: { ...form, ...headers },
    payload: new URLSearchParams({ key }).toString(),
  });
  return browserWith(gateway, login);
}

/** A browser with the cookie that a response has set. */
export function browserWith(gateway: Gateway, login: Injected): ConsoleBrowser {
  const cookie = String(login.headers['set-cookie'] ?? '').split(';')[0] ?? '';
  const call = createCaller(gateway, '');
  return {
    ...{ login, cookie },
    send: (method, url, body, headers = {}) =>
      call(method, url, body, { authorization: undefined, cookie, 'x-console': '1', ...headers }),
  };
}
