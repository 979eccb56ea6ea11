/** Faults that a reader injects into a walkthrough, as rules of the sandbox. Each affects one request or one webhook. */

export interface Fault {
  label: string;
  /** The path of the sandbox's operation that adds the rule. */
  path: '/chaos' | '/webhook-faults';
  rule: Record<string, string | number>;
}

const request = (fault: string, label: string): Fault => ({ label, path: '/chaos', rule: { fault, requests: 1 } });
const webhook = (fault: string, label: string): Fault => ({
  label,
  path: '/webhook-faults',
  rule: { fault, events: 1 },
});

/** By their names in the sandbox, which have no dots or hyphens. */
export const FAULTS: Readonly<Record<string, Fault>> = Object.fromEntries(
  [
    request('dropped_after', 'The response to the next request gets lost'),
    request('dropped_before', 'The next request gets lost'),
    request('rate_limited', 'The next request gets 429'),
    request('unavailable', 'The next request gets 503'),
    webhook('drop', 'The first attempt of the next webhook gets lost'),
    webhook('duplicate', 'The next webhook comes twice'),
    webhook('wrong_signature', 'The next webhook first comes with a wrong signature'),
    webhook('stale_timestamp', 'The next webhook first comes with an old timestamp'),
  ].map((fault) => [String(fault.rule['fault']), fault]),
);
