import type { BrowserContext, Page } from 'playwright-core';

/** Nothing fades or slides: a colour half way between two says nothing about contrast. */
export async function withoutMotion(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const still = new CSSStyleSheet();
    still.replaceSync(
      '*, *::before, *::after { animation: none !important; transition: none !important; }',
    );
    document.adoptedStyleSheets.push(still);
  });
}

/** Waits until a page shows what it loads: something stands in it, and nothing turns any more. */
export async function shown(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('#content > *') !== null &&
      !document.querySelector('.el-skeleton, .el-loading-mask:not([style*="display: none"])'),
  );
}

/** The same once no request has been made for a while. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(
    () => !document.querySelector('.el-skeleton, .el-loading-mask:not([style*="display: none"])'),
  );
}

/** Opens a page of the console afresh. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
}
