/** Route for channels to report that they have news to ask for. It isn't in the contract: merchants never use it. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../operations/operation.ts';
import { takeNotification } from '../operations/take-notification.ts';
import { ProblemError } from '../wire/problems.ts';
import type { RateLimits } from './rate-limits.ts';

interface Route {
  Params: { channel: string };
  Body: Buffer | undefined;
}

/** Adds the route under the prefix that it is registered with. A body of any type reaches the channel as it arrived. */
export async function channelNotifications(
  app: FastifyInstance,
  { services, rates }: { services: Services; rates: RateLimits },
): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
  app.post<Route>('/:channel/notifications', async ({ params, headers, body, ip }, reply) => {
    try {
      await takeNotification(services, params.channel, { headers, body: body ?? Buffer.alloc(0) });
    } catch (error) {
      if (error instanceof ProblemError) rates.countUnknownKey(ip);
      throw error;
    }
    return reply.code(204).send();
  });
}
