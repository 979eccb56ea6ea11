/**
 * Lets pages of other origins call the API, for development: in production an API key never belongs in a browser. Without
 * origins nothing is added, so that requests pay nothing for it.
 */
import type { FastifyInstance } from 'fastify';
import { REQUEST_ID } from './observe.ts';

const MAX_AGE_S = 600;

/** Responds to preflights, and adds the headers with which these origins can read responses. `*` allows any origin. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const { default: cors } = await import('@fastify/cors');
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'POST'],
    allowedHeaders: ['authorization', 'content-type'],
    exposedHeaders: ['retry-after', REQUEST_ID],
    maxAge: MAX_AGE_S,
    // Any OPTIONS counts as a preflight, since the plugin's own refusal is not a problem of the contract.
    strictPreflight: false,
  });
}
