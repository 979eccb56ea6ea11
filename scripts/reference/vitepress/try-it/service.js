/**
 * The service that requests are sent to: another host, the gateway that shows the page, or a sandbox in the page. All that
 * the panel needs of it is `fetch(request)`, and `onChange(listener)`, which returns a function that ends the calls.
 */

/** A service that is reached over HTTP. A gateway's sandbox tells what has changed as a stream of events. */
export function remoteService(baseUrl, apiKey) {
  return {
    fetch: (request) => fetch(request),
    onChange(listener) {
      const end = new AbortController();
      follow(`${baseUrl}/sandbox/stream`, apiKey, listener, end.signal).catch(() => undefined);
      return () => end.abort();
    },
  };
}

/** Calls the listener for each message of the stream. The first says that the stream is up. */
async function follow(url, apiKey, listener, signal) {
  const response = await fetch(url, { signal, headers: { authorization: `Bearer ${apiKey}` } });
  if (!response.ok || !response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    if (/^data:/m.test(value)) listener();
  }
}

/** The sandbox's operations about a transaction. They have the key of the API, and none of them is part of the contract. */
export function sandboxOf(service, baseUrl, apiKey) {
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
