/**
 * One state of every page as browsers of 2019 show it: without their script, and without styles that these browsers do
 * not support. Everything to read, press or fill in has sufficient contrast and size.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { FIXTURES } from '../../web/fixtures/index.js';
import { launchChromium, pageReady } from '../support/chromium.js';
import { emulate2019, emulateStylesOf2019, removeFlexGaps } from '../support/old-browser.js';
import { loadOrBuildPages, type BuiltPages } from '../support/page-build.js';
import { previewPages, type PagePreview } from '../support/page-preview.js';

const STATES = FIXTURES.map((fixture) => ({ fixture, page: fixture.state('en').page }))
  .filter(({ page }, index, all) => all.findIndex((other) => other.page === page) === index)
  .map(({ fixture, page }) => ({ name: page, fixture }));

let built: BuiltPages;
let preview: PagePreview;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  built = await loadOrBuildPages();
  [preview, browser] = await Promise.all([previewPages(built), launchChromium()]);
  page = await browser.newPage({ viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' });
  await emulate2019(page);
}, 180_000);

afterAll(async () => {
  await browser.close();
  await preview.close();
  built.remove();
});

interface Control {
  name: string;
  /** Contrast of the text with the background, and of the edge of a field with its surroundings. */
  text: number;
  edge: number;
  height: number;
  /** A link that is not between other text. */
  isPressed: boolean;
  isLarge: boolean;
}

/** Lists every visible control and text. Runs in the page. */
const CONTROLS = `(() => {
  const toColour = (text) => {
    const [r, g, b, alpha = 1] = text.match(/[\\d.]+/g).map(Number);
    return { rgb: [r, g, b], alpha };
  };
  const blend = ({ rgb, alpha }, below) => rgb.map((value, index) => value * alpha + below[index] * (1 - alpha));
  const toGround = (element) =>
    element ? blend(toColour(getComputedStyle(element).backgroundColor), toGround(element.parentElement)) : [255, 255, 255];
  const linear = (value) => (value <= 10.3 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const hasText = ({ childNodes }) => [...childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  const toContrasts = (element) => {
    const { color, borderTopColor } = getComputedStyle(element);
    const [ground, around] = [toGround(element), toGround(element.parentElement)];
    return {
      text: element.type === 'checkbox' ? 21 : contrast(blend(toColour(color), ground), ground),
      edge: element.matches('input') ? contrast(blend(toColour(borderTopColor), ground), around) : 21,
    };
  };
  return [...document.querySelectorAll('#root *')]
    .filter((element) => element.matches('a, button, input, summary') || hasText(element))
    .filter((element) => element.getClientRects().length > 0 && !element.closest('.sr') && !element.matches(':disabled'))
    .map((element) => ({
      name: [element.tagName, element.className, element.textContent.slice(0, 30)].join(' '),
      ...toContrasts(element),
      height: element.getBoundingClientRect().height,
      isPressed: element.matches('a, button, summary') && getComputedStyle(element).display !== 'inline',
      isLarge: element.matches('.btn:not(.compact), input:not([type=checkbox])'),
    }));
})()`;

const isHard = ({ text, edge, height, isPressed, isLarge }: Control): boolean =>
  text < 4.5 || edge < 3 || height < (isLarge ? 44 : isPressed ? 24 : 0);

describe.each(STATES)('[GEN-11] $name', ({ fixture }) => {
  beforeAll(async () => {
    await page.goto(preview.show(fixture.path, fixture.state('en')));
    await removeFlexGaps(page);
  });

  it('can be read and used in light and dark, without sideways scrolling at 320 px', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const controls = await page.evaluate<Control[]>(CONTROLS);
      expect(controls.length).toBeGreaterThan(2);
      expect([colorScheme, controls.filter(isHard)]).toEqual([colorScheme, []]);
    }
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate<number>(overflow)).toBe(0);
  });
});

const open = async (where: Page, name: string) => {
  const fixture = FIXTURES.find((candidate) => candidate.name === name)!;
  await where.goto(preview.show(fixture.path, fixture.state('en')));
};

describe('[GEN-12] what needs a script', () => {
  it('is not offered without a script', async () => {
    await open(page, 'manage-password');
    expect(await page.locator('.peek').first().isVisible()).toBe(false);
    expect(await page.locator('button.without-script').isVisible()).toBe(true);
  });

  it('is offered as soon as one runs, instead of the version without script', async () => {
    const newer = await browser.newPage();
    await emulateStylesOf2019(newer);
    await open(newer, 'manage-password');
    await pageReady(newer);
    expect(await newer.locator('.peek').first().isVisible()).toBe(true);
    expect(await newer.locator('button.without-script').isVisible()).toBe(false);
    await newer.close();
  });
});

it('[MAN-10] the text of a row is beside its picture if margins replace gaps', async () => {
  await open(page, 'manage');
  await removeFlexGaps(page);
  const tops = `[...document.querySelectorAll('.row > .tile')].map((tile) => tile.nextElementSibling.offsetTop - tile.offsetTop)`;
  expect((await page.evaluate<number[]>(tops)).filter((below) => below >= 36)).toEqual([]);
});

it('the dark theme is dark', async () => {
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).toBe('rgb(30, 28, 26)');
});
