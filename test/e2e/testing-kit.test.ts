/** The built test kit for apps: embedded in this process, and the errors of its other modes where they cannot run. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Foyer } from '../../test-kit/index.js';
import { kitStories } from '../support/testing-kit-stories.js';
import { ExampleApp, loadKit } from '../support/testing-kit.js';
import { driverStories } from './page-driver-stories.js';

const { startFoyer, KitError } = await loadKit();

kitStories('embedded', () => startFoyer(), driverStories);

describe('[TST-1] the embedded kit', () => {
  let foyer: Foyer;
  let app: ExampleApp;

  beforeAll(async () => {
    foyer = await startFoyer({ settings: { CREDENTIAL_FREEZE_SECONDS: '3600', REMEMBER: 'on' }, providers: true });
    app = await ExampleApp.register(foyer);
  });
  afterAll(() => foyer.stop());

  it('lets a challenge expire, and leads back into the request', async () => {
    const person = await foyer.createPerson({ username: 'slow' });
    const { url, finish } = await app.beginSignIn();
    const browser = foyer.browser();
    const page = await foyer.expireChallenge(url, browser);
    const { login } = page.state('login');
    expect(login).toMatchObject({ error: 'challenge', challenge_fault: 'expired' });
    const callback = await foyer.loginAs(person, new URL(login.restart_url ?? '', page.url), { browser });
    expect(await finish(callback)).toMatchObject({ sub: person.id });
  });

  it('moves one clock for all parts', async () => {
    const person = await foyer.createPerson({ username: 'traveller' });
    const browser = foyer.browser();
    await foyer.loginAs(person, (await app.beginSignIn()).url, { browser });
    foyer.clock.advance({ days: 31 });
    const { url } = await app.beginSignIn({ prompt: 'none' });
    const late = new URL(await foyer.loginAs(person, url, { browser }));
    expect(late.searchParams.get('error')).toBe('login_required');
  });

  it('has the given settings, and demo providers', async () => {
    const page = await foyer.browser().go((await app.beginSignIn()).url);
    const { login } = page.state('login');
    expect(login.remember).toBe('fixed');
    expect(login.providers?.map(({ id }) => id)).toEqual(['google', 'microsoft', 'apple']);
    expect((await fetch(foyer.installation.providersUrl ?? '')).status).toBe(200);
  });

  it('can be stopped twice, and nothing listens afterwards', async () => {
    await Promise.all([foyer.stop(), foyer.stop()]);
    await expect(fetch(foyer.installation.foyerUrl)).rejects.toThrow();
    await expect(fetch(foyer.installation.hydraAdminUrl)).rejects.toThrow();
  });
});

describe('[TST-1] a failing start', () => {
  it('reports that nothing answers at the given upstream', async () => {
    const nowhere = { hydraPublicUrl: 'http://localhost:1', hydraAdminUrl: 'http://localhost:1', port: 0 };
    await expect(startFoyer({ mode: 'upstream', ...nowhere })).rejects.toThrow(KitError);
  });

  it('reports unknown settings with the right names', async () => {
    await expect(startFoyer({ settings: { MFA_POLICY: 'sometimes' } })).rejects.toThrow(/MFA_POLICY/);
  });
});
