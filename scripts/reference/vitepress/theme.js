/** The default theme of VitePress with the fonts of the system, and with a link to the Markdown of each page. */
import { inBrowser, useData, withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h, onMounted, watch } from 'vue';
import { ExamplePicker, rememberLanguage, selectLanguage } from './samples.js';
import { searchOptions } from './search.js';
import './style.css';
import './try-it/style.css';
import { PlayIt } from './try-it/play-it.js';
import { TryIt } from './try-it/try-it.js';

/** Links of every page: its marks, its Markdown, and all pages as one. With a target, VitePress leaves them to the browser. */
const PageLinks = {
  setup() {
    const { page } = useData();
    onMounted(() => watch(page, selectLanguage, { flush: 'post', immediate: true }));
    return () =>
      h('p', { class: 'page-links' }, [
        h('a', { href: withBase(`/${page.value.relativePath}`), target: '_self' }, 'This page as Markdown'),
        ' · ',
        h('a', { href: withBase('/assumptions.html') }, 'What marks such as §4.1 mean'),
        ' · ',
        h('a', { href: withBase('/print.html'), target: '_self' }, 'All pages on one, for printing'),
      ]);
  },
};

/** Search and colors, in the menu of small windows, where VitePress has a second menu for them. */
const MenuTools = {
  setup() {
    const { isDark } = useData();
    const search = () => dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, cancelable: true }));
    const changeColors = () => {
      isDark.value = !isDark.value;
    };
    return () =>
      h('p', { class: 'menu-tools' }, [
        h('button', { type: 'button', class: 'search', onClick: search }, 'Search'),
        h('button', { type: 'button', onClick: changeColors }, 'Light or dark'),
      ]);
  },
};

/** VitePress opens its search by Ctrl+K only if the key is lowercase, which it isn't with caps lock. */
function openSearch({ key, ctrlKey, metaKey, shiftKey }) {
  if (key !== 'K' || shiftKey || !(ctrlKey || metaKey)) return;
  dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey, metaKey, cancelable: true }));
}

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, { 'doc-footer-before': () => h(PageLinks), 'sidebar-nav-before': () => h(MenuTools) }),
  enhanceApp({ app, siteData }) {
    siteData.value.themeConfig.search.options.miniSearch = { searchOptions };
    app.component('TryIt', TryIt);
    app.component('PlayIt', PlayIt);
    app.component('ExamplePicker', ExamplePicker);
    if (!inBrowser) return;
    addEventListener('change', rememberLanguage);
    addEventListener('keydown', openSearch);
  },
};
