/** Tests of an app that uses the kit, in every mode. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Foyer } from '../../test-kit/index.js';
import { ExampleApp, REDIRECT_URI } from './testing-kit.js';

const TIMEOUT_MS = 180_000;
const NEW_PASSWORD = 'Zinn ahorn 7735';

/** @param more further stories of the same Foyer, which they get inside hooks and tests */
export function kitStories(mode: string, start: () => Promise<Foyer>, more?: (toFoyer: () => Foyer) => void): void {
  describe(`an app's tests with the kit, ${mode}`, () => {
    let foyer: Foyer;
    let app: ExampleApp;

    beforeAll(async () => {
      foyer = await start();
      app = await ExampleApp.register(foyer);
    }, TIMEOUT_MS);
    afterAll(() => foyer.stop(), TIMEOUT_MS);

    it('signs a person in, and the app gets an ID token of that person', async () => {
      const maria = await foyer.createPerson({ username: 'maria', email: 'maria@example.org', displayName: 'Maria Muster' });
      const { url, finish } = await app.beginSignIn();
      const callback = await foyer.loginAs(maria, url);
      expect(callback.startsWith(`${REDIRECT_URI}?`)).toBe(true);
      expect(await finish(callback)).toMatchObject({ sub: maria.id, name: 'Maria Muster', amr: ['pwd'] });
    });

    it('grants the named scopes, and can refuse them all', async () => {
      const person = await foyer.createPerson({ username: 'scopes', email: 'scopes@example.org' });
      const some = await app.beginSignIn();
      expect(await some.finish(await foyer.loginAs(person, some.url, { consent: ['openid', 'email'] }))).not.toHaveProperty(
        'name',
      );
      const none = await app.beginSignIn();
      const refused = new URL(await foyer.loginAs(person, none.url, { consent: 'reject' }));
      expect(refused.searchParams.get('error')).toBe('access_denied');
      await expect(none.finish(refused.href)).rejects.toMatchObject({ error: 'access_denied' });
      await expect(foyer.loginAs(person, (await app.beginSignIn()).url, { consent: ['phone'] })).rejects.toThrow(
        /does not request phone/,
      );
    });

    it('keeps a browser, so that the second sign-in shows no page', async () => {
      const person = await foyer.createPerson({ username: 'returning' });
      const browser = foyer.browser();
      const first = await app.beginSignIn();
      await first.finish(await foyer.loginAs(person, first.url, { browser, remember: true }));
      const again = await app.beginSignIn({ prompt: 'none' });
      expect(await again.finish(await foyer.loginAs({ ...person, password: 'not asked' }, again.url, { browser }))).toMatchObject(
        {
          sub: person.id,
        },
      );
    });

    it(
      'proves a second factor, with a new code each time or with a key',
      async () => {
        const coder = await foyer.createPerson({ username: 'coder', secondFactor: 'totp' });
        for (const round of [1, 2, 3]) {
          const { url, finish } = await app.beginSignIn({ login_hint: `round-${round}` });
          expect(await finish(await foyer.loginAs(coder, url))).toMatchObject({ sub: coder.id, amr: ['pwd', 'otp', 'mfa'] });
        }
        const holder = await foyer.createPerson({ username: 'holder', secondFactor: 'fido2' });
        const { url, finish } = await app.beginSignIn({ acr_values: 'urn:foyer:acr:phrh' });
        expect(await finish(await foyer.loginAs(holder, url))).toMatchObject({
          sub: holder.id,
          acr: 'urn:foyer:acr:phrh',
          amr: ['pwd', 'hwk', 'pop', 'user', 'pin', 'mfa'],
        });
      },
      TIMEOUT_MS,
    );

    it('reports which page refused, and why', async () => {
      const person = await foyer.createPerson({ username: 'wrong', secondFactor: 'totp' });
      const toUrl = async (who: typeof person, totp?: string): Promise<unknown> =>
        foyer.loginAs(who, (await app.beginSignIn()).url, totp === undefined ? {} : { totp }).catch((error: unknown) => error);
      expect(await toUrl({ ...person, password: 'something else' })).toMatchObject({ page: 'login', reason: 'credentials' });
      expect(await toUrl(person, person.totp?.wrongCode())).toMatchObject({
        page: 'mfa_verification',
        reason: 'invalid verification code',
      });
      await expect(foyer.createPerson({ username: 'wrong' })).rejects.toThrow(/wrong: exists/);
    });

    it(
      'resets a password with the mail that arrives',
      async () => {
        const person = await foyer.createPerson({ username: 'forgetful', email: 'forgetful@example.org' });
        const browser = foyer.browser();
        const { url, finish } = await app.beginSignIn();
        const login = await browser.go(url);
        const ask = await browser.go(new URL(login.state('login').login.password_reset_url ?? '', login.url));
        await browser.fill(ask, { username: person.username });
        const mail = await foyer.mailbox.waitFor('forgetful@example.org');
        const form = await browser.go(mail.links.find((link) => link.includes('reset_token')) ?? '');
        const done = await browser.fill(form, { password: NEW_PASSWORD, password_repeat: NEW_PASSWORD });
        expect(done.state('password_reset_status').password_reset_status.status).toBe('success');
        expect((await foyer.mailbox.latest('forgetful@example.org'))?.subject).not.toBe('');
        expect(await finish(await foyer.loginAs({ ...person, password: NEW_PASSWORD }, url))).toMatchObject({ sub: person.id });
      },
      TIMEOUT_MS,
    );

    more?.(() => foyer);
  });
}
