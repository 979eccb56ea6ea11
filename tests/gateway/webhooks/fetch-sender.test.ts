/** The sender of webhooks for places without sockets. */
import { expect, it } from 'vitest';
import { type DeliverRequest, fetchSender } from '../../../gateway/src/webhooks/fetch-sender.ts';

const ADDRESS = 'https://shop.example/webhooks';

/** A sender, and the requests that it makes. */
function open(deliver: DeliverRequest, answerWithinMs = 60_000) {
  const requests: Request[] = [];
  const sender = fetchSender((request) => {
    requests.push(request);
    return deliver(request);
  })({ answerWithinMs });
  return { sender, requests };
}

/** Never responds, but ends when the request is aborted. */
const hang: DeliverRequest = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

it('aborts a request that takes too long', async () => {
  const { sender, requests } = open(hang, 1);
  expect(await sender.send(ADDRESS, {}, '{}')).toEqual({ failure: 'no response within 0.001 s' });
  expect(requests[0]?.signal.aborted).toBe(true);
});

it('ends requests in flight when it is closed, and sends none afterwards', async () => {
  const { sender, requests } = open(hang);
  const inFlight = sender.send(ADDRESS, {}, '{}');
  sender.close();
  expect(await inFlight).toEqual({ failure: 'no response: ECONNRESET' });
  expect(await sender.send(ADDRESS, {}, '{}')).toEqual({ failure: 'not sent: the sender is closed' });
  expect(requests).toHaveLength(1);
});

it('sends the credentials of an address as a header, and never rejects for an invalid one', async () => {
  const { sender, requests } = open(() => new Response(null, { status: 204 }));
  expect(await sender.send('https://shop:word@shop.example/webhooks', {}, '{}')).toEqual({ status: 204 });
  expect(requests[0]?.url).toBe(ADDRESS);
  expect(requests[0]?.headers.get('authorization')).toBe(`Basic ${btoa('shop:word')}`);
  const detail = expect.stringContaining('Invalid URL');
  expect(await sender.send('nowhere', {}, '{}')).toEqual({ failure: 'no response: TypeError', detail });
});
