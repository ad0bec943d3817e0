import type { Page } from 'playwright-core';

/** What a person can act on. Of a group that arrow keys move in, the tab stop stands for all. */
const controls = [
  'a[href]',
  'button:not(:disabled)',
  'input:not(:disabled)',
  'textarea:not(:disabled)',
  'summary',
  '[role=switch]',
  '[role=menuitem]',
  '[tabindex="0"]',
  '[draggable=true] button',
].join(', ');
const groups = '[role=tablist], [role=radiogroup], .el-radio-group, .el-input-number';
const MOST_STEPS = 250;

/** The visible controls of a page that pressing Tab does not come to, as a person would name them. */
export async function unreachable(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    document.querySelector('body')?.setAttribute('tabindex', '-1');
    document.body.focus();
    document.addEventListener('focusin', ({ target }) => {
      if (target instanceof Element) target.setAttribute('data-reached', '');
    });
  });
  for (let step = 0; step < MOST_STEPS; step += 1) {
    await page.keyboard.press('Tab');
    const isRound = await page.evaluate(
      (first) =>
        !first && (document.activeElement === null || document.activeElement === document.body),
      step === 0,
    );
    if (isRound) break;
  }
  return page.evaluate(
    ([controls, groups]) =>
      [...document.querySelectorAll(controls ?? '')]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .filter((element) => !element.hasAttribute('data-reached'))
        .filter((element) => !element.closest(groups ?? '')?.querySelector('[data-reached]'))
        // A button beside it opens it.
        .filter((element) => element.getAttribute('type') !== 'file')
        .map((element) => element.outerHTML.slice(0, 160)),
    [controls, groups],
  );
}
