/** The merchant's changes, as they happen. */
import { credentialOf } from '../../http/auth.ts';
import type { EventStream } from '../../http/event-stream.ts';
import { networkOf } from '../../platform/cidr.ts';
import { ProblemError } from '../../wire/problems.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';

export async function streamChanges(
  { changes, isAdmitted }: SandboxServices,
  { merchant, request }: SandboxCall,
): Promise<EventStream> {
  const stream = changes.follow({
    merchantId: merchant.id,
    network: networkOf(request.plain.address),
    credential: credentialOf(request) ?? '',
    isAdmitted: () => isAdmitted(request),
  });
  if (!stream) throw new ProblemError('unavailable', 'Too many streams are open, or the gateway is closing.');
  return stream;
}
