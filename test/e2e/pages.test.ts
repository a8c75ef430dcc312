/**
 * Every state of every page in a real Chromium, in three languages, under the strict content policy. Colours, which no
 * language changes, are checked in one of them, light and dark.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { DRAWN_LOCALES } from '../../web/fixtures/fixture.js';
import { FIXTURES, type Fixture } from '../../web/fixtures/index.js';
import { launchChromium, pageReady } from '../support/chromium.js';
import { buildPages, type BuiltPages } from '../support/page-build.js';
import { previewPages, type PagePreview } from '../support/page-preview.js';

const ALL = FIXTURES.flatMap((fixture) => DRAWN_LOCALES.map((locale) => ({ name: fixture.name, fixture, locale }))).map(
  (state, index) => ({ ...state, index }),
);

/** What turns around from right to left is the same in all states of a page. */
const isFirstOfItsPage = ({ name, state }: Fixture): boolean =>
  FIXTURES.find((other) => other.state('en').page === state('en').page)?.name === name;

/** 1280 × 1024 at 400 % (WCAG 2.2, 1.4.10), and a window with room. */
const ZOOMED = { width: 320, height: 256 };
const ROOMY = { width: 1280, height: 900 };
/** While one state is looked at, the next one loads beside it. */
const VIEWS = 2;

/** From the pages' own origin, which the content policy allows; the browser then compiles it once for all states. */
const AXE = '/axe.js';
const LOAD_AXE = `new Promise((loaded, failed) =>
  document.head.append(Object.assign(document.createElement('script'), { src: '${AXE}', onload: loaded, onerror: failed })))`;

interface View {
  page: Page;
  complaints: string[];
}

let built: BuiltPages;
let preview: PagePreview;
let browser: Browser;
let views: View[];
let ahead: { index: number; opened: Promise<void> } | null = null;

beforeAll(async () => {
  built = await buildPages('development');
  [preview, browser] = await Promise.all([previewPages(built, { scripts: { [AXE]: axe.source } }), launchChromium()]);
  views = await Promise.all(Array.from({ length: VIEWS }, newView));
}, 60_000);

afterAll(async () => {
  await ahead?.opened.catch(() => undefined);
  await browser.close();
  await preview.close();
  built.remove();
});

async function newView(): Promise<View> {
  const context = await browser.newContext({ viewport: ROOMY, reducedMotion: 'reduce', timezoneId: 'UTC' });
  const view: View = { page: await context.newPage(), complaints: [] };
  // Violations of the content policy, hydration warnings and failed requests all arrive here.
  view.page.on('console', (message) => ['error', 'warning'].includes(message.type()) && view.complaints.push(message.text()));
  view.page.on('pageerror', (error) => view.complaints.push(String(error)));
  return view;
}

async function open(index: number): Promise<void> {
  const state = ALL[index];
  const view = views[index % VIEWS];
  if (!state || !view) return;
  view.complaints = [];
  await view.page.setViewportSize(ROOMY);
  await view.page.emulateMedia({ colorScheme: 'light' });
  await view.page.goto(preview.show(state.fixture.path, state.fixture.state(state.locale)));
  await pageReady(view.page);
}

const CONTRAST = ['color-contrast'];

async function violations(page: Page, { only, except = [] }: { only?: string[]; except?: string[] } = {}): Promise<string[]> {
  // What is not asked about would be described node by node all the same, and that costs most of the time.
  const options = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(except.map((rule) => [rule, { enabled: false }])),
    ...(only ? { runOnly: { type: 'rule', values: only } } : {}),
  };
  await page.evaluate(`globalThis.axe ? null : ${LOAD_AXE}.then(() => null)`);
  const found = await page.evaluate<axe.Result[]>(`axe.run(document, ${JSON.stringify(options)}).then((run) => run.violations)`);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
}

interface Seen {
  markup: string;
  wanted: string;
  title: string;
  lang: string;
}

/** The document as it stands beside what the server wrote, read by the same parser. */
const seen = (page: Page, markup: string) =>
  page.evaluate<Seen>(`({
    markup: document.getElementById('root').innerHTML,
    wanted: new DOMParser().parseFromString(${JSON.stringify(markup)}, 'text/html').body.innerHTML,
    title: document.title,
    lang: document.documentElement.lang,
  })`);

/** The seconds that a person has to wait. */
const TIMER = /<span role="timer">[^<]*<\/span>/;

describe.each(ALL)('$name in $locale', ({ fixture, locale, index }) => {
  let view: View;

  beforeAll(async () => {
    await (ahead?.index === index ? ahead.opened : open(index));
    view = views[index % VIEWS] as View;
    ahead = { index: index + 1, opened: open(index + 1) };
    // Whoever waits for it hears of it.
    ahead.opened.catch(() => undefined);
  });

  it('[I18-5] hydrates what the server wrote, without a complaint, in its language', async () => {
    const { markup, title } = built.renderer.render(fixture.state(locale), fixture.path);
    const { wanted, ...shown } = await seen(view.page, markup);
    // A page that was opened ahead has counted down since.
    shown.markup = shown.markup.replace(TIMER, TIMER.exec(wanted)?.[0] ?? '');
    // Times become local after the hydration; the server writes UTC, which is the browser's zone here.
    expect(shown).toEqual({ markup: wanted.replaceAll('&nbsp;UTC</time>', '</time>'), title, lang: locale });
    expect(view.complaints).toEqual([]);
  });

  const asksColours = locale === 'de';

  if (locale !== 'ar' || isFirstOfItsPage(fixture)) {
    it(asksColours ? 'passes axe, also in its colours when it is light' : 'passes axe', async () => {
      expect(await violations(view.page, asksColours ? {} : { except: CONTRAST })).toEqual([]);
    });
  }

  if (asksColours) {
    it('has colours of enough contrast when it is dark', async () => {
      await view.page.emulateMedia({ colorScheme: 'dark' });
      expect(await violations(view.page, { only: CONTRAST })).toEqual([]);
    });
  }

  it('needs no sideways scrolling at 320 px and at 400 %', async () => {
    await view.page.setViewportSize(ZOOMED);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await view.page.evaluate<number>(overflow)).toBe(0);
  });
});

it('axe finds what is wrong, in the light and in the dark', async () => {
  const [{ page }] = views as [View];
  await ahead?.opened;
  await page.evaluate(`document.body.innerHTML = '<main><h1>x</h1><input><p>grey</p></main>'`);
  // Through the object model, which the content policy does not concern.
  await page.evaluate(`Object.assign(document.querySelector('p').style, { color: '#777', background: '#888' })`);
  const ids = (found: string[]) => found.map((one) => one.slice(0, one.indexOf(':')));
  expect(ids(await violations(page))).toEqual(expect.arrayContaining(['color-contrast', 'label']));
  expect(ids(await violations(page, { only: CONTRAST }))).toEqual(['color-contrast']);
});
