/** The frame of a console: its header and navigation around the page that the address names. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Announcer } from './announce.js';
import { logOut, returnToPlace } from './api.js';
import { Empty, Head } from './parts.js';
import { takeRestored } from './places.js';
import { useRoute } from './router.js';
import { SearchField } from './search.js';
import { Shortcuts } from './shortcuts.js';
import { html } from './view.js';

/**
 * @typedef {(id: string | undefined, filters: Record<string, string>, part: string | undefined) => any} PageFunction
 *   Draws a page by the second part of its address, its query, and the third part
 * @typedef {{ name: string, navigation: [path: string, title: string, key: string][],
 *   pages: Record<string, PageFunction>, found: Record<string, string>, Lead: () => any, Trail: () => any }} Console
 *   A console: the key after `g` opens a page of the navigation, `found` are pages by the beginning of their ids, and `Lead`
 *   and `Trail` are parts of the header
 */

/** @type {PageFunction} */
const notFound = () =>
  html`<${Head} title="Not found" /><${Empty} title="There is nothing at this address">Go to the <a href="#/">overview</a>.</${Empty}>`;

/** Draws a console. @param {Console} console */
export function openConsole(console) {
  returnToPlace();
  const root = document.getElementById('app');
  if (!root) return;
  root.textContent = '';
  render(html`<${Frame} console=${console} />`, root);
}

let opened = false;

/** @param {{ console: Console }} props */
function Frame({ console }) {
  const { navigation, pages } = console;
  const { path, query } = useRoute();
  const [first = '', id, part] = path;
  const [menu, setMenu] = useState(false);
  const [help, setHelp] = useState(false);
  const place = path.join('/');
  useEffect(() => {
    setMenu(false);
    // Restores the selected row of the list.
    if (takeRestored()) return;
    scrollTo(0, 0);
    // Screen readers read the heading of the new page; the very first page is read from its beginning anyway.
    if (opened) document.querySelector('h1')?.focus({ preventScroll: true });
    opened = true;
  }, [place]);
  return html`<a class="skip" href="#main" onClick=${skip}>Skip to content</a>
    <${Top} console=${console} search=${first === 'search' ? (query['search'] ?? '') : ''} menu=${menu} onMenu=${() => setMenu(!menu)} onHelp=${() => setHelp(true)} />
    <div class="frame">
      <nav class=${`side ${menu ? 'open' : ''}`} id="side" aria-label="Console">
        <ul>${navigation.map(([name, title]) => html`<li><a href=${`#/${name}`} aria-current=${name === first ? 'page' : undefined}>${title}</a></li>`)}
          <li class="narrowonly"><a href="#/search" aria-current=${first === 'search' ? 'page' : undefined}>Search</a></li>
          <li class="narrowonly"><button type="button" class="plain" onClick=${logOut}>Log out</button></li></ul>
      </nav>
      <main class="page" id="main" tabindex="-1">${(pages[first] ?? notFound)(id, query, part)}</main>
    </div>
    <${Announcer} />
    <${Shortcuts} navigation=${navigation} open=${help} onOpen=${setHelp} />`;
}

/** The fragment names the page, so it can't be used to jump. @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** @param {{ console: Console, search: string, menu: boolean, onMenu: () => void, onHelp: () => void }} props */
function Top({ console: { name, found, Lead, Trail }, search, menu, onMenu, onHelp }) {
  return html`<header class="top">
    <button type="button" class="menu" aria-expanded=${String(menu)} aria-controls="side" onClick=${onMenu}>Menu</button>
    <a class="brand" href="#/">${name}</a>
    <${Lead} />
    <span class="space"></span>
    <div class="roomy"><${SearchField} key=${search} text=${search} found=${found} /></div>
    <${Trail} />
    <button type="button" class="plain roomy" onClick=${onHelp} aria-label="Keyboard shortcuts">?</button>
    <button type="button" class="plain roomy" onClick=${logOut}>Log out</button>
  </header>`;
}
