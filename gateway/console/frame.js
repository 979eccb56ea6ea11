/** The frame around every page: header, navigation, search and keyboard shortcuts. */
import { useEffect, useState } from 'preact/hooks';
import { canSimulate, facts, logOut, session } from './api.js';
import { ClockChip } from './clock.js';
import { Dialog, Empty, Head, html, Toast } from './components.js';
import { reloadAll, useLive } from './resource.js';
import { go, href, idHref, takeRestored, useRoute } from './router.js';

/**
 * @typedef {{ path: string, title: string, key?: string, list: any, one?: any, props?: object }} Page
 *   `key` opens the page after `g`, and pages without one aren't in the navigation. `list` and `one` are the components for its
 *   address and for those below it.
 */

const SHORTCUTS_OFF = 'console-shortcuts-off';
/** The second key of a pair has to follow within this, in milliseconds. */
const PAIR_MS = 1_500;

let isOpened = false;

/** @param {{ pages: Page[] }} props */
export function Frame({ pages }) {
  const { path, query } = useRoute();
  const [first = '', id, part] = path;
  const [menu, setMenu] = useState(false);
  const [help, setHelp] = useState(false);
  const navigation = pages.filter(({ key }) => key);
  const address = path.join('/');
  useEffect(() => {
    setMenu(false);
    // The list has focused the row that was left.
    if (takeRestored()) return;
    scrollTo(0, 0);
    // Screen readers read the heading of the new page; the very first page is read from its beginning anyway.
    if (isOpened) document.querySelector('h1')?.focus({ preventScroll: true });
    isOpened = true;
  }, [address]);
  const page = pages.find((one) => one.path === first);
  const View = id && page?.one ? page.one : (page?.list ?? NotFound);
  // Tabs of one component keep its state.
  const key = page?.one === View && page?.list === View ? first : address;
  return html`<a class="skip" href="#main" onClick=${skip}>Skip to content</a>
    <header class="top">
      <button type="button" class="menu" aria-expanded=${String(menu)} aria-controls="side" onClick=${() => setMenu(!menu)}>Menu</button>
      <a class="brand" href="#/">Console</a>
      ${facts.sandbox && html`<span class="chip info" title="Channels are simulated, and no money moves">Sandbox</span>`}
      <${Name} />
      <span class="space"></span>
      <div class="roomy"><${SearchField} key=${query['search']} text=${first === 'search' ? (query['search'] ?? '') : ''} /></div>
      ${canSimulate ? html`<${ClockChip} /><${Live} />` : html`<button type="button" class="plain" onClick=${reloadAll}>Refresh</button>`}
      <button type="button" class="plain roomy" onClick=${() => setHelp(true)} aria-label="Keyboard shortcuts">?</button>
      <button type="button" class="plain roomy" onClick=${logOut}>Log out</button>
    </header>
    <div class="frame">
      <nav class=${`side ${menu ? 'open' : ''}`} id="side" aria-label="Console">
        <ul>${navigation.map((one) => html`<li><a href=${`#/${one.path}`} aria-current=${one.path === first ? 'page' : undefined}>${one.title}</a></li>`)}
          <li class="narrowonly"><a href="#/search" aria-current=${first === 'search' ? 'page' : undefined}>Search</a></li>
          <li class="narrowonly"><button type="button" class="plain" onClick=${logOut}>Log out</button></li></ul>
      </nav>
      <main class="page" id="main" tabindex="-1"><${View} key=${key} ...${page?.props ?? {}} id=${id} part=${part} filters=${query} /></main>
    </div>
    <${Toast} />
    <${Shortcuts} navigation=${navigation} open=${help} onOpen=${setHelp} />`;
}

function NotFound() {
  return html`<${Head} title="Not found" /><${Empty} title="There is nothing at this address">Go to the <a href="#/">overview</a>.</${Empty}>`;
}

function Name() {
  const { merchant, operator } = session;
  return html`<span class="merchant">${merchant?.name ?? `${operator?.name} (${operator?.role})`}</span>`;
}

function Live() {
  const live = useLive();
  return html`<span class="chip roomy" title=${live ? 'Changes appear as they happen' : 'Changes appear once the gateway is reached'}><span class=${`dot ${live ? 'good' : ''}`}></span>${live ? 'Updating' : 'Connecting'}</span>`;
}

/** The fragment names the page, so it can't be used to jump. @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** Starts a search from every page. A whole id opens its page. @param {{ text: string }} props */
export function SearchField({ text }) {
  /** @param {any} event */
  const search = (event) => {
    event.preventDefault();
    const wanted = event.currentTarget.elements.search.value.trim();
    if (wanted !== '') go(idHref(wanted) ?? href(['search'], { search: wanted }));
  };
  return html`<form class="search" role="search" aria-label="Search" onSubmit=${search}>
    <input type="search" name="search" aria-label="ID, order or customer" placeholder="ID, order or customer" autocomplete="off" spellcheck=${false} value=${text} />
  </form>`;
}

/** @type {[keys: string, effect: string][]} */
const KEYS = [
  ['j, k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['/', 'Go to the filters, or to the search'],
  ['?', 'Show these keys'],
];

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement && target.closest('input, select, textarea, [contenteditable]') !== null;
}

/** Moves the focus to another row of the list. @param {number} step */
function moveRow(step) {
  const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('main a.row')]);
  const at = rows.findIndex((row) => row.closest('tr')?.contains(document.activeElement));
  rows[at === -1 ? (step > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + step, 0), rows.length - 1)]?.focus();
}

function focusFilters() {
  const fields = ['main .filters input', 'main .filters select', 'form.search input'];
  const [field] = fields.flatMap((selector) => document.querySelector(selector) ?? []);
  /** @type {HTMLElement | undefined} */ (field)?.focus();
}

/** @type {Record<string, () => void>} */
const ACTIONS = { j: () => moveRow(1), k: () => moveRow(-1), '/': focusFilters };

/** @param {{ navigation: Page[], open: boolean, onOpen: (open: boolean) => void }} props */
function Shortcuts({ navigation, open, onOpen }) {
  const [off, setOff] = useState(localStorage.getItem(SHORTCUTS_OFF) === 'yes');
  useEffect(() => {
    if (off) return;
    let leaderAt = 0;
    /** @param {KeyboardEvent} event */
    const press = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]')) return;
      const page = Date.now() - leaderAt < PAIR_MS ? navigation.find(({ key }) => key === event.key) : undefined;
      leaderAt = event.key === 'g' && !page ? Date.now() : 0;
      const action = page ? () => go(`#/${page.path}`) : event.key === '?' ? () => onOpen(true) : ACTIONS[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [off]);
  if (!open) return null;
  /** @param {any} event */
  const toggle = (event) => {
    setOff(!event.target.checked);
    localStorage.setItem(SHORTCUTS_OFF, event.target.checked ? 'no' : 'yes');
  };
  const keys = [...navigation.map(({ key, title }) => [`g ${key}`, title]), ...KEYS];
  return html`<${Dialog} title="Keyboard shortcuts" onClose=${() => onOpen(false)}>
    <dl class="keys">${keys.map(([pressed = '', effect]) => html`<dt>${pressed.split(/(?:, )| /).map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${effect}</dd>`)}</dl>
    <label class="check"><input type="checkbox" checked=${!off} onChange=${toggle} /> Use shortcuts</label>
  </${Dialog}>`;
}
