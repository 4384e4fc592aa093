import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Findings {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** What axe finds in a page as it stands: the rule, the element and what to do, each. */
export async function accessFindings(page: Page): Promise<readonly string[]> {
  // Scripts of others have no place in these pages, so it is not added to them but evaluated.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<Findings>('axe.run({ preload: false })');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}
