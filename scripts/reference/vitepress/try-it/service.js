/**
 * The service that requests are sent to: another host, the gateway that shows the page, or a sandbox in the page. All that
 * the panel needs of it is `fetch(request)`, and `onChange(listener)`, which returns a function that ends the calls.
 */

/** A service at an address, reached with a function like `fetch`. A gateway's sandbox tells what has changed as a stream of events. */
export function serviceAt({ baseUrl, apiKey, fetch = (request) => globalThis.fetch(request) }) {
  return {
    fetch,
    onChange(listener) {
      const end = new AbortController();
      const { signal } = end;
      const request = new Request(`${baseUrl}/sandbox/stream`, {
        signal,
        headers: { authorization: `Bearer ${apiKey}` },
      });
      follow(fetch(request), listener).catch(() => undefined);
      return () => end.abort();
    },
  };
}

/** Calls the listener for each message of the stream. The first says that the stream is up. */
async function follow(responding, listener) {
  const response = await responding;
  if (!response.ok || !response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    if (/^data:/m.test(value)) listener();
  }
}

/** The sandbox's operations about a transaction. They have the key of the API, and none of them is part of the contract. */
export function sandboxOf(service, { baseUrl, apiKey }) {
  const call = async (path, body) => {
    const headers = { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) };
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const response = await service.fetch(new Request(`${baseUrl}/sandbox${path}`, init));
    const json = await response.json().catch(() => undefined);
    return response.ok ? { json } : { problem: json?.detail ?? `Status ${response.status}` };
  };
  return {
    inspect: (kind, id) => call(`/${kind}/${encodeURIComponent(id)}`),
    simulate: (kind, id, event, body = {}) => call(`/${kind}/${encodeURIComponent(id)}/${event}`, body),
    event: (id) => call(`/events/${encodeURIComponent(id)}`),
    advance: (by) => call('/clock/advance', { by }),
  };
}
