/** Every state of every page in a real Chromium, in both languages, light and dark, under the strict content policy. */
import AxeBuilder from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { LOCALES } from '../../src/contract/locale.js';
import { FIXTURES } from '../../web/fixtures/index.js';
import { launchChromium, pageReady } from '../support/chromium.js';
import { buildPages } from '../support/page-build.js';
import type { BuiltPages } from '../support/page-build.js';
import { previewPages } from '../support/page-preview.js';
import type { PagePreview } from '../support/page-preview.js';

const ALL = FIXTURES.flatMap((fixture) => LOCALES.map((locale) => ({ name: fixture.name, fixture, locale })));

/** 1280 × 1024 at 400 % (WCAG 2.2, 1.4.10), and a window with room. */
const ZOOMED = { width: 320, height: 256 };
const ROOMY = { width: 1280, height: 900 };

/** A browser beside other work takes its time. */
jest.setTimeout(30_000);

let built: BuiltPages;
let preview: PagePreview;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  built = await buildPages('development');
  [preview, browser] = await Promise.all([previewPages(built), launchChromium()]);
  context = await browser.newContext({ viewport: ROOMY, reducedMotion: 'reduce' });
  page = await context.newPage();
  // Violations of the content policy, hydration warnings and failed requests all arrive here.
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
}, 60_000);

afterAll(async () => {
  await browser.close();
  await preview.close();
  built.remove();
});

async function violations(axe: AxeBuilder): Promise<string[]> {
  const { violations: found } = await axe.setLegacyMode(true).analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
}

const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

describe.each(ALL)('$name in $locale', ({ fixture, locale }) => {
  beforeAll(async () => {
    complaints = [];
    await page.setViewportSize(ROOMY);
    await page.goto(preview.show(fixture.path, fixture.state(locale)));
    await pageReady(page);
  });

  it('[I18-5] hydrates what the server wrote, without a complaint, in its language', async () => {
    const { markup, title } = built.render(fixture.state(locale), fixture.path);
    const asParsed = (html: string) =>
      page.evaluate<string>(`new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html').body.innerHTML`);
    expect(await page.locator('#root').innerHTML()).toBe(await asParsed(markup));
    expect(await page.title()).toBe(title);
    expect(await page.locator('html').getAttribute('lang')).toBe(locale);
    expect(complaints).toEqual([]);
  });

  it('passes axe, and in the dark its colours do', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await violations(new AxeBuilder({ page }))).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(new AxeBuilder({ page }).withRules(['color-contrast']))).toEqual([]);
  });

  it('needs no sideways scrolling at 320 px and at 400 %', async () => {
    await page.setViewportSize(ZOOMED);
    expect(await overflow()).toBe(0);
  });
});
