/** The reference at /docs and the contract at /openapi.json, where the page has been built. */
import type { FastifyInstance } from 'fastify';
import type { Answerer } from './site.ts';

const ADDRESSES = ['/', '/docs', '/openapi.json'];

/** Adds the routes of a page that `loadSite` has read. */
export function addReference(app: FastifyInstance, answer: Answerer): void {
  for (const url of ADDRESSES) {
    app.get(url, async (request, reply) => {
      const { status, headers, body } = answer(request.method, request.url, request.headers['if-none-match']);
      return reply.code(status).headers(headers).send(body);
    });
  }
}
