/**
 * Writes the service's short name wherever the contract says `<BRAND>` (in the title, in the name of the signature
 * header, in texts and examples), and the address of its reference wherever it says `<SITE>`. It runs when the contract
 * is bundled, so that one setting in redocly.yaml restamps everything that is made from the bundle.
 */
import type { Rule } from './redocly.ts';

export const PLACEHOLDERS = ['<BRAND>', '<SITE>'] as const;

/** The name becomes part of a header's name, and proxies are known to drop headers with other characters. */
const HEADER_SAFE = /^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/;

/** The decorator `contract/brand`. Throws when the name is missing or is not allowed in a header. */
export const brand: Rule<{ name?: unknown; site?: unknown }> = ({ name, site }) => {
  if (typeof name !== 'string' || !HEADER_SAFE.test(name)) {
    throw new Error(
      `redocly.yaml: decorators, contract/brand, name is ${JSON.stringify(name) ?? 'missing'}; ` +
        'write letters and digits, with single hyphens between them, such as Acme or Acme-Pay',
    );
  }
  if (typeof site !== 'string' || !/^https:\/\/[^/?#]+(\/[^?#]*[^/?#])?$/.test(site)) {
    throw new Error(
      `redocly.yaml: decorators, contract/brand, site is ${JSON.stringify(site) ?? 'missing'}; ` +
        'write an https address without a slash at its end, such as https://docs.example.com',
    );
  }
  const [brandMark, siteMark] = PLACEHOLDERS;
  const stamped = new WeakSet<object>();
  const stamp = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || stamped.has(node)) return;
    stamped.add(node);
    const fields = node as Record<string, unknown>;
    for (const [key, value] of Object.entries(fields)) {
      if (typeof value === 'string') fields[key] = value.replaceAll(brandMark, name).replaceAll(siteMark, site);
      else stamp(value);
    }
  };
  // A file that is referenced joins the document only when its own visit is over: so each node is stamped as it is left.
  return {
    any: {
      leave: (node: unknown) => stamp(node),
    },
  };
};
