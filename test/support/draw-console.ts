/** Draws every page and dialog of the console, in both languages, light and dark, narrow and wide: `npm run screens -- console`. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { NOW } from '../../console/fixtures/accounts.js';
import { launchChromium } from './chromium.js';
import { loadOrBuildConsole, previewConsole, type ConsolePreview } from './console-preview.js';
import { SCENES, hasDialog, openScene, type Scene } from './console-scenes.js';

const HEIGHTS = { 390: 844, 1280: 900 } as const;

interface View {
  locale: 'en' | 'de';
  scheme: 'light' | 'dark';
  width: keyof typeof HEIGHTS;
}

const VIEWS: readonly View[] = (['en', 'de'] as const).flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((scheme) => ([390, 1280] as const).map((width) => ({ locale, scheme, width }))),
);

interface Drawing {
  browser: Browser;
  preview: ConsolePreview;
  folder: string;
  view: View;
}

/** @param wanted the prefix of the names of the scenes @returns the number of pictures */
export async function drawConsole(folder: string, wanted: string, views: readonly View[] = VIEWS): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  const built = await loadOrBuildConsole();
  const preview = await previewConsole(built.folder);
  const browser = await launchChromium();
  const scenes = SCENES.filter(({ name }) => name.startsWith(wanted));
  try {
    for (const view of views) {
      mkdirSync(join(folder, toName(view)), { recursive: true });
      for (const scene of scenes) await drawScene({ browser, preview, folder, view }, scene);
    }
  } finally {
    await browser.close();
    await preview.close();
    built.remove();
  }
  return scenes.length * views.length;
}

const toName = ({ locale, scheme, width }: View): string => `${locale}-${scheme}-${width}`;

async function drawScene({ browser, preview, folder, view }: Drawing, scene: Scene): Promise<void> {
  const { locale, scheme, width } = view;
  const viewport = { width, height: HEIGHTS[width] };
  const context = await browser.newContext({ colorScheme: scheme, viewport, locale, timezoneId: 'Europe/Berlin' });
  await context.clock.setFixedTime(NOW);
  const page = await context.newPage();
  await openScene(page, preview, scene);
  // The window is as high as the page, so that what is fixed to its edges is where it belongs. Below a dialog it stays as it is.
  if (!(await hasDialog(page))) await page.setViewportSize({ width, height: await measureHeight(page, HEIGHTS[width]) });
  await page.screenshot({ path: join(folder, toName(view), `${scene.name}.png`), caret: 'hide' });
  await context.close();
}

async function measureHeight(page: Page, least: number): Promise<number> {
  return Math.max(least, await page.evaluate<number>('document.documentElement.scrollHeight'));
}
