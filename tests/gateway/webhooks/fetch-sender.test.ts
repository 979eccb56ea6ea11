/** The sender of webhooks for places without sockets. */
import { expect, it } from 'vitest';
import { type DeliverRequest, fetchSender } from '../../../gateway/src/webhooks/fetch-sender.ts';

const ADDRESS = 'https://shop.example/webhooks';

function open(deliver: DeliverRequest, answerWithinMs = 60_000) {
  return fetchSender(deliver)({ answerWithinMs });
}

/** Never responds, but ends when the request is aborted. */
const hang: DeliverRequest = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

it('aborts a request that takes too long', async () => {
  let request: Request | undefined;
  const sender = open((given) => {
    request = given;
    return hang(given);
  }, 1);
  expect(await sender.send(ADDRESS, {}, '{}')).toEqual({ failure: 'no response within 0.001 s' });
  expect(request?.signal.aborted).toBe(true);
});

it('ends requests in flight when it is closed, and sends none afterwards', async () => {
  let sent = 0;
  const sender = open((request) => {
    sent++;
    return hang(request);
  });
  const inFlight = sender.send(ADDRESS, {}, '{}');
  sender.close();
  expect(await inFlight).toEqual({ failure: 'no response: ECONNRESET' });
  expect(await sender.send(ADDRESS, {}, '{}')).toEqual({ failure: 'not sent: the sender is closed' });
  expect(sent).toBe(1);
});

it('never rejects, whatever the address is', async () => {
  expect(await open(() => new Response()).send('nowhere', {}, '{}')).toEqual({
    failure: 'no response: TypeError',
    detail: expect.stringContaining('Invalid URL'),
  });
});

it('sends the credentials of an address as a header', async () => {
  const received: Request[] = [];
  const sender = open((request) => {
    received.push(request);
    return new Response(null, { status: 204 });
  });
  expect(await sender.send('https://shop:word@shop.example/webhooks', {}, '{}')).toEqual({ status: 204 });
  expect(received[0]?.url).toBe('https://shop.example/webhooks');
  expect(received[0]?.headers.get('authorization')).toBe(`Basic ${btoa('shop:word')}`);
});
