/** While the server closes: what had arrived is answered, and its connection then ends instead of being kept alive. */
import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../contract/problems.ts';

/** Without this a kept connection holds up the end of the process until its own time-out. */
export function answerWhileClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onRequest', (_request, _reply, done) => {
    if (!closing) return done();
    const detail = 'The service is being restarted; repeat the request after as many seconds as Retry-After says.';
    done(new ProblemError('unavailable', detail));
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close');
    done();
  });
}
