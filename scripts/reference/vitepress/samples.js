/** The menu of examples, and the language of the samples. */
import { withBase } from 'vitepress';
import { defineComponent, h, onMounted, ref, shallowRef, useId, useTemplateRef, watch } from 'vue';

/** Where the browser keeps the label of the reader's last tab, such as `Python`. */
const LANGUAGE = 'language';

/** The title of the example that the reader chose last, among the samples or in the panel "Try it". */
export const chosenExample = shallowRef('');

/** The samples of all pages begin with the language that the reader chose last. */
export function selectLanguage() {
  const language = localStorage.getItem(LANGUAGE);
  for (const { control, textContent } of document.querySelectorAll('.tabs > label'))
    if (textContent === language) control.checked = true;
}

export function rememberLanguage({ target }) {
  const label = target.matches('.tabs input') ? target.labels[0].textContent : '';
  // The tabs of responses have statuses.
  if (!label || /\d{3}$/.test(label)) return;
  localStorage.setItem(LANGUAGE, label);
  selectLanguage();
}

/** Shows one example. Its responses get the tabs of the errors, which the page lists once. */
export const ExamplePicker = defineComponent({
  props: { titles: { type: Array, required: true }, operation: String },
  setup({ titles, operation }) {
    const id = useId();
    const menu = useTemplateRef('menu');
    const status = ref('');
    let errors = [];
    const show = async (index) => {
      const example = menu.value.closest('.samples').querySelectorAll(':scope > details:not(.errors)')[index];
      example.open = true;
      showResponses(example, errors);
      status.value = operation && index > 0 ? await addLanguages(operation, titles[index], example) : '';
    };
    const select = (title) => {
      const index = titles.indexOf(title);
      if (index >= 0) menu.value.selectedIndex = index;
      return show(menu.value.selectedIndex);
    };
    onMounted(() => {
      errors = [...menu.value.closest('.samples').querySelectorAll('.errors .tabs > *')];
      select(chosenExample.value);
    });
    watch(chosenExample, select);
    return () =>
      h('p', { class: 'example-picker' }, [
        h('label', { for: id }, 'Example'),
        h(
          'select',
          {
            ...{ id, ref: 'menu' },
            onChange: ({ target }) => {
              chosenExample.value = target.value;
            },
          },
          titles.map((title) => h('option', { key: title }, title)),
        ),
        h('span', { role: 'status' }, status.value),
      ]);
  },
});

function showResponses(example, errors) {
  const responses = [...example.querySelectorAll('.tabs')].at(-1);
  if (!responses) return;
  responses.append(...errors);
  const [first] = responses.querySelectorAll('input');
  // Browsers may have several checked after the move.
  first.checked = false;
  first.checked = true;
}

/** Replaces the tabs of a request by those of its file. Returns a message if the file can't be read. */
async function addLanguages(operation, title, example) {
  try {
    const response = await fetch(withBase(`/samples/${operation}.json`));
    example.querySelector('form').outerHTML = (await response.json())[title];
    selectLanguage();
    return '';
  } catch (error) {
    return `The other languages can't be loaded: ${error.message}`;
  }
}
