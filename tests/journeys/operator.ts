/** Commands of docs/operations.md that a journey can't run everywhere, by a part of their block, with the reason. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  'npm run package': 'The journey of the integrator runs it.',
  'docker run':
    'It builds on images of a registry. tests/packages/image.test.ts checks what the image and compose.yaml say.',
  'DATABASE_POOLER=transaction':
    'It names the address of PgBouncer. tests/gateway/processes/pooler.test.ts runs gateways behind one.',
};
