/* Additions to Redoc's page. Redoc redraws its parts at any time, so missing additions are made again. */

// A link would be a page of Redoc's router, so the skip link is a button.
document.querySelector('.skip-link').addEventListener('click', () => {
  const main = document.querySelector('main');
  main.tabIndex = -1;
  main.focus();
});

// The line on where a statement comes from. It is the page's own, and nobody searches for it.
const BASIS_LINE =
  /\s*(?:Specified: sections? [\d., ]+\.(?:\s*Assumed: [a-z0-9-]+(?:, [a-z0-9-]+)*\.)?|Assumed: [a-z0-9-]+(?:, [a-z0-9-]+)*\.)/g;

// Redoc puts lines together without a space between them.
const spaced = (text) => text.replace(/([.:;])(?=[A-Z])/g, '$1 ');

// Redoc's index has the introduction as one entry that leads to the top of the page. The build makes the index call
// this function, which gives an entry to each chapter and to each row that has an address, such as a decline code.
globalThis.searchEntries = (entry) => {
  if (entry.url !== '/') return [{ ...entry, text: spaced(entry.text.replace(BASIS_LINE, '')) }];
  const chapters = [...document.querySelectorAll('[data-section-id]:not(:has([data-section-id]))')].filter(
    ({ dataset }) => dataset.sectionId === '/' || dataset.sectionId.startsWith('/section/'),
  );
  return chapters.flatMap((chapter) => {
    const url = chapter.dataset.sectionId;
    const title = chapter.querySelector('h1, h2, h3')?.textContent ?? entry.title;
    const rows = [...chapter.querySelectorAll('tr:has([id])')].map((row) => ({
      ...entry,
      id: `${url}#${row.querySelector('[id]').id}`,
      url: `${url}#${row.querySelector('[id]').id}`,
      title: row.querySelector('[id]').textContent,
      text: [...row.cells].slice(1).map(textOf).join(' '),
      path: [title],
    }));
    const parts = [...chapter.querySelectorAll('p, li, td, pre')].filter((part) => !part.closest('tr:has([id])'));
    const text = parts.map(textOf).join(' ');
    return [{ ...entry, id: url, url, title, text, path: [] }, ...rows];
  });
};

/** The text without what is folded. */
function textOf(element) {
  const copy = element.cloneNode(true);
  for (const source of copy.querySelectorAll('sup, small')) source.remove();
  return copy.textContent.replace(/\s+/g, ' ').trim();
}

// The basis of statements is folded. The switch is in the menu, which phones show as well, and is remembered. A page
// whose statements name no sources has no switch. The legends of diagrams are always shown.
const SOURCES = 'reference.sources';
const showSources = (shown) => {
  document.documentElement.classList.toggle('with-sources', shown);
  for (const button of document.querySelectorAll('.sources-switch')) button.setAttribute('aria-pressed', String(shown));
};
const sourcesShown = () => document.documentElement.classList.contains('with-sources');
const hasSources = () => document.querySelector('.api-content :is(sup, small:not(figcaption *))') !== null;
const addSourcesSwitch = () => {
  if (!hasSources()) return;
  for (const field of document.querySelectorAll('[data-testid="search-trigger"]')) {
    if (field.parentElement.querySelector('.sources-switch')) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'sources-switch';
    button.textContent = 'Show sources';
    button.title = 'Show the section that specifies a statement, or the assumption behind it';
    button.setAttribute('aria-pressed', String(sourcesShown()));
    button.addEventListener('click', () => {
      showSources(!sourcesShown());
      try {
        localStorage.setItem(SOURCES, String(sourcesShown()));
      } catch {
        // Without storage, the choice lasts as long as the page.
      }
    });
    field.parentElement.append(button);
  }
};
try {
  showSources(localStorage.getItem(SOURCES) === 'true');
} catch {
  showSources(false);
}

// Redoc draws a part when the reader comes to it, so this page prints only those. Another page has all of them.
const printed = document.querySelector('link[media="print"]');
// The file that is opened from a disk has its parts in a folder of its own name.
const printAddress = () =>
  location.protocol === 'file:' ? location.pathname.replace(/\.html$/, '/print.html') : printed.href;
const addPrintLink = () => {
  if (!printed) return;
  for (const field of document.querySelectorAll('[data-testid="search-trigger"]')) {
    if (field.parentElement.querySelector('.print-link')) continue;
    const link = document.createElement('a');
    link.className = 'print-link';
    link.href = printAddress();
    link.textContent = 'All on one page, for printing';
    field.parentElement.append(link);
  }
};
if (printed) {
  const note = document.createElement('p');
  note.className = 'print-note';
  note.textContent = `This print holds only the parts that were opened. Print all of them from ${printAddress()}`;
  document.body.prepend(note);
}

// A page that a gateway serves shows the address of that gateway, whatever its port. Redoc gets the same document.
const shownServer = document.querySelector('meta[name="server"]')?.content;
globalThis.atOrigin = (definition) =>
  shownServer && location.protocol.startsWith('http')
    ? JSON.parse(JSON.stringify(definition).replaceAll(shownServer, location.origin))
    : definition;
if (shownServer && location.protocol.startsWith('http')) {
  const texts = document.createTreeWalker(document.getElementById('redoc'), NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (text.data.includes(shownServer)) text.data = text.data.replaceAll(shownServer, location.origin);
  }
}

// Folded parts are printed too, and dark pages are printed light, since browsers print no backgrounds.
let printedLight = false;
let unfolded = [];
addEventListener('beforeprint', () => {
  unfolded = [...document.querySelectorAll('details:not([open])')];
  for (const details of unfolded) details.open = true;
  printedLight = document.documentElement.classList.replace('dark', 'light');
});
addEventListener('afterprint', () => {
  for (const details of unfolded) details.open = false;
  if (printedLight) document.documentElement.classList.replace('light', 'dark');
});

// Redoc's search field opens by pointer and Ctrl+K only; Tab and Enter have to reach it as well.
const openSearch = (event) => {
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    event.currentTarget.click();
  }
};
const reachSearch = () => {
  const field = document.querySelector('[data-testid="search-trigger"]:not([tabindex])');
  if (!field) return;
  field.tabIndex = 0;
  field.setAttribute('role', 'button');
  field.setAttribute('aria-label', 'Search');
  field.addEventListener('keydown', openSearch);
};

// On a phone, the head of a wide table is not shown, so each cell carries the name of its column.
const labelCells = () => {
  for (const cell of document.querySelectorAll('.md-table-wrapper :is(td, th):not([data-label])')) {
    const head = cell.closest('table').querySelectorAll('th')[cell.cellIndex];
    cell.dataset.label = head ? head.textContent : '';
  }
};

// Landing in a table, the reader has to see which row was meant. Redoc's router scrolls there, whatever led to it.
const markTarget = () => {
  const id = decodeURIComponent(location.hash).split('#').at(-1).toLowerCase();
  const row = document.getElementById(id)?.closest('tr');
  for (const marked of document.querySelectorAll('tr.target')) if (marked !== row) marked.classList.remove('target');
  row?.classList.add('target');
};
addEventListener('scroll', markTarget, { passive: true });

const complete = () => {
  markTarget();
  addSourcesSwitch();
  addPrintLink();
  reachSearch();
  labelCells();
};
new MutationObserver(complete).observe(document.getElementById('redoc'), { childList: true, subtree: true });
complete();
