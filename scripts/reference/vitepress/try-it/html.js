/** Templates of HTML without a compiler. */
import htm from 'htm';
import { h } from 'vue';

const nodes = new WeakSet();

/**
 * Vue takes every object with `__v_isVNode` for markup, and the JSON of a service can contain one. Only the nodes of
 * templates become elements; other objects are shown as JSON.
 */
export const html = htm.bind((type, props, ...children) => {
  const node = children.length > 0 ? h(type, props, children.map(toChild)) : h(type, props);
  nodes.add(node);
  return node;
});

function toChild(child) {
  if (Array.isArray(child)) return child.map(toChild);
  return typeof child !== 'object' || child === null || nodes.has(child) ? child : JSON.stringify(child);
}
