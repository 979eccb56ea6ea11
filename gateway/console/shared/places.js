/** The way back: a list that people return to shows the row that they have left it by, at the same height. */
import { useLayoutEffect } from 'preact/hooks';

/** Addresses of the lists as they were left, with their filters, by the first part of their path. @type {Map<string, string>} */
const lists = new Map();
/** Heights to which lists were scrolled, by address. @type {Map<string, number>} */
const heights = new Map();
let previous = '';
let restored = false;

// Browsers would scroll before the list is there.
history.scrollRestoration = 'manual';

/** Remembers the page being left. @param {string} hash without `#/` */
export function leavePlace(hash) {
  const [path = ''] = hash.split('?');
  const parts = path.split('/').filter((part) => part !== '');
  if (parts.length === 1) {
    lists.set(path, `#/${hash}`);
    heights.set(`#/${hash}`, scrollY);
  }
  previous = `#/${path}`;
}

/** The list above a page, as it was left. @param {string} name Such as `payments` */
export function listAddress(name) {
  return lists.get(name) ?? `#/${name}`;
}

/** Whether a row of the current page has taken the focus. */
export function takeRestored() {
  const was = restored;
  restored = false;
  return was;
}

/**
 * Focuses the row of the page just left, once the rows are loaded.
 * @param {import('preact').RefObject<HTMLElement>} table
 */
export function useReturn(table) {
  useLayoutEffect(() => {
    if (previous === '') return;
    const rows = /** @type {HTMLAnchorElement[]} */ ([...(table.current?.querySelectorAll('a.row') ?? [])]);
    const row = rows.find((one) => one.getAttribute('href') === previous);
    previous = '';
    if (!row) return;
    restored = true;
    scrollTo(0, heights.get(location.hash) ?? 0);
    row.focus({ preventScroll: true });
    const { top, bottom } = row.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) row.scrollIntoView({ block: 'center' });
  }, []);
}
