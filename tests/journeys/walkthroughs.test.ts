/** The reference's walkthroughs, sent unchanged, each to a merchant with a new demo merchant's wallet. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, type JsonObject, readBundle } from '../../contract/src/model.ts';
import { DEMO_FUNDS } from '../../gateway/src/ledger/wallets.ts';
import { type MerchantAccess, type RunningGateway, startGateway } from '../../gateway/src/server.ts';
import { until } from '../tools/wait.ts';

const TIMEOUT_MS = 60_000;
const MESSAGE =
  /```http\n(?<request>[A-Z]+ \S+)(?:\n\n(?<body>[^`]*))?\n```|responds with (?<status>\d+):\n\n```json\n(?<response>[^`]*)```|sends a webhook:\n\n```json\n(?<webhook>[^`]*)```|(?<repeated>also sends a webhook)|(?<page>customer pays on the page)/g;
/** Members whose values differ between gateways. A walkthrough's id stands for its transaction's id. */
const OWN = /^(transaction_id|merchant_id|redirect_url|receiver_account|\w+_at)$/;

const chapters = readBundle()
  .info.description.split(/^#+ /m)
  .filter((chapter) => chapter.includes('```http'))
  .map((chapter) => ({ title: chapter.split('\n', 1)[0] ?? '', messages: [...chapter.matchAll(MESSAGE)] }));

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

describe('the walkthrough', () => {
  it.each(chapters)('$title works as described', async ({ messages }) => {
    const available = { INR: DEMO_FUNDS, EGP: DEMO_FUNDS, MAD: DEMO_FUNDS, DZD: DEMO_FUNDS };
    const replay = new Replay(await gateway.addMerchant({ available }));
    for (const { groups = {} } of messages) await replay.play(groups);
    expect(replay.requests).toBeGreaterThan(1);
  });

  it('exists for each flow and for payouts', () => {
    expect(chapters).toHaveLength(3);
  });
});

/** A reader who sends the printed requests and compares the responses. */
class Replay {
  requests = 0;
  readonly #merchant: MerchantAccess;
  #shownId = '';
  #id = '';
  #page = '';
  #received: { status: number; body: JsonObject } = { status: 0, body: {} };
  #shown: JsonObject = {};

  constructor(merchant: MerchantAccess) {
    this.#merchant = merchant;
  }

  async play(message: Partial<Record<string, string>>): Promise<void> {
    if (message['request']) await this.#send(message['request'], message['body']);
    else if (message['response']) await this.#compare(Number(message['status']), JSON.parse(message['response']));
    else if (message['page']) await this.#pay();
    else await this.#awaitWebhook(message['webhook'] ? JSON.parse(message['webhook']) : this.#shown);
  }

  async #send(line: string, body?: string): Promise<void> {
    const [method = '', target = ''] = line.replace(this.#shownId || '(none)', this.#id).split(' ');
    // A collected payment is in the available balance only after its settlement.
    if (target === '/merchant/balance' && this.#id.startsWith('pay_')) await this.#merchant.clock.advance('1m');
    const headers = { authorization: `Bearer ${this.#merchant.key}`, 'content-type': 'application/json' };
    const response = await fetch(gateway.url + target, { method, headers, ...(body && { body }) });
    this.#received = { status: response.status, body: (await response.json()) as JsonObject };
    this.requests += 1;
  }

  async #compare(status: number, shown: JsonObject): Promise<void> {
    const { body } = this.#received;
    expect({ status: this.#received.status, body: comparable(body) }).toEqual({ status, body: comparable(shown) });
    this.#shown = shown;
    if (!shown['transaction_id']) return;
    if (this.#id) expect([body['transaction_id'], shown['transaction_id']]).toEqual([this.#id, this.#shownId]);
    [this.#id, this.#shownId] = [String(body['transaction_id']), String(shown['transaction_id'])];
    this.#page = String(body['redirect_url'] ?? this.#page);
  }

  async #pay(): Promise<void> {
    const form = new URLSearchParams({ action: 'pay' });
    const response = await fetch(this.#page, { method: 'POST', body: form, redirect: 'manual' });
    expect(response.status, await response.text()).toBeLessThan(400);
  }

  async #awaitWebhook(shown: JsonObject): Promise<void> {
    const query = { transaction_id: this.#id };
    let sent: string | undefined;
    await until(async () => {
      const { data } = await this.#merchant.events.list(query);
      sent = data.find(({ status }) => status === shown['status'])?.id;
      return sent !== undefined;
    }, TIMEOUT_MS);
    if (sent === undefined) throw new Error(`no webhook reports ${shown['status']}`);
    const { body } = await this.#merchant.events.read(sent);
    expect(comparable(JSON.parse(body))).toEqual(comparable(shown));
    this.#shown = shown;
  }
}

function comparable(value: Json): Json {
  return JSON.parse(JSON.stringify(value), (name, member) => (OWN.test(name) ? typeof member : member));
}
