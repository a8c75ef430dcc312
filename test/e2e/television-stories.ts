/** The television of the demo app in one Chromium window, and the person in another (RFC 8628). */
import { describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { hasCapability } from '../../src/hydra/versions.js';
import { browserStage } from '../support/browser-stage.js';
import { startInstallation, type Installation } from '../support/installation.js';
import { scriptOnAndOff } from '../support/matrix.js';
import type { Leg, MissingLeg } from '../support/upstream-leg.js';
import { waitUntil } from '../support/upstream-waiting.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;
const LOADED_WITHIN_MS = 180_000;
const MEASURE = '[document.readyState, document.documentElement.scrollWidth, document.documentElement.scrollHeight]';
const TELEVISION = { width: 1280, height: 720 };
const PHONE = { width: 320, height: 640 };

/** Runs the stories in front of a real server, or prints the reason why it cannot. */
export function televisionStoriesOn(leg: Leg | MissingLeg): void {
  if ('missing' in leg) {
    process.stderr.write(`SKIPPED: the television in front of ${leg.name}: ${leg.missing}\n`);
    const group = describe['skip'];
    group(`the television in front of ${leg.name}`, () => {
      it('runs where the server is available', () => undefined);
    });
    return;
  }
  describe(`the television, in front of ${leg.name} ${leg.version}`, () => {
    if (hasCapability(leg.version, 'deviceFlow')) televisionStories(() => startInstallation(leg));
    else storyWithoutDevices(() => startInstallation(leg));
  });
}

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();

interface Stage {
  installation: Installation;
  open(options: BrowserContextOptions): Promise<Page>;
}

function toStage(start: () => Promise<Installation>): (story: (stage: Stage) => Promise<void>) => Promise<void> {
  const stage = browserStage(start, TIMEOUT_MS);
  return async (story) => {
    const opened: { close(): Promise<void> }[] = [];
    const open = async (options: BrowserContextOptions): Promise<Page> => {
      const context = await stage.chromium.newContext({ locale: 'en', ...options });
      opened.push(context);
      return context.newPage();
    };
    try {
      await story({ installation: stage.installation, open });
    } finally {
      await Promise.all(opened.map((context) => context.close()));
    }
  };
}

const showCode = async (television: Page, appUrl: string): Promise<string> => {
  await television.goto(appUrl);
  await television.getByRole('link', { name: 'Sign in on a television' }).click();
  await press(television, 'Sign in');
  return codeOn(television);
};

const codeOn = async (television: Page): Promise<string> => (await television.locator('.code').textContent()) ?? '';

/** @param act the button that ends the request */
const enterCode = async (phone: Page, { code, address, person }: Entry, act: string): Promise<void> => {
  await phone.goto(address);
  await phone.getByLabel(words('device.code'), { exact: true }).fill(code);
  await press(phone, words('device.submit'));
  await phone.getByLabel(words('login.username'), { exact: true }).fill(person.username);
  await phone.getByLabel(words('login.password'), { exact: true }).fill(person.password);
  await press(phone, words('login.submit'));
  await phone.getByText(words('consent.device'), { exact: true }).waitFor();
  await phone.getByText('Beispielportal TV').first().waitFor();
  await press(phone, act);
};

/** Width and height once the styles are loaded, because without its script the page reloads repeatedly. */
const measureSize = async (page: Page): Promise<number[]> => {
  let measured: [string, number, number] = ['', 0, 0];
  await waitUntil(LOADED_WITHIN_MS, async () => {
    measured = await page.evaluate<typeof measured>(MEASURE).catch(() => measured);
    return measured[0] === 'complete';
  });
  return measured.slice(1) as number[];
};

interface Entry {
  code: string;
  address: string;
  person: { username: string; password: string };
}

const addressOn = async (television: Page): Promise<string> =>
  (await television.locator('.screen-address').getAttribute('href')) ?? '';

/** @param start a whole installation; called once */
export function televisionStories(start: () => Promise<Installation>): void {
  const onStage = toStage(start);

  it.each(scriptOnAndOff(true))(
    '[DEV-2] [DEV-3] [GEN-9] shows a code, waits, names the person and can be signed out (script: %s)',
    (javaScriptEnabled) =>
      onStage(async ({ installation, open }) => {
        const television = await open({ viewport: TELEVISION, javaScriptEnabled });
        const code = await showCode(television, installation.appUrl);
        expect(await measureSize(television)).toEqual([TELEVISION.width, TELEVISION.height]);
        const phone = await open({ viewport: PHONE });
        const person = await installation.newPerson();
        await enterCode(phone, { code, address: await addressOn(television), person }, words('consent.allow'));
        await heading(phone, words('device_end.success'));
        await heading(television, 'Hello, Maria Musterfrau');
        await press(television, 'Sign out of the television');
        await heading(television, 'Your contracts on the big screen');
      }),
    TIMEOUT_MS,
  );

  it(
    '[DEV-4] waits for somebody else after a refusal, and can show a new code',
    () =>
      onStage(async ({ installation, open }) => {
        const television = await open({ viewport: PHONE });
        const code = await showCode(television, installation.appUrl);
        expect((await measureSize(television))[0]).toBe(PHONE.width);
        const phone = await open({ viewport: PHONE });
        const person = await installation.newPerson();
        await enterCode(phone, { code, address: await addressOn(television), person }, words('consent.deny'));
        await heading(phone, words('device_end.denied'));
        await press(television, 'New code');
        await television.locator(`[data-user-code]:not([data-user-code="${code}"])`).waitFor();
        expect(await codeOn(television)).not.toBe(code);
      }),
    TIMEOUT_MS,
  );
}

/** Stories for a Hydra without device authorization. */
function storyWithoutDevices(start: () => Promise<Installation>): void {
  const onStage = toStage(start);

  it(
    'names the first version of Hydra that can sign in devices',
    () =>
      onStage(async ({ installation, open }) => {
        const television = await open({ viewport: TELEVISION });
        await television.goto(`${installation.appUrl}/tv`);
        await press(television, 'Sign in');
        await television.getByText('This version of Hydra cannot sign in devices; version 25.4 and later can.').waitFor();
      }),
    TIMEOUT_MS,
  );
}
