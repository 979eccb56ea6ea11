/** Addresses of pages, which are fragments such as `#/payments/pay_1?status=FAILED`, and the way back to a list. */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { query } from './api.js';

/** @typedef {{ path: string[], query: Record<string, string>, hash: string }} Route */

/** Pages by the prefix of the ids that they show. @type {Record<string, string>} */
const PAGES_BY_PREFIX = { pay: 'payments', out: 'payouts', evt: 'events', req: 'requests', prp: 'proposals' };

/** Addresses of the lists as they were left, with their filters, by their path. @type {Map<string, string>} */
const lists = new Map();
/** Scroll positions of lists by address. @type {Map<string, number>} */
const positions = new Map();
let previous = '';
let restored = false;

// Browsers would scroll before the list is there.
history.scrollRestoration = 'manual';

/** @returns {Route} */
export function currentRoute() {
  const hash = location.hash.replace(/^#\/?/, '');
  const [path = '', search = ''] = hash.split('?', 2);
  const parts = path.split('/').filter((part) => part !== '');
  return { path: parts.map(decode), query: Object.fromEntries(new URLSearchParams(search)), hash };
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a page. @param {string[]} path @param {Record<string, string | undefined>} [values] */
export function href(path, values = {}) {
  return `#/${path.map(encodeURIComponent).join('/')}${query(values)}`;
}

/** The address of the page that shows an id; undefined if there is none. @param {string} id */
export function idHref(id) {
  const [, prefix = ''] = /^([a-z]{3})_[0-9A-Z]{26}$/.exec(id) ?? [];
  const page = PAGES_BY_PREFIX[prefix];
  return page && href([page, id]);
}

/** @param {string} address */
export function go(address) {
  location.hash = address;
}

export function useRoute() {
  const [route, setRoute] = useState(currentRoute);
  useEffect(() => {
    let left = route.hash;
    const update = () => {
      const next = currentRoute();
      // The fragment may have changed before its event.
      if (next.hash === left) return;
      leave(left);
      left = next.hash;
      setRoute(next);
    };
    addEventListener('hashchange', update);
    // It may have changed since it was read.
    update();
    return () => removeEventListener('hashchange', update);
  }, []);
  return route;
}

/** Remembers the page being left. @param {string} hash without `#/` */
function leave(hash) {
  const [path = ''] = hash.split('?');
  if (path.split('/').filter((part) => part !== '').length === 1) {
    lists.set(path, `#/${hash}`);
    positions.set(`#/${hash}`, scrollY);
  }
  previous = `#/${path}`;
}

/** The list above a page, with the filters it was left with. @param {string} name Such as `payments` */
export function listHref(name) {
  return lists.get(name) ?? `#/${name}`;
}

/** Whether a row of the current page was focused again, once. */
export function takeRestored() {
  const was = restored;
  restored = false;
  return was;
}

/** Focuses the row of the page just left, once the rows are loaded. @param {import('preact').RefObject<HTMLElement>} table */
export function useRestoredRow(table) {
  useLayoutEffect(() => {
    if (previous === '') return;
    const rows = /** @type {HTMLAnchorElement[]} */ ([...(table.current?.querySelectorAll('a.row') ?? [])]);
    const row = rows.find((one) => one.getAttribute('href') === previous);
    previous = '';
    if (!row) return;
    restored = true;
    scrollTo(0, positions.get(location.hash) ?? 0);
    row.focus({ preventScroll: true });
    const { top, bottom } = row.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) row.scrollIntoView({ block: 'center' });
  }, []);
}
