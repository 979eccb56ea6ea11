import { describe, expect, it } from 'vitest';
import { operations, readBundle, webhooks } from '../../../contract/src/model.ts';
import { formerAnchors, resolveAnchor, slug } from '../../../scripts/reference/addresses.ts';
import { siteParts } from '../../../scripts/reference/site.ts';

const bundle = readBundle();
const { files, document } = await siteParts();

/** The page and its named heading exist. */
function exists(place: string): boolean {
  const [page = '', anchor] = place.split('#');
  const text = files[page];
  const anchors = [...(text?.matchAll(/^#+ (.*)$/gm) ?? [])].map(([, title = '']) => slug(title));
  return text !== undefined && (anchor === undefined || anchors.includes(anchor));
}

describe('addresses of the document', () => {
  it.each([
    ['#operation/createPayment', 'createPayment.md'],
    ['#section/Webhooks/Verify-the-signature', 'webhooks.md#verify-the-signature'],
    ['#section/Decline-reasons/Payout-decline-reasons/FRAUD_SUSPECTED', 'PayoutDeclineReason.md#fraud_suspected'],
    ['#section/Authorization', 'authentication-and-keys.md'],
    ['#target', undefined],
  ])('%s is %s', (anchor, place) => expect(resolveAnchor(anchor)).toBe(place));
});

describe('anchors of the former page', () => {
  const former = formerAnchors(document);

  it.each([...operations(bundle), ...webhooks(bundle)])('lead to the page of $id, in both forms', ({ id, tags }) => {
    expect(former[`operation/${id}`.toLowerCase()]).toBe(id);
    expect(former[`${slug(tags[0] ?? '')}/${id.toLowerCase()}`]).toBe(id);
  });

  it('lead to headings that exist', () => {
    const dead = Object.entries(former).filter(([, place]) => !exists(place.replace(/^([\w-]+)/, '$1.md')));
    expect(dead).toEqual([]);
  });

  it('include every heading of the introduction, every code, and chapters by their former names', () => {
    expect(former['section/webhooks/verify-the-signature']).toBe('webhooks#verify-the-signature');
    expect(former['section/decline-reasons/payment-decline-reasons/limit_exceeded']).toBe(
      'PaymentDeclineReason#limit_exceeded',
    );
    expect(former['section/assumptions/auth']).toBe('assumptions#auth');
    expect(former['section/authorization']).toBe('authentication-and-keys');
  });
});
