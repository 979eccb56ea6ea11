/** Route for channels to report that they have news to ask for. It isn't in the contract: merchants never use it. */
import type { Services } from '../operations/operation.ts';
import { takeNotification } from '../operations/take-notification.ts';
import { inSpan } from '../platform/tracing.ts';
import { ProblemError } from '../wire/problems.ts';
import { NO_CONTENT } from './plain.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Route } from './router.ts';

/** The route. A body of any type reaches the channel as it arrived. */
export function channelNotifications(services: Services, rates: RateLimits, bodyBytesMax: number): Route {
  return {
    method: 'POST',
    path: '/channels/{channel}/notifications',
    async respond(request) {
      const { plain, headers } = request;
      const body = await plain.readBody(bodyBytesMax);
      try {
        await takeNotification(inSpan(services, request.span), request.parameter('channel'), { headers, body });
      } catch (error) {
        if (error instanceof ProblemError) rates.countUnknownKey(plain.address);
        throw error;
      }
      return NO_CONTENT;
    },
  };
}
