/**
 * Renders every fixture and every mail in some languages, light and dark, narrow and wide, with a contact sheet for
 * each combination and the plain text of mails as files; pages also as browsers of 2019 show them. `npm run screens`
 * runs it; people review the result.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Locale } from '../../src/contract/locale.js';
import { SCREENSHOT_LOCALES } from '../../web/fixtures/fixture.js';
import { FIXTURES, type Fixture } from '../../web/fixtures/index.js';
import { launchChromium, pageReady } from './chromium.js';
import { LOOKS, type Look } from './looks.js';
import { MAIL_SAMPLES, type MailSample } from './mail-samples.js';
import { emulate2019, removeFlexGaps } from './old-browser.js';
import { buildPages } from './page-build.js';
import { previewPages, type PagePreview } from './page-preview.js';

const SCHEMES = ['light', 'dark'] as const;

/** Height of the window; screenshots show the whole page, so it only matters for short pages. */
const WIDTHS = { 320: 640, 1280: 900 } as const;

interface View {
  locale: Locale;
  scheme: (typeof SCHEMES)[number];
  width: keyof typeof WIDTHS;
  /** Whether the page is drawn as in a browser of 2019. */
  isOld?: boolean;
}

const VIEWS: readonly View[] = [
  ...SCREENSHOT_LOCALES.flatMap((locale) =>
    SCHEMES.flatMap((scheme) => ([320, 1280] as const).map((width) => ({ locale, scheme, width }))),
  ),
  { locale: 'en', scheme: 'light', width: 1280, isOld: true },
  { locale: 'de', scheme: 'dark', width: 320, isOld: true },
];

export interface ScreenSelection {
  /** The prefix of the names of the fixtures. */
  name: string;
  look: keyof typeof LOOKS;
}

/** @returns the number of screenshots */
export async function drawScreens(folder: string, { name: prefix, look: lookName }: ScreenSelection): Promise<number> {
  if (!Object.hasOwn(LOOKS, lookName)) throw new Error(`There are the looks ${Object.keys(LOOKS).join(', ')}.`);
  rmSync(folder, { recursive: true, force: true });
  const built = await buildPages();
  const preview = await previewPages(built, { look: LOOKS[lookName] });
  const browser = await launchChromium();
  const pages = FIXTURES.map((fixture) => toPageSubject(fixture, preview));
  const mails = MAIL_SAMPLES.map((sample) => toMailSubject(sample, LOOKS[lookName]));
  let drawn = 0;
  try {
    for (const view of VIEWS) {
      const subjects = [...pages, ...(view.isOld ? [] : mails)].filter(({ name }) => name.startsWith(prefix));
      drawn += subjects.length;
      if (subjects.length > 0) await drawView({ browser, folder, view, subjects });
    }
  } finally {
    await browser.close();
    await preview.close();
    built.remove();
  }
  return drawn;
}

/** What a screenshot shows. */
interface Subject {
  name: string;
  open(page: Page, view: View): Promise<void>;
  /** Stored beside the screenshot. */
  text?(locale: Locale): string;
}

function toPageSubject(fixture: Fixture, preview: PagePreview): Subject {
  return {
    name: fixture.name,
    open: async (page, { locale, isOld }) => {
      await page.goto(preview.show(fixture.path, fixture.state(locale)));
      await (isOld ? removeFlexGaps(page) : pageReady(page));
    },
  };
}

function toMailSubject({ name, mail }: MailSample, look: Look): Subject {
  return {
    name,
    open: async (page, { locale }) => {
      await page.goto('about:blank');
      await page.setContent(mail(locale, look).html);
    },
    text: (locale) => `${mail(locale, look).subject}\n\n${mail(locale, look).text}`,
  };
}

interface Drawing {
  browser: Browser;
  folder: string;
  view: View;
  subjects: readonly Subject[];
}

async function drawView({ browser, folder, view, subjects }: Drawing): Promise<void> {
  const pictures = join(folder, `${view.locale}-${view.scheme}-${view.width}${view.isOld ? '-2019' : ''}`);
  mkdirSync(pictures, { recursive: true });
  const context = await browser.newContext({
    colorScheme: view.scheme,
    viewport: { width: view.width, height: WIDTHS[view.width] },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  if (view.isOld) await emulate2019(page);
  for (const { name, open, text } of subjects) {
    await open(page, view);
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true, caret: 'hide' });
    if (text) writeFileSync(join(pictures, `${name}.txt`), text(view.locale));
  }
  await page.close();
  const names = subjects.map(({ name }) => name);
  await drawSheet({ context, folder: pictures, names, columns: view.width < 600 ? 10 : 5 });
  await context.close();
}

interface Sheet {
  context: BrowserContext;
  /** Folder of the screenshots; the sheet is rendered beside it, and also stored in it as a page. */
  folder: string;
  names: readonly string[];
  columns: number;
}

async function drawSheet({ context, folder, names, columns }: Sheet): Promise<void> {
  const index = join(folder, 'index.html');
  const figures = names.map((name) => `<figure><img src="${name}.png"><figcaption>${name}</figcaption></figure>`);
  const style = `body{margin:12px;background:#888;font:13px sans-serif;display:grid;gap:12px;grid-template-columns:repeat(${columns},1fr);align-items:start}figure{margin:0}img{width:100%;display:block}`;
  writeFileSync(index, `<!doctype html><meta charset="utf-8"><style>${style}</style>${figures.join('')}`);
  const page = await context.newPage();
  await page.setViewportSize({ width: 2400, height: 1000 });
  await page.goto(pathToFileURL(index).href);
  await page.screenshot({ path: `${folder}.png`, fullPage: true });
  await page.close();
}
