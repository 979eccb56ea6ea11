/** Accessibility violations on a page, found by axe. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';

const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

/** The violations found by axe on the page, or in the element of a selector, each with its first element. */
export async function listViolations(page: Page, selector = 'html'): Promise<string[]> {
  await page.evaluate(readFileSync(AXE, 'utf8'));
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run(${JSON.stringify(selector)})`,
  );
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
