/**
 * The service that requests are sent to: another host, the gateway that shows the page, or a sandbox in the page. All that
 * the panel needs of it is `fetch(request)`, and `onChange(listener)`, which returns a function that ends the calls.
 */
import type { JsonObject } from '../../../../contract/src/model.ts';

/** The address of a service and a key of its API. `fetch` reaches it; by default, the browser's does. */
export interface Access {
  baseUrl: string;
  apiKey: string;
  fetch?: (request: Request) => Promise<Response>;
}

export interface Service {
  fetch: (request: Request) => Promise<Response>;
  onChange(listener: () => void): () => void;
}

/** The response of an operation of the sandbox, or the problem with the request. */
export interface Outcome {
  // biome-ignore lint/suspicious/noExplicitAny: the sandbox has its own document, which the pages don't load
  json?: any;
  problem?: string;
}

/** A service at an address, reached with a function like `fetch`. A gateway's sandbox tells what has changed as a stream of events. */
export function serviceAt({ baseUrl, apiKey, fetch = (request) => globalThis.fetch(request) }: Access): Service {
  return {
    fetch,
    onChange(listener) {
      const end = new AbortController();
      const { signal } = end;
      const request = new Request(`${baseUrl}/management/stream`, {
        signal,
        headers: { authorization: `Bearer ${apiKey}` },
      });
      follow(fetch(request), listener).catch(() => undefined);
      return () => end.abort();
    },
  };
}

/** Calls the listener for each message of the stream. The first says that the stream is up. */
async function follow(responding: Promise<Response>, listener: () => void): Promise<void> {
  const response = await responding;
  if (!response.ok || !response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    if (/^data:/m.test(value)) listener();
  }
}

export type Sandbox = ReturnType<typeof createSandboxClient>;

/** Operations of the sandbox and the management API on a transaction. They have the key of the API, and none is part of the contract. */
export function createSandboxClient(service: Pick<Service, 'fetch'>, { baseUrl, apiKey }: Access) {
  const send = async (path: string, body?: JsonObject, method = body ? 'POST' : 'GET'): Promise<Outcome> => {
    const headers = { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await service.fetch(new Request(baseUrl + path, init));
    const json = (await response.json().catch(() => undefined)) as Outcome['json'];
    return response.ok ? { json } : { problem: json?.detail ?? `Status ${response.status}` };
  };
  const call = (path: string, body?: JsonObject, method?: string) => send(`/sandbox${path}`, body, method);
  return {
    call,
    inspect: (kind: string, id: string) => send(`/management/${kind}/${encodeURIComponent(id)}`),
    simulate: (kind: string, id: string, event: string, body: JsonObject = {}) =>
      call(`/${kind}/${encodeURIComponent(id)}/${event}`, body),
    event: (id: string) => send(`/management/events/${encodeURIComponent(id)}`),
    advance: (by: string) => call('/clock/advance', { by }),
  };
}
