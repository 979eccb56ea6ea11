/**
 * The ranking of the search. It is set when a page starts, since functions in the configuration would have to be compiled
 * there, which the content policy refuses.
 */

/** Words of readers, with the words of the pages that they look for. All are lowercase, as in the index. */
const SYNONYMS = {
  allowlist: ['addresses'],
  amount: ['money'],
  callback: ['webhooks'],
  chargeback: ['refunds'],
  checklist: ['live'],
  currency: ['money'],
  duplicate: ['retries'],
  exists: ['retries', 'findpayment'],
  409: ['errors'],
  422: ['400', 'errors'],
  expires: ['validity', 'limits'],
  expiry: ['validity', 'limits'],
  golang: ['samples'],
  idempotency: ['safe', 'retries'],
  ifsc: ['bank', 'account', 'pay'],
  lifecycle: ['states'],
  lost: ['safe', 'retries'],
  notification: ['webhooks'],
  order: ['findpayment'],
  paise: ['money'],
  polling: ['poll', 'follow'],
  production: ['live'],
  qr: ['upi'],
  redeliver: ['resend'],
  redelivery: ['resend'],
  reconcile: ['reconciliation'],
  refused: ['rejected'],
  reversal: ['refunds'],
  retry: ['retries'],
  rupees: ['money'],
  sandbox: ['testing'],
  timeout: ['expired'],
  time: ['clock'],
  travel: ['clock', 'advance'],
  utr: ['confirm'],
  valid: ['validity', 'limits'],
  validity: ['limits'],
  verifying: ['confirm', 'confirmpayment'],
  whitelist: ['addresses'],
};

/** Words that say nothing about a page. */
const STOP_WORDS = new Set(
  'a an and are can do does for how i in is it my of on or the to what when which with'.split(' '),
);

/** The names of pages, with how much a hit on one counts. Chapters of the guide count most. */
const RANKS = [
  [/^(assumptions|SKILL)$/, 0.1],
  [/^(management|sandbox)/, 0.4],
  // Payments are more common.
  [/^PayoutDeclineReason$/, 0.45],
  [/DeclineReason$|^(payment|payout)[A-Z]/, 0.5],
  [/^(changelog|versions)$/, 0.6],
  [/^[a-z]+[A-Z]/, 0.7],
];

const isForOperators = (address) => /\/management(?:[-.#]|$)/.test(address);

export const searchOptions = {
  /** The operators' API has its own search: on its pages, the search finds only them. */
  filter: ({ id }) => isForOperators(id) === isForOperators(location.pathname),
  // Another number is another thing: 200 isn't 400.
  fuzzy: (term) => (/\d/.test(term) ? false : 0.2),
  prefix: true,
  boost: { title: 4, text: 2, titles: 1 },
  /** `id` is an address, such as `/docs/states.html#payment`. */
  boostDocument(id) {
    const [page, anchor = ''] = id.replace(/^.*\//, '').replace('.html', '').split('#');
    const [, rank] = RANKS.find(([names]) => names.test(page)) ?? [page, 1];
    // The beginning of a page counts more than its sections.
    return anchor === page || anchor.endsWith(`-${page.toLowerCase()}`) ? rank * 1.5 : rank;
  },
  processTerm(word) {
    const term = word.toLowerCase();
    if (STOP_WORDS.has(term)) return null;
    return [term, term.endsWith('s') ? term.slice(0, -1) : `${term}s`, ...(SYNONYMS[term] ?? [])];
  },
};
