/** Route for channels to report that they have news to ask for. It isn't in the contract: merchants never use it. */
import type { Hono } from 'hono';
import { readBytes } from '../http/body.ts';
import type { HttpEnv } from '../http/context.ts';
import { ProblemError } from '../http/problems.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { respond } from '../http/responses.ts';
import type { Services } from './services.ts';
import { takeNotification } from './take-notification.ts';

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
      await takeNotification(services, c.req.param('channel'), notification);
    } catch (error) {
      if (error instanceof ProblemError && error.problem !== 'unavailable') rates.countUnknownKey(c.env.address);
      throw error;
    }
    return respond(c, 204, null);
  });
}
