/** Load on loopback from this process, which needs a core as the server does. */
import autocannon from 'autocannon';

interface LoadOptions {
  url: string;
  /** Connections, each with one request at a time. */
  connections: number;
  seconds: number;
  /** API keys. Requests with a body rotate through them, and others use the first. */
  keys: readonly string[];
  /** Creates the next body of a POST. Without it, requests are GETs. */
  body?: () => unknown;
  /** Creates the next path of a GET, instead of the URL's. */
  path?: () => string;
}

/**
 * Distinct paths per connection, after which they repeat. Their requests are created before the load begins, since
 * creating one costs as much as sending it.
 */
const PATHS_PER_CONNECTION = 256;
/** The load ends at the end of a sample. */
const SAMPLE_MS = 50;

/** A measurement without a response is repeated, with doubled length up to this limit. */
const SECONDS_MAX = 60;

/** Runs the load. Returns the responses per second. Throws on a missing or failed response. */
export async function load(options: LoadOptions): Promise<number> {
  const { url, keys, body, path } = options;
  // Not measured, since a server's first response includes its setup.
  const headers = { authorization: `Bearer ${keys[0]}` };
  await (await fetch(url + (path?.() ?? ''), request({ headers, body }))).arrayBuffer();
  for (let { seconds } = options; seconds <= SECONDS_MAX; seconds *= 2) {
    const rate = await measure({ ...options, seconds });
    if (rate > 0) return rate;
  }
  throw new Error(`${url} has sent no response in ${SECONDS_MAX} seconds`);
}

async function measure({ url, connections, seconds, keys, body, path }: LoadOptions): Promise<number> {
  const bearer = (index: number) => ({ authorization: `Bearer ${keys[index % keys.length]}` });
  let posts = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    sampleInt: SAMPLE_MS,
    headers: { ...bearer(0), 'content-type': 'application/json' },
    ...(body && {
      requests: [
        {
          method: 'POST',
          setupRequest: (request) => ({
            ...request,
            ...(keys.length > 1 && { headers: { ...request.headers, ...bearer(posts++) } }),
            body: JSON.stringify(body()),
          }),
        },
      ],
    }),
    ...(path && {
      setupClient(client) {
        client.setRequests(Array.from({ length: PATHS_PER_CONNECTION }, () => ({ method: 'GET', path: path() })));
      },
    }),
  });
  const { non2xx, errors, timeouts } = result;
  if (non2xx + errors > 0)
    throw new Error(
      `${url} responded to ${non2xx} requests with an error, and not at all to ${errors}, of which ${timeouts} timed out`,
    );
  return result.requests.total / result.duration;
}

function request({ headers, body }: { headers: Record<string, string>; body: LoadOptions['body'] }): RequestInit {
  if (!body) return { headers };
  return { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body()) };
}

/** The same load over several servers. */
export async function spreadLoad(
  urls: readonly string[],
  { connections, ...options }: Omit<LoadOptions, 'url'>,
): Promise<number> {
  const share = Math.ceil(connections / urls.length);
  const rates = await Promise.all(urls.map((url) => load({ ...options, url, connections: share })));
  return rates.reduce((sum, rate) => sum + rate, 0);
}
