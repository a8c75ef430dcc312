/**
 * States of every page in a real Chromium, under the strict content policy: in one language, light or dark, with all checks in one load.
 * The sample has the first state of every page, in German, whose words are the longest, and the states with a kind of element that no
 * earlier state in the same theme has.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import type { Locale } from '../../src/contract/locale.js';
import { SCREENSHOT_LOCALES } from '../../web/fixtures/fixture.js';
import { FIXTURES, type Fixture } from '../../web/fixtures/index.js';
import { launchChromium, pageReady } from '../support/chromium.js';
import { IS_FULL, NewElementKinds, matrix } from '../support/matrix.js';
import { buildPages } from '../support/page-build.js';
import { previewPages, type PagePreview } from '../support/page-preview.js';

interface Seen extends Fixture {
  locale: Locale;
  theme: 'light' | 'dark';
}

const THEMES = ['light', 'dark'] as const;
const isFirstOfPage = ({ state }: Fixture, index: number): boolean =>
  FIXTURES.findIndex((other) => other.state('en').page === state('en').page) === index;
const FIRST_OF_PAGES = FIXTURES.filter(isFirstOfPage);
const SAMPLE: readonly Seen[] = matrix(FIXTURES, { locale: SCREENSHOT_LOCALES, theme: THEMES });
const IN_GERMAN: readonly Seen[] = matrix(FIRST_OF_PAGES, { locale: ['de'], theme: THEMES });
const isFirst = ({ name }: Seen): boolean => FIRST_OF_PAGES.some((first) => first.name === name);
const built = await buildPages('development');
const kinds = new NewElementKinds();
const hasNewKinds = ({ state, path, locale, theme }: Seen): boolean =>
  kinds.isIn(built.renderer.render(state(locale), path).markup, theme);
/** Every state adds its kinds, also one that is in the sample anyway. */
const isInSample = (seen: Seen): boolean => {
  const isNew = hasNewKinds(seen);
  return isNew || isFirst(seen);
};
/** The full matrix has every state in German already. */
const ALL = (IS_FULL ? SAMPLE : [...IN_GERMAN, ...SAMPLE.filter((seen) => !isFirst(seen))].filter(isInSample)).map(
  (seen, index) => ({ ...seen, index }),
);

/** 1280 × 1024 at 400 % (WCAG 2.2, 1.4.10), and a window with room. */
const ZOOMED = { width: 320, height: 256 };
const ROOMY = { width: 1280, height: 900 };
/** While one state is checked, the next one is loaded. */
const VIEWS = 2;

/** The script of axe at the origin of the pages, which the content policy allows; the browser then compiles it once for all states. */
const AXE = '/axe.js';
const LOAD_AXE = `new Promise((loaded, failed) =>
  document.head.append(Object.assign(document.createElement('script'), { src: '${AXE}', onload: loaded, onerror: failed })))`;

interface View {
  page: Page;
  complaints: string[];
}

let preview: PagePreview;
let browser: Browser;
let views: View[];
let ahead: { index: number; opened: Promise<void> } | null = null;

beforeAll(async () => {
  [preview, browser] = await Promise.all([previewPages(built, { scripts: { [AXE]: axe.source } }), launchChromium()]);
  views = await Promise.all(Array.from({ length: VIEWS }, newView));
}, 180_000);

afterAll(async () => {
  await ahead?.opened.catch(() => undefined);
  await browser.close();
  await preview.close();
  built.remove();
});

async function newView(): Promise<View> {
  const context = await browser.newContext({ viewport: ROOMY, reducedMotion: 'reduce', timezoneId: 'UTC' });
  const view: View = { page: await context.newPage(), complaints: [] };
  // Violations of the content policy, hydration warnings and failed requests are reported here.
  view.page.on('console', (message) => ['error', 'warning'].includes(message.type()) && view.complaints.push(message.text()));
  view.page.on('pageerror', (error) => view.complaints.push(String(error)));
  return view;
}

async function open(index: number): Promise<void> {
  const seen = ALL[index];
  const view = views[index % VIEWS];
  if (!seen || !view) return;
  view.complaints = [];
  await view.page.setViewportSize(ROOMY);
  await view.page.emulateMedia({ colorScheme: seen.theme });
  await view.page.goto(preview.show(seen.path, seen.state(seen.locale)));
  await pageReady(view.page);
}

/** Elements that are not checked would still be described one by one, which takes most of the time. */
const OPTIONS: axe.RunOptions = { resultTypes: ['violations'], preload: false };

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(`globalThis.axe ? null : ${LOAD_AXE}.then(() => null)`);
  const found = await page.evaluate<axe.Result[]>(`axe.run(document, ${JSON.stringify(OPTIONS)}).then((run) => run.violations)`);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
}

interface Shown {
  markup: string;
  wanted: string;
  title: string;
  lang: string;
}

/** The current document beside the markup of the server, read by the same parser. */
const toShown = (page: Page, markup: string) =>
  page.evaluate<Shown>(`({
    markup: document.getElementById('root').innerHTML,
    wanted: new DOMParser().parseFromString(${JSON.stringify(markup)}, 'text/html').body.innerHTML,
    title: document.title,
    lang: document.documentElement.lang,
  })`);

/** The seconds that a person has to wait. */
const TIMER = /<span role="timer">[^<]*<\/span>/;

const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

it.each(ALL)(
  '[I18-5] $name in $locale when it is $theme: hydrates in its language, passes axe, needs no sideways scrolling at 320 px and at 400 %, without a complaint',
  async ({ state, path, locale, index }) => {
    await (ahead?.index === index ? ahead.opened : open(index));
    const { page, complaints } = views[index % VIEWS] as View;
    ahead = { index: index + 1, opened: open(index + 1) };
    // The test that waits for this state is notified.
    ahead.opened.catch(() => undefined);
    const { markup, title } = built.renderer.render(state(locale), path);
    const { wanted, ...shown } = await toShown(page, markup);
    // A page that was opened earlier has counted down since.
    shown.markup = shown.markup.replace(TIMER, TIMER.exec(wanted)?.[0] ?? '');
    const found = await violations(page);
    await page.setViewportSize(ZOOMED);
    const overflow = await page.evaluate<number>(OVERFLOW);
    expect({ ...shown, found, overflow, complaints }).toEqual({
      // Times become local after the hydration; the server writes UTC, which is the browser's zone here.
      markup: wanted.replaceAll('&nbsp;UTC</time>', '</time>'),
      title,
      lang: locale,
      found: [],
      overflow: 0,
      complaints: [],
    });
  },
);

it('axe finds a fault, in the light and in the dark theme', async () => {
  const [{ page }] = views as [View];
  await ahead?.opened;
  await page.evaluate(`document.body.innerHTML = '<main><h1>x</h1><input><p>grey</p></main>'`);
  // The style is set through the object model, to which the content policy does not apply.
  await page.evaluate(`Object.assign(document.querySelector('p').style, { color: '#777', background: '#888' })`);
  const ids = (found: string[]) => found.map((one) => one.slice(0, one.indexOf(':')));
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    expect(ids(await violations(page))).toEqual(expect.arrayContaining(['color-contrast', 'label']));
  }
});
