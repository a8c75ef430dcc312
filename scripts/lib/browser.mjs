/**
 * Finds the browser of the end-to-end tests, or installs it: as root from Debian's packages, otherwise with
 * Playwright. `CHROMIUM` selects another browser.
 */
import { accessSync, constants } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { machineEnv, run } from './run.mjs';
import { runTool } from './tools.mjs';

const SHELL = 'chromium-headless-shell';
/** Names of browsers to look for. The headless shell is first, because it needs much less processor time than the whole browser. */
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const MAC_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * Opening a page takes six times as much processor time in the whole browser as in the headless shell, so the shell is installed as
 * well where Debian has both.
 * @returns {Promise<string | null>} path of the browser; null if there is none, after printing the reason
 */
export async function ensureBrowser(say) {
  const currentPath = findBrowser();
  if (currentPath && (isChosen(currentPath) || isShell(currentPath) || !mayBeDebian())) return currentPath;
  say(`Installing ${currentPath ? 'the headless shell of Chromium' : 'a browser'} for the end-to-end tests …`);
  const browser = (await installFromDebian(say)) ?? currentPath ?? (await installFromPlaywright(say));
  if (!browser) say('There is no browser: install Chromium, or set CHROMIUM=/path/to/chromium.');
  return browser;
}

function findBrowser() {
  const configured = process.env.CHROMIUM;
  const pathCandidates = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...(configured ? [configured] : []), ...pathCandidates, ...MAC_PATHS].find(isExecutable) ?? null;
}

const isChosen = (path) => path === process.env.CHROMIUM;

const isShell = (path) => basename(path) === SHELL;

const mayBeDebian = () => process.platform === 'linux' && process.getuid?.() === 0;

async function installFromDebian(say) {
  if (!mayBeDebian()) return null;
  const env = machineEnv({ DEBIAN_FRONTEND: 'noninteractive' });
  await run('apt-get', ['update', '-qq'], { env });
  const install = (name) =>
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name, 'fonts-liberation'], { env });
  let result = await install(SHELL);
  // Older Debian releases have only the whole browser.
  if (result.code !== 0 && findBrowser() === null) result = await install('chromium');
  if (result.code !== 0) say(result.output.trimEnd());
  return findBrowser();
}

/** Installs a browser with Playwright, which also returns the path of its browser. */
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
