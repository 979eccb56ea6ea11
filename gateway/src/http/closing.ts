/** While the server closes: what had arrived is answered, and its connection then ends instead of being kept alive. */
import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../contract/problems.ts';

/** Without this a kept connection holds up the end of the process until its own time-out. */
export function answerWhileClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onRequest', async () => {
    if (!closing) return;
    const detail = 'The service is being restarted; repeat the request after as many seconds as Retry-After says.';
    throw new ProblemError('unavailable', detail, { headers: { 'retry-after': '1' } });
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close');
  });
}
