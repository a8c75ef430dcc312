/** Pages in the looks of installations and of an app, in Chromium: what axe finds, which colours are used, what is refused. */
import { readFileSync } from 'node:fs';
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { FIXTURES } from '../../web/fixtures/index.js';
import { launchChromium, pageReady } from '../support/chromium.js';
import { LOOKS, type Look } from '../support/looks.js';
import { matrix } from '../support/matrix.js';
import { loadOrBuildPages, type BuiltPages } from '../support/page-build.js';
import { previewPages, type PagePreview } from '../support/page-preview.js';

const AXE = '/axe.js';
const LOAD_AXE = `new Promise((loaded, failed) =>
  document.head.append(Object.assign(document.createElement('script'), { src: '${AXE}', onload: loaded, onerror: failed }))).then(() => null)`;
const RUN_AXE = `axe.run(document, { resultTypes: ['violations'], preload: false }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`;

/** Together these pages have every kind of button, alert, tag, row and field. */
const PAGES = [
  'login-client-logo',
  'login-error-credentials',
  'login-missing-both',
  'login-challenge-missing',
  'consent',
  'consent-device',
  'device-prefilled',
  'mfa-choose',
  'mfa-enrol-totp',
  'password-reset',
  'password-reset-done',
  'manage',
  'manage-frozen',
  'manage-devices',
  'manage-deletion',
].map((name) => ({ name }));
const LOOK_NAMES = ['night', 'sun', 'app'] as const;
const COMBINATIONS = matrix(PAGES, { look: LOOK_NAMES, colorScheme: ['light', 'dark'] });
const STYLE = /```css\n([^]*?)```/.exec(readFileSync('docs/looks.md', 'utf8'))?.[1] ?? '';

let built: BuiltPages;
let browser: Browser;
let preview: PagePreview;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  [built, browser] = await Promise.all([loadOrBuildPages(), launchChromium()]);
}, 180_000);
afterAll(async () => {
  await browser.close();
  built.remove();
});

async function startPreview(look: Look): Promise<void> {
  preview = await previewPages(built, { look, scripts: { [AXE]: axe.source } });
  page = await browser.newPage({ reducedMotion: 'reduce' });
  complaints = [];
  // Violations of the content policy are reported here.
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
}
async function endPreview(): Promise<void> {
  await page.close();
  await preview.close();
}

async function open(name: string): Promise<void> {
  const fixture = FIXTURES.find((candidate) => candidate.name === name)!;
  await page.goto(preview.show(fixture.path, fixture.state('en')));
  await pageReady(page);
}

const style = (selector: string, property: string) =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${property}')`);
const findLogo = (selector: string) => page.evaluate<string>(`document.querySelector('${selector}').currentSrc`);

describe.each(LOOK_NAMES)('the look %s', (applied) => {
  beforeAll(() => startPreview(LOOKS[applied]));
  afterAll(endPreview);

  it.each(COMBINATIONS.filter(({ look }) => look === applied))(
    '[LKS-1] [LKS-4] $name when it is $colorScheme: axe finds nothing, and nothing is refused',
    async ({ name, colorScheme }) => {
      await page.emulateMedia({ colorScheme });
      await open(name);
      await page.evaluate(LOAD_AXE);
      expect(await page.evaluate(RUN_AXE)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );
});

describe('[LKS-1] a button', () => {
  const WHITE = 'rgb(255, 255, 255)';
  const NO_EDGE = 'rgba(0, 0, 0, 0)';
  const YELLOW = { fill: 'rgb(255, 210, 74)', text: 'rgb(0, 0, 0)' };

  afterAll(endPreview);

  it('has the configured colour, readable text, and an edge if it would be hard to see', async () => {
    await startPreview(LOOKS.sun);
    await open('login');
    const button = async () => ({
      fill: await style('.btn.primary', 'background-color'),
      text: await style('.btn.primary', 'color'),
      edge: await style('.btn.primary', 'border-top-color'),
    });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await button()).toEqual({ ...YELLOW, edge: NO_EDGE });
    await page.emulateMedia({ colorScheme: 'light' });
    const { edge, ...rest } = await button();
    expect(rest).toEqual(YELLOW);
    expect(edge).not.toBe(NO_EDGE);
  });

  it('that deletes is red with white text in every look', async () => {
    await open('manage-deletion');
    expect([await style('.btn.primary.danger', 'color'), await style('.btn.primary.danger', 'border-top-color')]).toEqual([
      WHITE,
      NO_EDGE,
    ]);
  });
});

describe('[LKS-2] logos', () => {
  beforeAll(() => startPreview({ ...LOOKS.app, app: LOOKS.night.app }));
  afterAll(endPreview);

  it('are those of the theme, without a background if there is one for the theme', async () => {
    for (const [colorScheme, member] of [
      ['light', 'logo_url'],
      ['dark', 'logo_dark_url'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await open('login-client-logo');
      expect(await findLogo('.brand img')).toBe(LOOKS.night.app[member]);
      expect(await findLogo('.heading .logo')).toBe(LOOKS.app.client[member]);
    }
    expect(await style('.heading .logo', 'background-color')).toBe('rgba(0, 0, 0, 0)');
    expect(await style('.brand img', 'background-color')).toBe('rgba(0, 0, 0, 0)');
  });
});

describe('[LKS-3] the stylesheet of the documents', () => {
  beforeAll(() => startPreview({ installation: { brandColour: '#1c1f6b', style: STYLE } }));
  afterAll(endPreview);

  it('takes precedence over those of the build, in both themes', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await open('login');
    const look = async () => [await style('body', 'background-color'), await style('.card', 'border-top-width')];
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await look()).toEqual(['rgb(238, 242, 247)', '2px']);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await look()).toEqual(['rgb(13, 19, 28)', '2px']);
  });
});
