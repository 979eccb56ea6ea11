/* What Redoc's page lacks. Redoc redraws its parts at any time, so each addition is made again where it is missing. */

// A link would be a page of Redoc's router, so the skip link is a button.
document.querySelector('.skip-link').addEventListener('click', () => {
  const main = document.querySelector('main');
  main.tabIndex = -1;
  main.focus();
});

// Redoc's index has the introduction as one entry that leads to the top of the page. The build makes the index call
// this function, which gives an entry to each chapter and to each row that has an address, such as a decline code.
globalThis.searchEntries = (entry) => {
  if (entry.url !== '/') return [entry];
  const chapters = [...document.querySelectorAll('[data-section-id]:not(:has([data-section-id]))')].filter(
    ({ dataset }) => dataset.sectionId === '/' || dataset.sectionId.startsWith('/section/'),
  );
  return chapters.flatMap((chapter) => {
    const url = chapter.dataset.sectionId;
    const title = chapter.querySelector('h1, h2')?.textContent ?? entry.title;
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

function textOf(element) {
  return element.textContent.replace(/\s+/g, ' ').trim();
}

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

const complete = () => {
  reachSearch();
  labelCells();
};
new MutationObserver(complete).observe(document.getElementById('redoc'), { childList: true, subtree: true });
complete();
