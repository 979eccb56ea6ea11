/** The merchant's changes, as they happen. */
import type { FastifyReply } from 'fastify';
import { ProblemError } from '../../contract/problems.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';

export async function streamChanges(
  { changes }: SandboxServices,
  { merchant, reply }: SandboxCall,
): Promise<FastifyReply> {
  const stream = changes.follow(merchant.id);
  if (!stream) throw new ProblemError('unavailable', 'Too many streams are open, or the gateway is closing.');
  // Proxies must neither keep it back nor join its messages.
  return reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }).send(stream);
}
