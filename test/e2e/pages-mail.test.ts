/** Mails in two kinds of client: one that shows styles, in light and dark, and one that shows none. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { MAIL_SAMPLES } from '../support/mail-samples.js';
import { matrix } from '../support/matrix.js';

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  page = await browser.newPage({ viewport: { width: 320, height: 640 } });
});
afterAll(() => browser.close());

it.each(matrix(MAIL_SAMPLES, { colorScheme: ['light', 'dark'] }))(
  '[NTC-1] $name can be read in a $colorScheme client, on a phone too',
  async ({ mail, colorScheme }) => {
    await page.emulateMedia({ colorScheme });
    await page.setContent(mail('de').html);
    await page.evaluate(axe.source);
    const run = await page.evaluate<axe.AxeResults>("axe.run(document, { resultTypes: ['violations'], preload: false })");
    expect(run.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  },
);

describe.each(MAIL_SAMPLES)('$name', ({ mail }) => {
  it('[NTC-1] has the same content in the same order without styles and as plain text', async () => {
    const { html, text } = mail('en');
    await page.setContent(html.replaceAll(/<style>.*?<\/style>| style="[^"]*"/gs, ''));
    const shown = await page.evaluate<string>('document.body.innerText');
    const words = (plain: string): string[] => plain.split(/[\s:]+/).filter(Boolean);
    // Plain text has each address at its button, while the page has them at the end.
    const urls = text.match(/https?:\S+/g) ?? [];
    const body = urls.reduce((rest, url) => rest.replace(url, ''), text.split('\n-- \n')[0] ?? '');
    expect(urls.filter((url) => shown.split(url).length !== 2)).toEqual([]);
    let index = 0;
    const all = words(shown);
    const lost = words(body).filter((word) => {
      const found = all.indexOf(word, index);
      if (found >= 0) index = found + 1;
      return found < 0;
    });
    expect(lost).toEqual([]);
    // Every fact is on a separate line, its name before its value.
    for (const [, fact = ''] of html.matchAll(/<tr>(<th.*?)<\/tr>/g)) {
      const [name, value, ...more] = fact.split('</th>').map((cell) => cell.replaceAll(/<[^>]*>/g, ''));
      expect([`\n${shown}\n`.includes(`\n${name}\t${value}\n`), more]).toEqual([true, []]);
    }
  });
});
