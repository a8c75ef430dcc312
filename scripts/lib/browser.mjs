/**
 * Finds the browser of the end-to-end tests, or installs it: as root from Debian's packages, otherwise with
 * Playwright. `CHROMIUM` selects another browser.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { machineEnv, run } from './run.mjs';
import { runTool } from './tools.mjs';

/** Names of browsers to look for. The headless shell is first, because it needs a third less CPU time than the whole browser. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const MAC_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** @returns {Promise<string | null>} path of the browser; null if there is none, after printing the reason */
export async function ensureBrowser(say) {
  const found = findBrowser();
  if (found) return found;
  say('Installing a browser for the end-to-end tests …');
  const installed = (await installFromDebian(say)) ?? (await installFromPlaywright(say));
  if (!installed) say('There is no browser: install Chromium, or set CHROMIUM=/path/to/chromium.');
  return installed;
}

function findBrowser() {
  const named = process.env.CHROMIUM;
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...(named ? [named] : []), ...onPath, ...MAC_PATHS].find(isExecutable) ?? null;
}

async function installFromDebian(say) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const env = machineEnv({ DEBIAN_FRONTEND: 'noninteractive' });
  await run('apt-get', ['update', '-qq'], { env });
  const install = (name) =>
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name, 'fonts-liberation'], { env });
  let result = await install('chromium-headless-shell');
  // Older Debian releases have only the whole browser.
  if (result.code !== 0) result = await install('chromium');
  if (result.code !== 0) say(result.output.trimEnd());
  return findBrowser();
}

/** Installs a browser with Playwright, which also knows the path of its browser folder. */
async function installFromPlaywright(say) {
  const { code, output } = await runTool('playwright-core', ['install', 'chromium', '--only-shell']);
  if (code !== 0) {
    say(output.trimEnd());
    return null;
  }
  const { chromium } = await import('playwright-core');
  const path = chromium.executablePath();
  return isExecutable(path) ? path : null;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
