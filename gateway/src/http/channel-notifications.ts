/** Route for channels to report that they have news to ask for. It isn't in the contract: merchants never use it. */
import type { Hono } from 'hono';
import type { Services } from '../operations/operation.ts';
import { takeNotification } from '../operations/take-notification.ts';
import { inSpan } from '../platform/tracing.ts';
import { ProblemError } from '../wire/problems.ts';
import { readBytes } from './body.ts';
import type { HttpEnv } from './context.ts';
import type { RateLimits } from './rate-limits.ts';
import { respond } from './responses.ts';

/** Adds the route. A body of any type reaches the channel as it arrived. */
export function addChannelNotifications(
  app: Hono<HttpEnv>,
  services: Services,
  rates: RateLimits,
  bodyBytesMax: number,
) {
  app.post('/channels/:channel/notifications', async (c) => {
    const notification = { headers: c.req.header(), body: await readBytes(c, bodyBytesMax) };
    try {
      await takeNotification(inSpan(services, c.get('request').span), c.req.param('channel'), notification);
    } catch (error) {
      if (error instanceof ProblemError && error.problem !== 'unavailable') rates.countUnknownKey(c.env.address);
      throw error;
    }
    return respond(c, 204, null);
  });
}
