/** The merchant's changes, as they happen. */
import type { Readable } from 'node:stream';
import { credentialOf } from '../../http/auth.ts';
import { networkOf } from '../../platform/cidr.ts';
import { ProblemError } from '../../wire/problems.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';

export async function streamChanges(
  { changes, isAdmitted }: SandboxServices,
  { merchant, request, reply }: SandboxCall,
): Promise<Readable> {
  const stream = changes.follow({
    merchantId: merchant.id,
    network: networkOf(request.ip),
    credential: credentialOf(request) ?? '',
    isAdmitted: () => isAdmitted(request),
  });
  if (!stream) throw new ProblemError('unavailable', 'Too many streams are open, or the gateway is closing.');
  // Proxies must neither keep it back nor join its messages.
  reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  return stream;
}
