/** A link with which a person opens the console of a merchant. */
import type { ConsoleLink } from '../../../../generated/sandbox/types.ts';
import { consoleSession } from '../../http/console-session.ts';
import { requestKey } from '../../http/key-holders.ts';
import { ProblemError } from '../../http/problems.ts';
import { createConsoleLink as create } from '../../merchants/console-access.ts';
import { timestamp } from '../../transactions/view.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';

export async function createConsoleLink(
  { store, clock, publicUrl }: SandboxServices,
  { c }: SandboxCall,
): Promise<ConsoleLink> {
  const key = requestKey(c);
  const by = key === undefined ? { session: consoleSession(c) ?? '' } : { key };
  const link = await store.unit((db) => create(db, by, clock.now()));
  // The key was revoked, or the session ended, since the request was let in.
  if (!link) throw new ProblemError('unauthorized', 'Invalid API key. Check that it is not revoked.');
  return { url: `${publicUrl()}/console/login/${link.token}`, expires_at: timestamp(link.expiresAt) };
}
