/** Device authorization (RFC 8628) through the pages of the gateway, on every upstream that supports it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PATHS } from '../../../src/contract/paths.js';
import { UpstreamError } from '../../../src/hydra/hydra.errors.js';
import { OryHydraAdapter } from '../../../src/hydra/ory-hydra.adapter.js';
import { hasCapability } from '../../../src/hydra/versions.js';
import type { Arrival, BrowserWalk } from '../../support/browser-walk.js';
import { DEVICE_CLIENT, Device } from '../../support/device.js';
import { idClaims } from '../../support/oauth-client.js';
import type { Leg } from '../../support/upstream-leg.js';
import { allow, arrive, consentFields, loginFields, signIn, signInFully, startFront, type Front } from './front.js';

/** These stories have a gateway of their own, because codes are counted, and other stories move its clock. */
export function deviceStories(leg: Leg): void {
  describe('devices without a browser', () => {
    let started: Front;

    beforeAll(async () => {
      started = await startFront(leg);
    });

    beforeEach(async () => {
      started.client = await started.register(DEVICE_CLIENT);
      await started.gateway.database.db.deleteFrom('attempt_counter').execute();
    });

    afterAll(() => started.close());

    const has = hasCapability(leg.version, 'deviceFlow');
    if (has) accessStories(() => started);
    if (has) refusalStories(() => started);
    if (has) wayBackStories(() => started);
    else lackStories(() => started);
  });
}

const startDevice = ({ client }: Front): Promise<Device> => Device.start(client);

function enter(person: BrowserWalk, page: Arrival, code: string): Promise<Arrival> {
  const { device } = page.state('device');
  const fields = { _xsrf: device.xsrf_token, device_challenge: device.device_challenge, user_code: code };
  return person.submit(page, PATHS.device, fields);
}

const open = (front: Front, person: BrowserWalk, query = ''): Promise<Arrival> =>
  person.go(`${front.gateway.config.publicUrl}${PATHS.device}${query}`);

/** Enters the code and goes on to the page that follows. */
async function begin(front: Front, person: BrowserWalk, device: Device): Promise<Arrival> {
  return enter(person, await open(front, person), device.userCode);
}

function accessStories(front: () => Front): void {
  it('[DEV-1] [DEV-2] the code, the sign-in and the consent lead to the final page, and the device gets tokens of the person', async () => {
    const [person, device] = [front().person(), await startDevice(front())];
    const page = await open(front(), person);
    expect(page.state('device').device).toMatchObject({ error: null, user_code: '' });
    const typed = `${device.userCode.slice(0, 4)} - ${device.userCode.slice(4)}`;
    const consent = await signIn(person, await enter(person, page, typed));
    expect(consent.state('consent').consent).toMatchObject({ device: true, account: { username: 'maria.musterfrau' } });
    expect(await device.pollError()).toBe('authorization_pending');
    const done = await allow(person, consent);
    expect(done.url.pathname).toBe(PATHS.deviceSuccess);
    expect(done.state('device_end').device_end).toEqual({ status: 'success', client: { name: 'Beispielportal' } });
    const tokens = await device.tokens();
    expect(idClaims(tokens)).toMatchObject({ sub: front().account.id, acr: 'urn:foyer:acr:pwd', amr: ['pwd'] });
    expect(tokens.refresh_token).toBeDefined();
  });

  it('[DEV-1] [S-137] a code in the address is filled in but not submitted', async () => {
    const [person, device] = [front().person(), await startDevice(front())];
    const page = await person.go(device.completeUri);
    expect(page.url.pathname).toBe(PATHS.device);
    expect(page.state('device').device).toMatchObject({ user_code: device.userCode, prefilled: true });
    const again = await open(front(), person, `?user_code=${device.userCode}`);
    expect(again.state('device').device).toMatchObject({ user_code: device.userCode, prefilled: true });
    expect(await device.pollError()).toBe('authorization_pending');
    expect((await enter(person, again, device.userCode)).url.pathname).toBe(PATHS.login);
  });

  it('[DEV-3] [S-137] consent is asked in a session too, for a trusted client and after a remembered grant', async () => {
    const person = front().person();
    const client = await front().register({ ...DEVICE_CLIENT, ...CODE_CLIENT, skip_consent: true });
    front().client = client;
    await signIn(person, await arrive(front(), person), { remember: 'true' });
    for (const scope of ['openid', 'openid']) {
      const device = await Device.start(client, scope);
      const consent = await begin(front(), person, device);
      expect(consent.state('consent').consent).toMatchObject({ device: true, account: { id: front().account.id } });
      expect(await device.pollError()).toBe('authorization_pending');
      await allow(person, consent);
      expect(idClaims(await device.tokens())['sub']).toBe(front().account.id);
    }
  });

  it('[DEV-3] a grant to a device is not remembered for the same app in a browser', async () => {
    const person = front().person();
    front().client = await front().register({ ...DEVICE_CLIENT, ...CODE_CLIENT });
    const device = await startDevice(front());
    const consent = await signIn(person, await begin(front(), person, device), { remember: 'true' });
    expect((await allow(person, consent)).url.pathname).toBe(PATHS.deviceSuccess);
    expect((await arrive(front(), person, { scope: 'openid' })).state('consent').consent.device).toBeUndefined();
  });

  it('[DEV-3] [CON-8] a remembered grant of the app does not count for a device', async () => {
    const person = front().person();
    front().client = await front().register({ ...DEVICE_CLIENT, ...CODE_CLIENT });
    await signInFully(front(), person);
    const consent = await begin(front(), person, await Device.start(front().client, 'openid profile'));
    expect(consent.state('consent').consent.device).toBe(true);
  });

  it('[DEV-2] [CON-11] a device gets no tokens if the access is revoked before it asks for them', async () => {
    const [person, device] = [front().person(), await startDevice(front())];
    await allow(person, await signIn(person, await begin(front(), person, device)));
    const { adminUrl, publicUrl } = front().upstream;
    const port = new OryHydraAdapter({ adminUrl, publicUrl, timeoutMs: 30_000 });
    await port.revokeConsents(front().account.id, front().client.id);
    expect(await device.pollError()).toBe('invalid_grant');
  });

  it('[DEV-2] [S-137] parameters that were added to the address have no effect', async () => {
    const [person, device] = [front().person(), await startDevice(front())];
    await signInFully(front(), person).catch(() => undefined);
    const address = `${device.completeUri}&prompt=none&max_age=0&id_token_hint=x&acr_values=phr`;
    const login = await enter(person, await person.go(address), device.userCode);
    const consent = login.url.pathname === PATHS.login ? await signIn(person, login) : login;
    expect((await allow(person, consent)).url.pathname).toBe(PATHS.deviceSuccess);
    await device.tokens();
  });
}

/** A client that people also use in a browser. */
const CODE_CLIENT = {
  grant_types: ['authorization_code', 'refresh_token', ...DEVICE_CLIENT.grant_types],
  response_types: ['code'],
};

function refusalStories(front: () => Front): void {
  it('[DEV-4] [S-137] a refusal is shown, grants nothing, and cannot be turned into a grant', async () => {
    const [person, device] = [front().person(), await startDevice(front())];
    const consent = await signIn(person, await begin(front(), person, device));
    const fields = consentFields(consent);
    const denied = await person.submit(consent, PATHS.consentReject, fields);
    expect([denied.status, denied.url.pathname]).toEqual([200, PATHS.deviceDenied]);
    expect(denied.state('device_end').device_end.status).toBe('denied');
    const again = await person.submit(consent, PATHS.consentAccept, {
      ...fields,
      _xsrf: freshXsrf(await person.go(consent.url)),
    });
    expect(again.state('consent').consent).toMatchObject({ challenge_fault: 'used', restart_asks_code: true });
    expect(await device.pollError()).toBe('authorization_pending');
  });

  it('[DEV-6] [S-149] requirements of an app for its devices that cannot be read let nobody in', async () => {
    const metadata = { foyer: { device_acr_values: { key: 'phr' } } };
    front().client = await front().register({ ...DEVICE_CLIENT, metadata });
    const [person, device] = [front().person(), await startDevice(front())];
    const page = await begin(front(), person, device);
    expect([page.status, page.state('server_error').server_error.code]).toEqual([403, 'app_settings']);
    expect(await device.pollError()).toBe('authorization_pending');
  });

  it.each(['phr', ['phr']])('[DEV-6] an app that requires a key (%j) does not accept a password alone', async (values) => {
    const metadata = { foyer: { device_acr_values: values } };
    front().client = await front().register({ ...DEVICE_CLIENT, metadata });
    const [person, device] = [front().person(), await startDevice(front())];
    const page = await signIn(person, await begin(front(), person, device));
    // Security keys do not work at an IP address, so nobody can fulfil this requirement here.
    expect([page.url.pathname, page.state('device_end').device_end.status]).toEqual([PATHS.deviceDenied, 'unmet']);
    expect(await device.pollError()).toBe('authorization_pending');
  });

  it('[DEV-6] a session with too weak a proof leads to a new sign-in with the code filled in', async () => {
    const person = front().person();
    const [plain, strict] = [
      await front().register(DEVICE_CLIENT),
      await front().register({ ...DEVICE_CLIENT, metadata: { foyer: { mfa: 'required' } } }),
    ];
    front().client = plain;
    await signIn(person, await begin(front(), person, await startDevice(front())), { remember: 'true' });
    front().client = strict;
    const device = await startDevice(front());
    const again = await begin(front(), person, device);
    expect(again.state('device').device).toMatchObject({ user_code: device.userCode, prefilled: true });
    const login = await enter(person, again, device.userCode);
    expect(login.state('login').login.error).toBeNull();
  });

  it('[DEV-6] [LOG-12] a session from before the browser was closed does not continue for a device', async () => {
    const person = front().person();
    await signIn(person, await begin(front(), person, await startDevice(front())));
    person.jar.close();
    const device = await startDevice(front());
    let page = await begin(front(), person, device);
    for (let round = 0; round < 2; round += 1) {
      expect(page.state('device').device).toMatchObject({ user_code: device.userCode, prefilled: true });
      page = await enter(person, page, device.userCode);
    }
    expect(page.state('login').login.error).toBeNull();
  });

  it('[DEV-5] the form reports a wrong code, also one in another case', async () => {
    const [person, device] = [front().person(), await startDevice(front())];
    const other =
      device.userCode.toLowerCase() === device.userCode ? device.userCode.toUpperCase() : device.userCode.toLowerCase();
    for (const code of [other, 'wrongcod', `${device.userCode}x`]) {
      const page = await enter(person, await open(front(), person), code);
      expect([page.status, page.state('device').device]).toEqual([
        422,
        expect.objectContaining({ error: 'code', user_code: code }),
      ]);
    }
    const right = await enter(person, await open(front(), person), device.userCode);
    expect(right.url.pathname).toBe(PATHS.login);
  });
}

function wayBackStories(front: () => Front): void {
  it('[DEV-7] a used code counts as wrong', async () => {
    const [person, device] = [front().person(), await startDevice(front())];
    await allow(person, await signIn(person, await begin(front(), person, device)));
    const late = await begin(front(), front().person(), device);
    expect(late.state('device').device.error).toBe('code');
    await device.tokens();
  });

  it('[DEV-7] the older of two tabs continues with its code filled in', async () => {
    const [person, device] = [front().person(), await startDevice(front())];
    const older = await open(front(), person);
    await open(front(), person);
    const again = await enter(person, older, device.userCode);
    expect(again.state('device').device).toMatchObject({ error: null, user_code: device.userCode });
    expect((await enter(person, again, device.userCode)).url.pathname).toBe(PATHS.login);
  });

  it('[DEV-7] [S-137] another browser that opens the address of the page is told so, and can start again', async () => {
    const [person, device] = [front().person(), await startDevice(front())];
    const page = await open(front(), person);
    const stranger = front().person();
    await open(front(), stranger);
    const foreign = await stranger.go(page.url);
    expect(foreign.state('device').device).toMatchObject({ error: 'challenge', challenge_fault: 'foreign' });
    const own = await stranger.go(new URL(foreign.state('device').device.restart_url ?? '', page.url));
    expect((await enter(stranger, own, device.userCode)).url.pathname).toBe(PATHS.login);
  });

  it('[DEV-7] Back to the form or to the login of a finished request leads to the form of the code', async () => {
    const [person, device] = [front().person(), await startDevice(front())];
    const page = await open(front(), person);
    const login = await enter(person, page, device.userCode);
    await allow(person, await signIn(person, login));
    expect((await person.go(page.url)).state('device').device.challenge_fault).toBe('used');
    const { login: back } = (await person.go(login.url)).state('login');
    expect(back).toMatchObject({ challenge_fault: 'used', restart_asks_code: true });
    expect((await person.go(back.restart_url ?? '')).state('device').device.error).toBeNull();
  });

  it('[DEV-7] a double click on the form of the code gives one answer', async () => {
    const [person, device] = [front().person(), await startDevice(front())];
    const page = await open(front(), person);
    const { xsrf_token: _xsrf, device_challenge } = page.state('device').device;
    const fields = { _xsrf, device_challenge, user_code: device.userCode };
    const first = await person.submitAndLeave(page, PATHS.device, fields);
    const second = await person.submitAndLeave(page, PATHS.device, fields);
    expect([first.status, second.status, second.location]).toEqual([303, 303, first.location]);
  });

  it('[DEV-7] the older of two login tabs of devices asks for its code again, and both devices can continue', async () => {
    const person = front().person();
    const [first, second] = [await startDevice(front()), await startDevice(front())];
    const older = await begin(front(), person, first);
    await begin(front(), person, second);
    const page = await person.submit(older, PATHS.loginNative, loginFields(older));
    expect(page.url.pathname).toBe(PATHS.device);
    const consent = await enter(person, page, first.userCode);
    expect((await allow(person, consent)).url.pathname).toBe(PATHS.deviceSuccess);
    await first.tokens();
    expect(await second.pollError()).toBe('authorization_pending');
  });

  it('[DEV-7] the older of two consent tabs of devices asks for its code again, and grants nothing before', async () => {
    const person = front().person();
    const [first, second] = [await startDevice(front()), await startDevice(front())];
    const older = await signIn(person, await begin(front(), person, first), { remember: 'true' });
    const newer = await begin(front(), person, second);
    const page = await allow(person, older);
    expect(page.url.pathname).toBe(PATHS.device);
    expect(await first.pollError()).toBe('authorization_pending');
    expect((await allow(person, newer)).url.pathname).toBe(PATHS.deviceSuccess);
    const again = await enter(person, page, first.userCode);
    expect((await allow(person, again)).url.pathname).toBe(PATHS.deviceSuccess);
    await first.tokens();
  });
}

function lackStories(front: () => Front): void {
  it('[DEV-1] an upstream without devices is not reported as a wrong code', async () => {
    const { adminUrl, publicUrl } = front().upstream;
    const port = new OryHydraAdapter({ adminUrl, publicUrl, timeoutMs: 30_000 });
    await expect(port.acceptDevice('challenge', 'code')).rejects.toBeInstanceOf(UpstreamError);
    await expect(port.acceptDevice('challenge', 'code')).rejects.not.toMatchObject({ name: 'UserCodeRefused' });
  });
}

const freshXsrf = (page: Arrival): string => page.state('consent').consent.xsrf_token;
