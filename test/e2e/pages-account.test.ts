/** The second step and the account area in a real Chromium: without script, with the keyboard, and with a key. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Route } from 'playwright-core';
import { PageLoads, toSentFields } from '../support/page-loads.js';

let loads: PageLoads;

beforeAll(async () => {
  loads = await PageLoads.start();
});
afterAll(() => loads.end());
beforeEach(() => loads.newPerson());
afterEach(() => loads.context.close());

const button = (name: string) => loads.page.getByRole('button', { name });
const link = (name: string) => loads.page.getByRole('link', { name });

describe('[GEN-9] without script', () => {
  it('[MFV-6] a code is submitted with a plain form', async () => {
    await loads.openWithoutScript('mfa-totp');
    const posts = await loads.recordPosts();
    await loads.page.getByLabel('Six-digit code').fill('492 817');
    await button('Confirm').click();
    await loads.page.waitForURL('**/mfa/verify');
    const sent = toSentFields(posts[0]);
    expect([...sent.keys()]).toEqual(['login_challenge', '_xsrf', 'ticket', 'method', 'code']);
    expect(sent.get('code')).toBe('492 817');
  });

  it.each(['mfa-key', 'mfa-enrol-key', 'manage-fido2', 'manage-confirm-key-failed'])(
    '%s: explains why a key cannot be used, and what else is possible',
    async (name) => {
      await loads.openWithoutScript(name);
      expect(await loads.page.getByText('Security keys need JavaScript').isVisible()).toBe(true);
      expect(await loads.page.getByText('Waiting for your key').isVisible()).toBe(false);
      const others = /authenticator app|another factor/;
      expect(await loads.page.getByRole('link', { name: others }).first().isVisible()).toBe(true);
    },
  );

  it('an authenticator app is set up: begin, then confirm', async () => {
    await loads.openWithoutScript('manage-totp-begins');
    const posts = await loads.recordPosts();
    expect(await loads.page.getByText('Preparing the QR code').isVisible()).toBe(false);
    await button('Show the QR code').click();
    await loads.page.waitForURL('**/manage/mfa/register-totp');
    await loads.page.goto(loads.address('manage-totp'));
    await loads.page.getByLabel('Six-digit code').fill('492817');
    await button('Set up').click();
    await loads.page.waitForURL('**/manage/mfa/register-totp');
    expect(posts.map((post) => [...toSentFields(post).keys()])).toEqual([['_xsrf'], ['_xsrf', 'code']]);
  });

  it('[MAN-3] a factor is removed after a question', async () => {
    await loads.openWithoutScript('manage-mfa');
    const posts = await loads.recordPosts();
    expect(await button('Yes, remove it').first().isVisible()).toBe(false);
    await loads.page.locator('summary', { hasText: 'Schlüsselbund' }).click();
    await button('Yes, remove it').and(loads.page.locator(':visible')).click();
    await loads.page.waitForURL('**/manage/mfa/remove-fido2');
    expect(toSentFields(posts[0]).get('key')).toBe('k1');
  });

  it('[MAN-13] a password is saved with the button and with the Enter key', async () => {
    await loads.openWithoutScript('manage-password');
    const posts = await loads.recordPosts();
    expect(await button('Save').and(loads.page.locator(':visible')).count()).toBe(1);
    await loads.page.getByLabel('Current password').fill('geheim');
    await loads.page.getByLabel('New password', { exact: true }).fill('krapsel1');
    await loads.page.getByLabel('Repeat new password').fill('krapsel1');
    await loads.page.keyboard.press('Enter');
    await loads.page.waitForURL('**/manage/credentials/password');
    expect([...toSentFields(posts[0]).keys()]).toEqual(['_xsrf', 'password', 'newPassword', 'newPasswordRepeat']);
  });

  it('recovery codes can be saved as a file', async () => {
    await loads.openWithoutScript('manage-recovery-codes-made');
    const [download] = await Promise.all([loads.page.waitForEvent('download'), link('Save as a file').click()]);
    expect(download.suggestedFilename()).toBe('recovery-codes.txt');
  });
});

describe('the status banner', () => {
  const animation = () =>
    loads.page.evaluate<string[]>(`(() => {
      const { animationName, animationDelay } = getComputedStyle(document.querySelector('.passing'));
      return [animationName, animationDelay];
    })()`);

  it('[MAN-8] fades after 6.6 s, and a script then removes it', async () => {
    await loads.context.close();
    await loads.newPerson({ reducedMotion: 'no-preference' });
    await loads.page.goto(loads.address('manage-password-success'));
    expect(await animation()).toEqual(['leave', '6.6s']);
    await loads.context.close();
    await loads.newPerson({ reducedMotion: 'no-preference', javaScriptEnabled: false });
    await loads.page.goto(loads.address('manage-password-success'));
    expect(await animation()).toEqual(['none', '0s']);
  });
});

/** Colours of the segments of the strength meter. */
const readFills = (which: string) =>
  loads.page.evaluate<string[]>(
    `[...document.querySelectorAll('.strength i${which}')].map((segment) => getComputedStyle(segment).backgroundColor)`,
  );

const SCORED: readonly (readonly [score: number, password: string, colour: string | null])[] = [
  [0, '', null],
  [1, 'a', 'red'],
  [2, 'krapsel', 'red'],
  [3, 'krapsel1', 'amber'],
  [4, 'Blaubeere-Ku', 'amber'],
  [5, 'Blaubeere-Kutsche', 'green'],
];

describe('with script', () => {
  it('[MAN-13] saving is disabled until everything is valid, for the Enter key too', async () => {
    await loads.open('manage-password');
    const posts = await loads.recordPosts();
    const save = button('Save').and(loads.page.locator(':visible'));
    expect(await save.isDisabled()).toBe(true);
    await loads.page.getByLabel('Current password').fill('geheim');
    await loads.page.getByLabel('New password', { exact: true }).fill('krapsel1');
    await loads.page.getByLabel('Repeat new password').fill('krapsel2');
    await loads.page.keyboard.press('Enter');
    expect(await save.isDisabled()).toBe(true);
    await loads.page.getByLabel('Repeat new password').fill('krapsel1');
    expect(await save.isEnabled()).toBe(true);
    expect(posts).toHaveLength(0);
  });

  it('[MAN-13] the script counts what was entered before it was loaded', async () => {
    const release = await loads.openBeforeScript('manage-password');
    await loads.page.getByLabel('Current password').fill('geheim');
    await loads.page.getByLabel('New password', { exact: true }).fill('krapsel1');
    await loads.page.getByLabel('Repeat new password').fill('krapsel1');
    release();
    await button('Save').and(loads.page.locator(':visible:enabled')).waitFor();
    expect(await loads.page.getByRole('meter').getAttribute('data-score')).toBe('3');
  });

  it('[VAL-2] a password is red, amber or green by its score', async () => {
    await loads.open('manage-password');
    for (const [score, password, colour] of SCORED) {
      await loads.page.getByLabel('New password', { exact: true }).fill(password);
      const checked = score === 0 ? 'unknown' : 'uncommon';
      await loads.page.locator(`.strength[data-score="${score}"]:is([data-commonness=${checked}], [data-score="1"])`).waitFor();
      const fills = await readFills('.on');
      expect([score, fills.length, ...new Set(fills.map(toHue))]).toEqual([score, score, ...(colour ? [colour] : [])]);
      // Segments that are not reached are grey; at 0 all of them.
      const empty = await readFills(':not(.on)');
      expect([score, empty.length, empty.filter((fill) => measureSpread(fill) >= 16)]).toEqual([score, 5 - score, []]);
    }
  });

  it('[VAL-2] nothing is green before the list of common passwords has been loaded', async () => {
    await loads.page.route('**/common-password-list-*', (route) => route.abort());
    await loads.open('manage-password');
    await loads.page.getByLabel('New password', { exact: true }).fill('Weihnachten2026!');
    await loads.page.locator('.strength[data-score="5"][data-commonness="unknown"]').waitFor();
    const fill = await loads.page.evaluate<string>(`getComputedStyle(document.querySelector('.strength .on')).backgroundColor`);
    expect(toHue(fill)).toBe('amber');
  });

  it('[VAL-1] [VAL-2] a common password is red whatever its score; the list comes with the first character', async () => {
    const lists: string[] = [];
    loads.page.on('request', (request) => request.url().includes('common-password-list') && lists.push(request.url()));
    await loads.open('manage-password');
    expect(lists).toEqual([]);
    await loads.page.getByLabel('New password', { exact: true }).fill('Weihnachten2026!');
    await loads.page.locator('.strength[data-score="5"][data-commonness="common"]').waitFor();
    expect(lists).toHaveLength(1);
    const level = await loads.page.evaluate<string>(
      "getComputedStyle(document.querySelector('.strength')).getPropertyValue('--level')",
    );
    expect(level).toContain('#c4392c');
  });
});

/** The difference between the channels of `rgb(…)`, which is small or nothing in a grey. */
function measureSpread(fill: string): number {
  const channels = (fill.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
  return Math.max(...channels) - Math.min(...channels);
}

/** The family of `rgb(…)`: whether red or green dominates, and by how much. */
function toHue(fill: string): string {
  const [red = 0, green = 0] = (fill.match(/[\d.]+/g) ?? []).map(Number);
  if (green > red) return 'green';
  return red > 2 * green ? 'red' : 'amber';
}

describe('with a security key', () => {
  const json = (route: Route, body: unknown) =>
    route.fulfill({
      status: 200,
      contentType: 'application/json',
      headers: { 'x-api-next-token': 'next' },
      body: JSON.stringify(body),
    });

  async function plugIn(): Promise<void> {
    const devtools = await loads.context.newCDPSession(loads.page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: { protocol: 'ctap2', transport: 'usb', isUserVerified: false, automaticPresenceSimulation: true },
    });
  }

  it('[MAN-12] [FID-1] the set-up runs by itself, from the start to the settings', async () => {
    await plugIn();
    const publicKey = {
      rp: { id: 'localhost', name: 'Foyer' },
      user: { id: 'aWQ', name: 'maria', displayName: 'Maria' },
      challenge: 'Y2hhbGxlbmdlLW9mLTE2LWJ5dGVz',
      pubKeyCredParams: [-7, -35, -36].map((alg) => ({ alg, type: 'public-key' })),
      timeout: 60_000,
      attestation: 'direct',
      excludeCredentials: [],
      authenticatorSelection: {
        authenticatorAttachment: 'cross-platform',
        residentKey: 'discouraged',
        userVerification: 'discouraged',
      },
    };
    let sent: { sessionId?: string; credentialJson?: string } = {};
    await loads.page.route('**/api/v1/rpc/user/manage/**', (route, request) => {
      if (request.url().endsWith('/mfa-init-fido2')) return json(route, { sessionId: 'session', publicKey });
      if (request.url().endsWith('/username')) return json(route, { username: 'maria.musterfrau' });
      sent = request.postDataJSON() as typeof sent;
      return json(route, {});
    });
    await loads.page.route('**/manage?status=*', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>there</title>' }),
    );
    await loads.page.goto(loads.address('manage-fido2'));
    await loads.page.waitForURL('**/manage?status=mfa-success&factor=fido2');
    const credential = JSON.parse(sent.credentialJson ?? '{}') as { rawId: string; response: Record<string, string> };
    expect(sent.sessionId).toBe('session');
    expect(credential.rawId).toMatch(/^[\w-]{20,}$/);
    expect(credential.response['attestationObject']).toMatch(/^[\w-]+$/);
  });

  it('[MAN-12] [MFV-5] a key that does not match leads to Abort and Retry', async () => {
    await plugIn();
    await loads.page.route('**/mfa/init-fido2', (route) =>
      json(route, {
        publicKey: {
          challenge: 'Y2hhbGxlbmdlLW9mLTE2LWJ5dGVz',
          rpId: 'other.example',
          timeout: 30_000,
          userVerification: 'discouraged',
          allowCredentials: [{ id: 'YW5vdGhlciBrZXk', type: 'public-key' }],
        },
      }),
    );
    await loads.page.goto(loads.address('mfa-key'));
    const alert = loads.page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.getAttribute('data-code')).toBe('security');
    expect(await loads.hasFocus(alert)).toBe(true);
    expect(await button('Try again').isVisible()).toBe(true);
    expect(await link('Cancel').isVisible()).toBe(true);
  });
});
