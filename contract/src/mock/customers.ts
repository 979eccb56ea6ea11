/** Test customers, whose ID selects the response of a creation. Those of the sandbox have the same form. */

/** Beginnings of IDs, and of the names of the examples that they select. */
const PREFIXES: readonly { id: string; example: string }[] = [
  { id: 'decline-', example: 'declined-' },
  { id: 'open-', example: '' },
];
const CUSTOMER = /^[a-z]+-[A-Z][A-Z_]*$/;

/** The name of the example that a customer's ID selects; undefined for an ordinary customer. */
export function parseExampleName(customer: string): string | undefined {
  const prefix = PREFIXES.find(({ id }) => customer.startsWith(id));
  return prefix && CUSTOMER.test(customer) ? customer.replace(prefix.id, prefix.example) : undefined;
}

/** The test customers that select these examples. */
export function listCustomers(names: readonly string[]): string[] {
  return names.flatMap((name) =>
    PREFIXES.filter(({ example }) => name.startsWith(example))
      .map(({ id, example }) => id + name.slice(example.length))
      .filter((id) => CUSTOMER.test(id)),
  );
}
