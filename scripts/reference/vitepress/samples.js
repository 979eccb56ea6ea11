/** The menu of examples, and the language of the samples. */
import { withBase } from 'vitepress';
import { defineComponent, h, onMounted, ref, useId, useTemplateRef } from 'vue';

/** Where the browser keeps the label of the reader's last tab, such as `Python`. */
const LANGUAGE = 'language';

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
    onMounted(() => {
      errors = [...menu.value.closest('.samples').querySelectorAll('.errors .tabs > *')];
      show(menu.value.selectedIndex);
    });
    return () =>
      h('p', { class: 'example-picker' }, [
        h('label', { for: id }, 'Example'),
        h(
          'select',
          { id, ref: 'menu', onChange: ({ target }) => show(target.selectedIndex) },
          titles.map((title) => h('option', { key: title }, title)),
        ),
        h('span', { role: 'status' }, status.value),
      ]);
  },
});

/** Shows the example of the panel "Try it" among the samples, too. */
export function selectExample(title) {
  const menu = document.querySelector('.samples .example-picker select');
  if (![...(menu?.options ?? [])].some(({ value }) => value === title)) return;
  menu.value = title;
  menu.dispatchEvent(new Event('change'));
}

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
