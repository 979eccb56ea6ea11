/** The button of a walkthrough's player, which loads everything else. A link to a state opens it, too. */
import { withBase } from 'vitepress';
import { defineComponent, h, onMounted, ref, shallowRef } from 'vue';

export const PlayIt = defineComponent({
  props: { name: { type: String, required: true } },
  setup({ name }) {
    const opened = shallowRef();
    const status = ref('');
    const open = async (from) => {
      status.value = 'Loading …';
      try {
        const [{ Player }, response] = await Promise.all([
          import('./player.js'),
          fetch(withBase(`/walkthroughs/${name}.json`)),
        ]);
        opened.value = { Player, walkthrough: await response.json(), from };
      } catch (error) {
        status.value = `This can't be loaded: ${error.message}`;
      }
    };
    onMounted(() => {
      const from = Object.fromEntries(new URLSearchParams(location.search));
      if (from.play === name) open(from);
    });
    return () => {
      if (!opened.value)
        return h('div', { class: 'try-it play-it' }, [
          h('button', { type: 'button', onClick: () => open() }, 'Play it in this page'),
          h('span', { role: 'status' }, status.value),
        ]);
      const { Player, ...props } = opened.value;
      return h('div', { class: 'try-it play-it' }, h(Player, props));
    };
  },
});
