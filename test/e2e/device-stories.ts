/** A device without a browser, and the Chromium of its person: the code, the sign-in, the warning, the end (RFC 8628). */
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { hasCapability } from '../../src/hydra/versions.js';
import { browserStage } from '../support/browser-stage.js';
import { DEVICE_CLIENT, Device } from '../support/device.js';
import { startInstallation, type Installation } from '../support/installation.js';
import { scriptOnAndOff } from '../support/matrix.js';
import { OAuthClient } from '../support/oauth-client.js';
import { AdminApi } from '../support/upstream-admin.js';
import type { Leg, MissingLeg } from '../support/upstream-leg.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;
const PHONE = { width: 320, height: 640 };

/** Runs the stories in front of a real server, or prints the reason why it cannot. */
export function deviceStoriesOn(leg: Leg | MissingLeg): void {
  const missing = 'missing' in leg ? leg.missing : hasCapability(leg.version, 'deviceFlow') ? null : 'it has no devices';
  if (missing !== null) {
    process.stderr.write(`SKIPPED: devices in a browser, in front of ${leg.name}: ${missing}\n`);
    const group = describe['skip'];
    group(`devices in front of ${leg.name}`, () => {
      it('runs where the server is available', () => undefined);
    });
    return;
  }
  if ('missing' in leg) return;
  describe(`devices in a browser, in front of ${leg.name} ${leg.version}`, () => {
    deviceStories(() => startInstallation(leg));
  });
}

const button = (page: Page, key: string) => page.getByRole('button', { name: words(key), exact: true });
const heading = (page: Page, key: string) => page.getByRole('heading', { level: 1, name: words(key) }).waitFor();

/** @param start a whole installation; called once */
export function deviceStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  const newDevice = async (): Promise<Device> => {
    const { issuer, adminUrl = '' } = stage.installation;
    const client = { ...DEVICE_CLIENT, client_name: 'Fernseher', scope: 'openid offline', token_endpoint_auth_method: 'none' };
    const { client_id: clientId } = await new AdminApi(adminUrl).createClient(client);
    return Device.start(new OAuthClient(issuer, { clientId, redirectUri: '' }));
  };

  const signIn = async (page: Page): Promise<void> => {
    const { username, password } = await stage.installation.newPerson();
    await page.getByLabel(words('login.username'), { exact: true }).fill(username);
    await page.getByLabel(words('login.password'), { exact: true }).fill(password);
    await button(page, 'login.submit').click();
  };

  const withContext = async (options: { javaScriptEnabled: boolean }, story: (page: Page) => Promise<void>): Promise<void> => {
    const context = await stage.chromium.newContext({ ...options, viewport: PHONE, locale: 'en' });
    try {
      await story(await context.newPage());
    } finally {
      await context.close();
    }
  };

  it.each(scriptOnAndOff(false))(
    '[DEV-1] [DEV-2] [DEV-3] [GEN-9] the code is entered, access is granted, and the device gets its tokens (script: %s)',
    (javaScriptEnabled) =>
      withContext({ javaScriptEnabled }, async (page) => {
        const device = await newDevice();
        await page.goto(`${stage.installation.gatewayUrl}/device`);
        await heading(page, 'device.heading');
        const code = page.getByLabel(words('device.code'), { exact: true });
        await code.fill('wrong');
        await button(page, 'device.submit').click();
        await page.getByText(words('device.wrong')).waitFor();
        await code.fill(`${device.userCode.slice(0, 4)}-${device.userCode.slice(4)}`);
        await button(page, 'device.submit').click();
        await signIn(page);
        await page.getByText(words('consent.device'), { exact: true }).waitFor();
        const widths = await page.evaluate('[document.documentElement.scrollWidth, window.innerWidth]');
        expect(widths).toEqual([PHONE.width, PHONE.width]);
        expect(await device.pollError()).toBe('authorization_pending');
        await button(page, 'consent.allow').click();
        await heading(page, 'device_end.success');
        expect(await device.tokens()).toMatchObject({ scope: 'openid offline' });
      }),
    TIMEOUT_MS,
  );

  it(
    '[DEV-1] [DEV-4] a code in the address waits for the person, who refuses',
    () =>
      withContext({ javaScriptEnabled: true }, async (page) => {
        const device = await newDevice();
        await page.goto(device.completeUri);
        await heading(page, 'device.heading_prefilled');
        expect(await page.getByLabel(words('device.code'), { exact: true }).inputValue()).toBe(device.userCode);
        await button(page, 'device.submit').click();
        await signIn(page);
        await button(page, 'consent.deny').click();
        await heading(page, 'device_end.denied');
        expect(await device.pollError()).toBe('authorization_pending');
      }),
    TIMEOUT_MS,
  );
}
