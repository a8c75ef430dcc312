/** The appearance of the pages that markup alone does not show: narrow and wide windows, forced colours, print. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PageLoads } from '../support/page-loads.js';

let loads: PageLoads;

beforeAll(async () => {
  loads = await PageLoads.start();
});
afterAll(() => loads.end());
beforeEach(() => loads.newPerson());
afterEach(() => loads.context.close());

const toBox = async (selector: string) => {
  const box = await loads.page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not shown`);
  return box;
};

const style = (selector: string, property: string) =>
  loads.page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${property}')`);

it('[CON-3] on a narrow page, "required" is below the text of its row', async () => {
  await loads.page.setViewportSize({ width: 320, height: 640 });
  await loads.open('consent');
  const [text, word] = [await toBox('.row.wraps .what'), await toBox('.row.wraps .aside')];
  expect(word.y).toBeGreaterThanOrEqual(text.y + text.height);
  expect(word.x).toBeCloseTo(text.x, 0);
});

it('[ERR-5] the error text of an app can be unfolded, and is set apart when it is', async () => {
  await loads.open('oauth-error-hostile');
  const arrow = () => loads.page.evaluate<string>(`getComputedStyle(document.querySelector('summary'), '::after').transform`);
  const closed = await arrow();
  expect(closed).not.toBe('none');
  expect((await toBox('summary')).height).toBeGreaterThanOrEqual(24);
  await loads.page.locator('summary').click();
  expect(await arrow()).not.toBe(closed);
  expect(await style('blockquote', 'border-top-width')).toBe('1px');
});

it('[LOG-4] the link to a new account is as high as a button', async () => {
  await loads.open('login-register');
  expect((await toBox('button.text')).height).toBeGreaterThanOrEqual(44);
});

it('both buttons are side by side in the wide account area', async () => {
  await loads.open('manage-switch');
  const [stay, open] = [await toBox('.btn.primary'), await toBox('.btn:not(.primary)')];
  expect(open.y).toBe(stay.y);
  expect(open.x).toBeGreaterThan(stay.x + stay.width);
});

it('no button spans the whole wide page; a second one is below it, with aligned text', async () => {
  await loads.open('manage-address-code');
  const [button, card] = [await toBox('.btn.primary'), await toBox('.card')];
  expect(button.width).toBeLessThan(card.width / 2);
  expect((await toBox('.tight > .btn.quiet')).x).toBeLessThan(button.x);
});

it('a form without a field has its second button beside the first one', async () => {
  await loads.open('manage-email');
  const [button, second] = [await toBox('.btn.primary'), await toBox('.btn.quiet')];
  expect(second.y).toBe(button.y);
  expect(second.x).toBeGreaterThan(button.x + button.width);
});

it.each(['manage-devices', 'manage-apps'])(
  '%s: the button is beside its text if there is room, otherwise below it',
  async (name) => {
    await loads.open(name);
    // A row whose scopes can be changed has two, below its text.
    const row = '.row:has(.row-actions):not(:has(.disclosure))';
    const boxes = async () => [await toBox(`${row} .what`), await toBox(`${row} .row-actions .btn`)] as const;
    const [wideText, wideButton] = await boxes();
    expect(wideButton.x).toBeGreaterThanOrEqual(wideText.x + wideText.width);
    expect(wideButton.y).toBeLessThan(wideText.y + wideText.height);
    await loads.page.setViewportSize({ width: 320, height: 640 });
    const [text, button] = await boxes();
    expect(button.y).toBeGreaterThanOrEqual(text.y + text.height);
    expect(button.x).toBeCloseTo(text.x, 0);
  },
);

it('the content after a list of passkeys is aligned with their texts', async () => {
  await loads.open('manage-mfa-passkeys');
  const text = await toBox('#passkey .what');
  expect((await toBox('#passkey p > .btn')).x).toBeCloseTo(text.x, 0);
  expect(await style('#passkey .quiet-text', 'padding-left')).toBe(await style('#passkey p:last-child', 'padding-left'));
});

it.each([
  ['Rename', 0],
  ['Remove', 1],
])('the question of "%s" opens below the buttons, which do not move', async (name, position) => {
  await loads.open('manage-mfa');
  const buttons = loads.page.locator('.row:has-text("Schlüsselbund") summary');
  const boxes = () =>
    loads.page.evaluate<[number, number][]>(`[...document.querySelectorAll('.panel .row-actions')[1].querySelectorAll('summary')]
      .map((button) => button.getBoundingClientRect()).map(({ x, y }) => [x, y])`);
  const before = await boxes();
  const pressed = buttons.nth(position);
  expect(await pressed.textContent()).toContain(name);
  await pressed.click();
  expect(await boxes()).toEqual(before);
  const form = await toBox('.disclosure[open] form');
  expect(form.y).toBeGreaterThan(before[1]?.[1] ?? Infinity);
  await loads.page.keyboard.press('Escape');
  expect(await loads.hasFocus(pressed)).toBe(true);
});

describe('in forced colours', () => {
  beforeEach(() => loads.page.emulateMedia({ forcedColors: 'active' }));

  it('[VAL-2] an empty segment of the strength meter differs from a full one', async () => {
    await loads.open('manage-password');
    expect((await toBox('.strength i')).height).toBeGreaterThanOrEqual(8);
    expect(await style('.strength i', 'background-color')).toBe(await style('body', 'background-color'));
  });

  it('[MAN-13] a disabled button differs from an enabled one', async () => {
    await loads.open('manage-password');
    expect(await loads.page.locator('.btn.primary.needs-script').isDisabled()).toBe(true);
    const off = await style('.btn.primary.needs-script', 'background-color');
    await loads.open('login');
    expect(await style('.btn.primary', 'background-color')).not.toBe(off);
  });
});

it.each(['mfa-codes', 'manage-recovery-codes-made'])('%s: no link to another language discards the codes', async (name) => {
  await loads.open(name);
  const legal = loads.page.getByRole('navigation', { name: 'Legal' });
  expect(await legal.isVisible()).toBe(true);
  expect(await loads.page.getByRole('link', { name: 'Deutsch' }).isVisible()).toBe(false);
});

it('printed recovery codes: the codes, without the parts for the screen', async () => {
  await loads.open('mfa-codes');
  await loads.page.emulateMedia({ media: 'print' });
  const isShown = (selector: string) => loads.page.locator(selector).first().isVisible();
  expect(await isShown('.codes')).toBe(true);
  for (const selector of ['.alert', '.account-chip > a', '.btn', '.foot'])
    expect([selector, await isShown(selector)]).toEqual([selector, false]);
});

it.each(['manage', 'manage-apps', 'manage-data', 'manage-deletion'])('%s in print: light, and without buttons', async (name) => {
  await loads.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await loads.open(name);
  expect(await loads.page.locator('.btn:visible, button:visible, .go:visible, .foot:visible').count()).toBe(0);
  expect(await style('h1', 'color')).toBe('rgb(31, 28, 24)');
});

it.each([
  ['ar', -1],
  ['en', 1],
] as const)('in %s the arrows point back and on in the direction of the text', async (locale, direction) => {
  await loads.open('manage-mfa', locale);
  for (const arrow of ['.back .icon', '.go']) {
    const turned = await loads.page.evaluate<number>(
      `new DOMMatrix(getComputedStyle(document.querySelector('${arrow}')).transform).a`,
    );
    expect([arrow, turned]).toEqual([arrow, direction]);
  }
});

it('a button that has copied keeps its width', async () => {
  await loads.context.grantPermissions(['clipboard-write']);
  await loads.open('mfa-codes');
  const button = '.actions > .btn:not([download])';
  const before = await toBox(button);
  await loads.page.locator(button).first().click();
  await loads.page.getByRole('button', { name: 'Copied' }).waitFor();
  expect((await toBox(button)).width).toBeCloseTo(before.width, 0);
});

it('[MAN-10] on a narrow page, the button of a provider is below its text', async () => {
  await loads.page.setViewportSize({ width: 320, height: 640 });
  await loads.open('manage');
  const row = '.row.wraps:has(.btn)';
  const [text, button] = [await toBox(`${row} .what`), await toBox(`${row} .btn:visible`)];
  expect(button.y).toBeGreaterThanOrEqual(text.y + text.height);
  expect(button.x).toBeCloseTo(text.x, 0);
});

describe('the doorway behind the card', () => {
  const DOORWAY = `(({ content, display }) => content !== 'none' && display !== 'none')(getComputedStyle(document.getElementById('root'), '::before'))`;
  const isShown = () => loads.page.evaluate<boolean>(DOORWAY);

  it('is on the pages of a flow if there is room for it, not on the wide ones', async () => {
    await loads.open('login');
    expect(await isShown()).toBe(true);
    await loads.page.setViewportSize({ width: 760, height: 900 });
    expect(await isShown()).toBe(false);
    await loads.page.setViewportSize({ width: 1280, height: 900 });
    await loads.open('manage');
    expect(await isShown()).toBe(false);
  });

  it('ends above the footer, and makes no page wider than its window', async () => {
    for (const width of [768, 1280]) {
      await loads.page.setViewportSize({ width, height: 900 });
      await loads.open('login-languages');
      const rows = await style('#root', 'grid-template-rows');
      const above = rows
        .split(' ')
        .slice(0, 4)
        .reduce((sum, row) => sum + Number.parseFloat(row), 0);
      const foot = await toBox('.foot');
      const height = await loads.page.evaluate<string>(`getComputedStyle(document.getElementById('root'), '::before').height`);
      expect(above).toBeCloseTo(foot.y, 0);
      expect(Number.parseFloat(height)).toBeLessThanOrEqual(foot.y);
      const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await loads.page.evaluate<number>(beyond)).toBeLessThanOrEqual(0);
    }
  });

  it('is absent in forced colours and in print', async () => {
    await loads.open('login');
    await loads.page.emulateMedia({ forcedColors: 'active' });
    expect(await isShown()).toBe(false);
    await loads.page.emulateMedia({ forcedColors: 'none', media: 'print' });
    expect(await isShown()).toBe(false);
  });

  it('[LKS-3] is removed by a stylesheet of the installation', async () => {
    await loads.open('login');
    await loads.page.evaluate(`document.documentElement.style.setProperty('--doorway', 'none')`);
    expect(await isShown()).toBe(false);
  });
});
