/** The button of an operation's panel. Everything else is loaded when it is pressed, or when the address ends with `#try-it`. */
import { useData, withBase } from 'vitepress';
import { defineComponent, h, nextTick, onMounted, ref, shallowRef, useTemplateRef } from 'vue';

const ANCHOR = 'try-it';

export const TryIt = defineComponent({
  props: { id: { type: String, required: true } },
  setup(props) {
    const { theme } = useData();
    const opened = shallowRef();
    const status = ref('');
    const box = useTemplateRef('box');
    const open = async () => {
      status.value = 'Loading …';
      try {
        const [{ Panel }, response] = await Promise.all([
          import('./panel.js'),
          fetch(withBase(`/try-it/${props.id}.json`)),
        ]);
        const panel = await response.json();
        opened.value = { Panel, panel };
        status.value = '';
        await nextTick();
        box.value?.querySelector('select, .inputs input')?.focus({ preventScroll: true });
      } catch (error) {
        status.value = `This can't be loaded: ${error.message}`;
      }
    };
    onMounted(() => location.hash === `#${ANCHOR}` && open());
    return () => {
      if (!opened.value)
        return h('div', { class: 'try-it', id: ANCHOR }, [
          h('button', { type: 'button', onClick: open }, `Try ${props.id}`),
          h('span', { role: 'status' }, status.value),
        ]);
      const { Panel, panel } = opened.value;
      return h(
        'div',
        { class: 'try-it', id: ANCHOR, ref: 'box' },
        h(Panel, { panel, gateway: theme.value.gateway, key: panel.id }),
      );
    };
  },
});
