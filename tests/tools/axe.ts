/** Accessibility of pages, as axe judges it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect } from 'vitest';

const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

/** The violations found by axe on the page, or in the element of a selector, each with its first element. */
export async function listViolations(page: Page, selector = 'html'): Promise<string[]> {
  await page.evaluate(readFileSync(AXE, 'utf8'));
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run(${JSON.stringify(selector)})`,
  );
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** Expects no violations, such as low contrast, and no horizontal scrolling. */
export async function expectAccessible(page: Page, name = page.url()): Promise<void> {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect({ name, violations: await listViolations(page), overflow }).toEqual({ name, violations: [], overflow: 0 });
}
