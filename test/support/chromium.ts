/**
 * Starts the Chromium of this machine for tests and screenshots. `npm test` and `npm run screens` install one if
 * there is none; a single test explains how to install it.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Frame, type Page } from 'playwright-core';

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

/** Turns background traffic of the browser off, and the sandbox if root does not allow one. */
const FLAGS = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  // Most documents are open for less than a second, so optimised code costs more than it saves: without it, `pages` needs a seventh less CPU.
  '--js-flags=--no-opt --no-maglev',
];

/** As in the tests: on a busy machine a page may need longer than the 30 seconds of Playwright. */
const TIMEOUT_MS = 180_000;

/** Without a GPU, the processor draws everything that moves. Tests of motion turn motion on. */
const STILL = { reducedMotion: 'reduce' } as const;

/** @param more further flags */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const options = { executablePath: findChromium(), args: [...flags(), ...more], timeout: TIMEOUT_MS };
  const browser = await chromium.launch(options);
  browser.on('context', (context) => context.setDefaultTimeout(TIMEOUT_MS));
  const newContext = browser.newContext.bind(browser);
  browser.newContext = (own) => newContext({ ...STILL, ...own });
  return browser;
}

/** Opens a browser that keeps its profile in this folder. After it is closed and opened again, it has lost only its session cookies. */
export async function openProfile(folder: string): Promise<BrowserContext> {
  const options = { executablePath: findChromium(), args: flags(), locale: 'en-GB', timeout: TIMEOUT_MS, ...STILL };
  const context = await chromium.launchPersistentContext(folder, options);
  context.setDefaultTimeout(TIMEOUT_MS);
  return context;
}

const flags = (): string[] => (process.getuid?.() === 0 ? [...FLAGS, '--no-sandbox'] : FLAGS);

/**
 * Waits until the script has hydrated the page. Uses an expression, because the content policy forbids `eval` of a
 * function.
 */
export async function pageReady(page: Page | Frame): Promise<void> {
  await page.evaluate(`new Promise((resolve) =>
    new PerformanceObserver((list) => list.getEntriesByName('foyer-ready').length > 0 && resolve(null))
      .observe({ type: 'mark', buffered: true }))`);
}

export function findChromium(): string {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const named = process.env['CHROMIUM'];
  const found = (named ? [named, ...onPath] : onPath).find(isExecutable);
  if (found) return found;
  throw new Error('There is no Chromium on the PATH. `npm test` installs one; CHROMIUM=/path/to/chromium names another.');
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
