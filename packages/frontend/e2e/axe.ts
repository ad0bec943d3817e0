import axe, { type NodeResult } from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds on a page that keeps somebody out, one line for each. */
export async function gravest(page: Page): Promise<string[]> {
  // Through the debugger, which the content security policy does not bind.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    window.axe.run(document, { resultTypes: ['violations'] }),
  );
  return violations
    .filter(({ id, nodes }) => id !== 'scrollable-region-focusable' || !nodes.every(isChoice))
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary = '' }) =>
          `${id} ${String(target)} ${failureSummary.split('\n').slice(0, 2).join(' ')}`,
      ),
    );
}

/** The open list of a choice scrolls by the arrow keys of its field, which keeps the focus. */
const isChoice = ({ html }: NodeResult): boolean => html.includes('el-select-dropdown__wrap');

declare global {
  interface Window {
    axe: typeof axe;
  }
}
