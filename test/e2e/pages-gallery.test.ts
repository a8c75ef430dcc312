/** The gallery of `npm run screens -- --serve`: search, the chosen state, and accessibility checks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Frame, Page } from 'playwright-core';
import { FIXTURES } from '../../web/fixtures/index.js';
import { launchChromium, pageReady } from '../support/chromium.js';
import { serveGallery, type ServedGallery } from '../support/gallery/run-gallery.js';
import { MAIL_SAMPLES } from '../support/mail-samples.js';
import { waitUntil } from '../support/upstream-waiting.js';

let gallery: ServedGallery;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [gallery, browser] = await Promise.all([serveGallery(0), launchChromium()]);
}, 180_000);

afterAll(async () => {
  await browser.close();
  await gallery.close();
});

const open = async (hash: string) => {
  page = await browser.newPage();
  await page.goto(`${gallery.origin}/#${hash}`);
  await waitUntilShown(hash.split('?')[0] ?? '');
};
const waitUntilShown = (name: string) => page.locator(`body[data-shown="${name}"]`).waitFor();
const frame = () => page.frameLocator('iframe');

it('lists every state and every mail, and finds them by parts of their names', async () => {
  await open('login');
  const listed = page.locator('nav li:visible');
  expect(await listed.count()).toBe(FIXTURES.length + MAIL_SAMPLES.length);
  await page.getByLabel('Search').fill('mail deletion');
  const wanted = MAIL_SAMPLES.filter(({ name }) => name.includes('deletion')).map(({ name }) => name);
  expect((await listed.locator('a').allTextContents()).sort()).toEqual(wanted.sort());
  await listed.getByRole('link', { name: 'mail-deletion-requested' }).click();
  await waitUntilShown('mail-deletion-requested');
  expect(await page.locator('.text').textContent()).toContain('maria.musterfrau');
});

it('shows a state in the chosen language, theme, look and width, and keeps the choices in the address', async () => {
  await open('login?locale=de&theme=dark&look=sun&width=320');
  expect(await frame().locator('html').getAttribute('lang')).toBe('de');
  const background = () => frame().locator('body').evaluate('getComputedStyle(document.body).backgroundColor');
  const dark = await background();
  expect((await page.locator('iframe').boundingBox())?.width).toBe(320);
  await page.getByLabel('Theme').selectOption('light');
  await page.waitForURL(/theme=light/);
  await waitUntilShown('login');
  expect(await background()).not.toBe(dark);
  const button = () =>
    frame().locator('.btn.primary').evaluate('getComputedStyle(document.querySelector(".btn.primary")).backgroundColor');
  expect(await button()).toBe('rgb(255, 210, 74)');
  await page.getByLabel('Look').selectOption('app');
  await page.waitForURL(/look=app/);
  await waitUntilShown('login');
  expect([await button(), (await frame().locator('.brand').textContent())?.trim()]).toEqual(['rgb(179, 0, 94)', 'Nordlicht']);
});

it('shows a mail, which has no switch for the theme, in the chosen look and theme', async () => {
  await open('mail-invitation?locale=en&theme=dark&look=sun');
  const toColour = (selector: string) =>
    frame().locator('body').evaluate(`getComputedStyle(document.querySelector("${selector}")).backgroundColor`);
  expect([await toColour('.first'), await toColour('.card')]).toEqual(['rgb(255, 210, 74)', 'rgb(30, 28, 26)']);
  expect(await page.locator('.text').textContent()).toContain('Sonnenhof');
  await page.getByLabel('Theme').selectOption('light');
  await page.waitForURL(/theme=light/);
  await waitUntilShown('mail-invitation');
  expect(await toColour('.card')).toBe('rgb(255, 255, 255)');
});

it('shows English pages as wide as a phone at first', async () => {
  page = await browser.newPage();
  await page.goto(`${gallery.origin}/`);
  await page.locator('body[data-shown]').waitFor();
  expect([await frame().locator('html').getAttribute('lang'), (await page.locator('iframe').boundingBox())?.width]).toEqual([
    'en',
    390,
  ]);
});

it.each(['off', 'on'])('shows a page with script %s, and reports what axe finds', async (script) => {
  await open(`manage-devices?script=${script}&width=390`);
  if (script === 'on') await pageReady(page.frames()[1] as Frame);
  await page.getByRole('button', { name: 'Check accessibility' }).click();
  await page.getByText('axe found no violations.').waitFor();
  expect(await page.locator('a[aria-current=true] + .found').textContent()).toBe('✓ 0');
});

it.each(['while it is served', 'while its pages are built'])(
  'leaves no folder behind after SIGTERM, %s',
  async (moment) => {
    const env = { ...process.env, GALLERY_PORT: '0' };
    const served = spawn(process.execPath, [join('scripts', 'screens.mjs'), '--serve'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(served, 'exit');
    const folders = () => readdirSync('.cache').filter((name) => name.startsWith(`foyer-run-${served.pid}-`));
    let said = '';
    served.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const isAt = () => (moment === 'while it is served' ? said.includes('The gallery: http') : folders().length > 0);
    await waitUntil(120_000, () => Promise.resolve(isAt()));
    expect(folders()).toHaveLength(1);
    served.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
    expect(folders()).toEqual([]);
  },
  180_000,
);
