/** The recipes, each mounted in its framework with another JSON route, and reached over HTTP. */
import { createServer } from 'node:http';
import type { ReceiverOptions } from 'payments-client/webhooks';
import { afterwards } from '../gateway/harness.ts';
import { listenOnLoopback } from '../tools/loopback.ts';

/** Starts a server with the recipe's route and with POST /echo. Returns its address. */
export const RECIPES: Record<string, (options: ReceiverOptions) => Promise<string>> = {
  async fastify(options) {
    const { default: fastify } = await import('fastify');
    const { paymentsWebhook } = await import('../../client/recipes/fastify.ts');
    const app = fastify();
    await app.register(paymentsWebhook, options);
    app.post('/echo', async (request) => request.body);
    afterwards(() => app.close());
    return app.listen({ host: '127.0.0.1', port: 0 });
  },
  async express(options) {
    const { default: express } = await import('express');
    const { paymentsWebhook } = await import('../../client/recipes/express.ts');
    const app = express();
    app.set('env', 'test');
    app.use(paymentsWebhook(options));
    app.use(express.json());
    app.post('/echo', (request, response) => void response.json(request.body));
    return listen(createServer(app));
  },
  async hono(options) {
    const { Hono } = await import('hono');
    const { paymentsWebhook } = await import('../../client/recipes/hono.ts');
    const app = new Hono().route('/', paymentsWebhook(options)).post('/echo', async (c) => c.json(await c.req.json()));
    app.onError((_error, c) => c.body(null, 500));
    return listenFetch(async (request) => app.fetch(request));
  },
  async next(options) {
    const { paymentsWebhook } = await import('../../client/recipes/next.ts');
    const POST = paymentsWebhook(options);
    return listenFetch(async (request) => {
      if (new URL(request.url).pathname === '/echo') return Response.json(await request.json());
      return POST(request).catch(() => new Response('', { status: 500 }));
    });
  },
};

/** Serves a fetch-style handler, as the adapters of those frameworks do. */
function listenFetch(handler: (request: Request) => Promise<Response>): Promise<string> {
  return listen(
    createServer(async (incoming, outgoing) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, `${value}`]);
      const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers,
        body: Buffer.concat(chunks),
      });
      const response = await handler(request);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
    }),
  );
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  const { url, close } = await listenOnLoopback(server);
  afterwards(close);
  return url;
}
