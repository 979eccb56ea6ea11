/** The merchant's changes, as they happen. */
import type { EventStream } from '../../http/event-stream.ts';
import { ProblemError } from '../../http/problems.ts';
import { toNetwork } from '../../platform/cidr.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';

export async function streamChanges(
  { changes, isAdmitted }: SandboxServices,
  { merchant, c }: SandboxCall,
): Promise<EventStream> {
  const stream = changes.follow({
    merchantId: merchant.id,
    network: toNetwork(c.env.address),
    isAdmitted: () => isAdmitted(c),
  });
  if (!stream) throw new ProblemError('unavailable', 'Too many streams are open, or the gateway is closing.');
  return stream;
}
