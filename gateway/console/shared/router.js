/** The address of a page is the fragment of the URL: `#/payments/pay_1?status=FAILED`. */
import { useEffect, useState } from 'preact/hooks';
import { query } from './api.js';
import { leavePlace } from './places.js';

/** @typedef {{ path: string[], query: Record<string, string>, hash: string }} Route */

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

/** The address of a transaction, whose kind is the beginning of its id. @param {string} id */
export function transactionHref(id) {
  return href([id.startsWith('out') ? 'payouts' : 'payments', id]);
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
      // The page is there already: it changed before the event for it came.
      if (next.hash === left) return;
      leavePlace(left);
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
