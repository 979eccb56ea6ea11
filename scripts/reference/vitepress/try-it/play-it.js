/** The button of a walkthrough's player, which loads everything else. A link to a state opens it, too. */
import { withBase } from 'vitepress';
import { defineComponent, h, nextTick, onMounted, ref, shallowRef, useTemplateRef } from 'vue';

/** `names` are the walkthroughs of the page. */
export const PlayIt = defineComponent({
  props: { name: { type: String, required: true }, names: { type: String, required: true } },
  setup({ name, names }) {
    const opened = shallowRef();
    const status = ref('');
    const box = useTemplateRef('box');
    const open = async (link) => {
      status.value = 'Loading …';
      try {
        const [{ Player }, walkthrough] = await Promise.all([import('./player.js'), readWalkthrough(name)]);
        opened.value = { Player, ...walkthrough, link };
        status.value = '';
        await nextTick();
        if (!link) box.value?.querySelector('button')?.focus({ preventScroll: true });
      } catch (error) {
        status.value = `This can't be loaded: ${error.message}`;
      }
    };
    onMounted(() => {
      const link = new URLSearchParams(location.search);
      const wanted = link.get('play');
      const known = names.split(' ');
      if (wanted === name) open(link);
      else if (wanted !== null && !known.includes(wanted) && name === known[0])
        status.value = `This link has the walkthrough "${wanted}". Use one of: ${known.join(', ')}.`;
    });
    const attributes = { class: 'try-it play-it', id: `play-${name}`, ref: 'box' };
    return () => {
      if (!opened.value)
        return h('div', attributes, [
          h('button', { type: 'button', onClick: () => open() }, 'Play it in this page'),
          h('span', { role: 'status' }, status.value),
        ]);
      const { Player, ...props } = opened.value;
      return h('div', attributes, h(Player, props));
    };
  },
});

/** Reads a walkthrough, and the drawing of the statuses that it goes through. */
async function readWalkthrough(name) {
  const walkthrough = await (await read(`/walkthroughs/${name}.json`)).json();
  const drawing = await (await read(`/${walkthrough.drawing}`)).text();
  return { walkthrough, drawing };
}

async function read(path) {
  const response = await fetch(withBase(path));
  if (!response.ok) throw new Error(`status ${response.status} for ${path}`);
  return response;
}
