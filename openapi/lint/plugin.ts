export default function plugin() {
  return {
    id: 'contract',
    decorators: { oas3: { brand: ({name}: {name: string}) => ({ any: { leave(node: any) {
      if (node && typeof node === 'object') for (const k of Object.keys(node)) if (typeof node[k] === 'string') node[k] = node[k].replaceAll('<BRAND>', name);
    } } }) } },
  };
}
