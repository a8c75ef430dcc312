/** What an attacker could send instead of the answer of the registration service: no account is created, and nobody is signed in. */
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPair } from 'jose';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { Cleanup } from '../../src/accounts/cleanup.js';
import type { Config } from '../../src/config/config.js';
import { Keys } from '../../src/config/keys.js';
import { PATHS } from '../../src/contract/paths.js';
import { RegistrationService, TICKET_TYPE } from '../../src/providers/registration/registration-service.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { signIn } from '../support/manage.js';
import {
  TestRegistrationService,
  SERVICE,
  returnToFoyer,
  continueToService,
  encodeUnsigned,
  type AnswerChange,
  type SentToService,
} from '../support/registration-service.js';
import { type TestPage, type TestBrowser } from '../support/test-browser.js';

let gateway: TestGateway;
let demoService: TestRegistrationService;
let count = 0;

beforeAll(async () => {
  demoService = await new TestRegistrationService().start();
  gateway = await startTestGateway({ config: () => demoService.config() });
});

afterAll(async () => {
  await gateway.close();
  await demoService.stop();
});

afterEach(() => {
  demoService.fault = null;
  gateway.hydra.fail(null);
});

const newName = () => `forged.${(count += 1)}`;

const nowSeconds = () => Math.floor(gateway.clock.now().getTime() / 1000);

const findAccepted = ({ challenge }: SentToService) =>
  gateway.hydra.calls.filter((call) => call.call === 'acceptLogin' && call.challenge === challenge);

const isRefused = async (page: TestPage, handed: SentToService, username: string) => {
  expect([page.status, page.location]).toEqual([303, expect.stringMatching(/^\/register\/callback\?status=error-token/)]);
  expect(page.location).not.toContain('answer');
  const shown = (await handed.browser.get(page.location ?? '')).state('registration');
  expect(shown.app).toMatchObject({ return_to_url: 'http://localhost:5555/', return_to_name: 'Beispielportal' });
  expect(shown.registration).toMatchObject({
    status: 'error-token',
    restart_url: expect.stringContaining('/oauth2/auth?'),
  });
  expect(findAccepted(handed)).toEqual([]);
  expect(await gateway.get(Accounts).findByUsername(username)).toBeNull();
};

describe('a forged answer', () => {
  it.each<[string, () => AnswerChange | Promise<AnswerChange>]>([
    ['for another audience', () => ({ claims: { aud: 'https://other.example' } })],
    ['for no audience', () => ({ claims: { aud: undefined } as never })],
    ['of another issuer', () => ({ claims: { iss: 'https://other.example' } })],
    ['of no issuer', () => ({ claims: { iss: undefined } as never })],
    ['that has expired', () => ({ claims: { exp: nowSeconds() - 31 } })],
    ['that never expires', () => ({ claims: { exp: undefined } as never })],
    ['that is too old, whenever it expires', () => ({ claims: { iat: nowSeconds() - 631, exp: nowSeconds() + 3000 } })],
    ['without a time', () => ({ claims: { iat: undefined } as never })],
    ['from the future', () => ({ claims: { iat: nowSeconds() + 90, exp: nowSeconds() + 300 } })],
    ['not valid yet', () => ({ claims: { nbf: nowSeconds() + 90 } })],
    ['of another type', () => ({ header: { typ: TICKET_TYPE } })],
    ['of no type', () => ({ header: { typ: undefined } })],
    ['by another key', async () => ({ key: (await generateKeyPair('ES256')).privateKey })],
    ['by an unknown key', async () => ({ key: (await generateKeyPair('ES256')).privateKey, header: { kid: 'other' } })],
    [
      'with a MAC by the public key',
      () => ({ key: Buffer.from(JSON.stringify(demoService.publicJwk)), header: { alg: 'HS256' } }),
    ],
    ['with something that has to be understood', () => ({ header: { crit: ['x'], x: 1 } })],
    ['that says two things', () => ({ claims: { sub: 'somebody' } })],
    ['that says two other things', () => ({ claims: { error: 'cancelled' } })],
    ['that says nothing', () => ({ claims: { account: undefined } })],
    ['whose account is a list', () => ({ claims: { account: [] } })],
    ['whose error is unknown', () => ({ claims: { account: undefined, error: 'x' } })],
  ])('[REG-3] is refused: one %s', async (_, toChange) => {
    const handed = await continueToService(gateway);
    const username = newName();
    const change = await toChange();
    const sign = demoService.answer(gateway, handed, { account: { username } }, change);
    const answer = await sign.catch(() => null);
    // The library refuses to sign an unknown `crit`, so this token is built by hand.
    const sent = answer ?? (await withHeader(handed, username, change.header ?? {}));
    await isRefused(await returnToFoyer(handed.browser, sent), handed, username);
    // The ticket is not used up by it.
    const honest = await demoService.answer(gateway, handed, { account: { username } });
    expect((await returnToFoyer(handed.browser, honest)).location).toContain('login_verifier=');
  });

  it.each<[string, (handed: SentToService) => string]>([
    ['nothing', () => ''],
    ['no token', () => 'answer'],
    ['dots', () => '..'],
    [
      'an unsigned one',
      ({ ticket }) => encodeUnsigned({ iss: SERVICE, aud: gateway.config.publicUrl, ...times(), txn: ticket.txn }),
    ],
    ['the ticket itself', ({ ticket }) => encodeUnsigned(ticket)],
    ['a handle that is a number', () => encodeUnsigned({ txn: 7 })],
    ['a handle with NUL', () => encodeUnsigned({ txn: 'a\u0000b' })],
    ['6 kB of anything', () => 'x'.repeat(6001)],
  ])('[REG-3] is refused: %s', async (_, toAnswer) => {
    const handed = await continueToService(gateway);
    await isRefused(await returnToFoyer(handed.browser, toAnswer(handed)), handed, newName());
  });

  it.each(['success', 'error'])('[REG-3] is not accepted as status=%s, entered by hand or sent to somebody', async (status) => {
    const toStatus = async (browser: TestBrowser, query: string) =>
      (await browser.get(`${PATHS.registerCallback}?${query}`)).state('registration').registration.status;
    const browser = gateway.browser();
    await browser.get(PATHS.login);
    const path = `${status} ${
      browser
        .cookies('/')
        .find((cookie) => cookie.startsWith('foyer='))
        ?.slice(6) ?? ''
    }`;
    const proof = new Keys(gateway.config.secrets).mac('registration-status', path);
    expect(await toStatus(browser, `status=${status}&proof=${proof}`)).toBe(status);
    expect(await toStatus(browser, `status=${status}`)).toBe('error-token');
    expect(await toStatus(browser, `status=${status}&proof=${proof.slice(1)}`)).toBe('error-token');
    expect(await toStatus(gateway.browser(), `status=${status}&proof=${proof}`)).toBe('error-token');
  });

  it('[REG-3] is refused if there are several, or one in a list', async () => {
    const handed = await continueToService(gateway);
    const answer = await demoService.answer(gateway, handed, { account: { username: newName() } });
    for (const query of [`answer=${answer}&answer=${answer}`, `answer[]=${answer}`]) {
      const page = await handed.browser.get(`${PATHS.registerCallback}?${query}`);
      const shown = page.status === 303 ? await handed.browser.get(page.location ?? '') : page;
      expect(shown.state('registration').registration.status).toBe('error-token');
    }
    expect(findAccepted(handed)).toEqual([]);
  });

  const times = () => ({ iat: nowSeconds(), exp: nowSeconds() + 300 });

  async function withHeader(handed: SentToService, username: string, header: object): Promise<string> {
    const honest = await demoService.answer(gateway, handed, { account: { username } });
    const [first = '', ...rest] = honest.split('.');
    const changed = { ...(JSON.parse(Buffer.from(first, 'base64url').toString()) as object), ...header };
    return [Buffer.from(JSON.stringify(changed)).toString('base64url'), ...rest].join('.');
  }
});

describe('an answer at the wrong place or time', () => {
  it('[REG-3] counts only in the browser that was sent to the service', async () => {
    const attacker = await continueToService(gateway);
    const username = newName();
    const answer = await demoService.answer(gateway, attacker, { account: { username } });
    // The victim has another waiting sign-in.
    const victim = await continueToService(gateway);
    await isRefused(await returnToFoyer(victim.browser, answer), victim, username);
    const fresh = await returnToFoyer(gateway.browser(), answer);
    expect(fresh.location).toBe(`${PATHS.registerCallback}?status=error-token`);
    expect(findAccepted(attacker)).toEqual([]);
  });

  it('[REG-3] [S-10] does not count for somebody who had seen the id of the browser before its owner signed in', async () => {
    const owner = gateway.browser({ 'accept-language': 'de' });
    await owner.get(PATHS.login);
    const seen = owner.cookies('/').find((pair) => pair.startsWith('foyer=')) ?? '';
    const client = gateway.hydra.client({ id: 'app-of-the-attacker' });
    const attacker = await continueToService(gateway, { client }, {}, gateway.browser({ cookie: seen }));
    const username = newName();
    const answer = await demoService.answer(gateway, attacker, { account: { username } });
    await signIn(gateway, owner, await gateway.account(newName()));
    // The owner is led to the request first, so that the browser has every cookie that a link can set.
    await owner.get(`${PATHS.login}?login_challenge=${attacker.challenge}`);
    expect((await returnToFoyer(owner, answer)).location).toMatch(/status=error-token/);
    expect(await gateway.get(Accounts).findByUsername(username)).toBeNull();
    expect(findAccepted(attacker)).toEqual([]);
  });

  it('[REG-3] [S-10] does not count either if the browser was given an answer to correct before its owner signed in', async () => {
    const owner = gateway.browser({ 'accept-language': 'de' });
    await owner.get(PATHS.login);
    const seen = owner.cookies('/').find((pair) => pair.startsWith('foyer=')) ?? '';
    const client = gateway.hydra.client({ id: 'app-of-the-attacker' });
    const attacker = await continueToService(gateway, { client }, {}, gateway.browser({ cookie: seen }));
    const taken = newName();
    await gateway.account(taken);
    const refused = await demoService.answer(gateway, attacker, { account: { username: taken } });
    expect((await returnToFoyer(owner, refused)).location).toContain(SERVICE);
    const username = newName();
    const answer = await demoService.answer(gateway, attacker, { account: { username } });
    await signIn(gateway, owner, await gateway.account(newName()));
    expect((await returnToFoyer(owner, answer)).location).toMatch(/status=error-token/);
    expect(await gateway.get(Accounts).findByUsername(username)).toBeNull();
    expect(findAccepted(attacker)).toEqual([]);
  });

  it('[REG-3] [S-10] tells whoever planted it nothing of the browser that opened it: its known device stays unknown', async () => {
    const owner = gateway.browser({ 'accept-language': 'de' });
    await signIn(gateway, owner, await gateway.account(newName()));
    const findCookie = (name: string) => owner.cookies('/').find((pair) => pair.startsWith(`${name}=`)) ?? '';
    const device = findCookie('foyer-device');
    const client = gateway.hydra.client({ id: 'app-of-the-attacker' });
    const attacker = await continueToService(gateway, { client }, {}, gateway.browser({ cookie: findCookie('foyer') }));
    const answer = await demoService.answer(gateway, attacker, { account: { username: newName() } });
    expect((await returnToFoyer(owner, answer)).location).toContain('login_verifier=');
    expect(findCookie('foyer-device')).toBe(device);
    const { setCookies } = await returnToFoyer(attacker.browser, answer);
    expect(device).not.toBe('');
    expect(setCookies.map(({ name, value }) => `${name}=${value}`)).not.toContain(device);
  });

  it('[REG-3] counts once: afterwards it creates nothing and signs nobody in', async () => {
    const handed = await continueToService(gateway);
    const before = handed.browser.clone();
    const answer = await demoService.answer(gateway, handed, { account: { username: newName() } });
    expect((await returnToFoyer(handed.browser, answer)).location).toContain('login_verifier=');
    gateway.clock.advanceSeconds(11);
    const other = await demoService.answer(gateway, handed, { account: { username: newName() } });
    for (const [browser, replayed] of [
      [before, answer],
      [before, other],
      [handed.browser, answer],
    ] as const) {
      const page = await returnToFoyer(browser, replayed);
      expect(page.location).toMatch(/status=error-token/);
    }
    expect(findAccepted(handed)).toHaveLength(1);
  });

  it('[REG-3] expires after an hour, and is deleted from the database', async () => {
    const handed = await continueToService(gateway);
    gateway.clock.advanceSeconds(3601);
    const username = newName();
    await isRefused(
      await returnToFoyer(handed.browser, await demoService.answer(gateway, handed, { account: { username } })),
      handed,
      username,
    );
    const rows = () => gateway.database.db.selectFrom('registration_ticket').selectAll().execute();
    expect((await rows()).length).toBeGreaterThan(0);
    await gateway.get(Cleanup).deleteExpired();
    expect(await rows()).toEqual([]);
  });

  it.each(['expire', 'markUsed'] as const)('[REG-3] is too late for a challenge that has ended (%s)', async (end) => {
    const handed = await continueToService(gateway);
    gateway.hydra[end](handed.challenge);
    const username = newName();
    await isRefused(
      await returnToFoyer(handed.browser, await demoService.answer(gateway, handed, { account: { username } })),
      handed,
      username,
    );
  });

  it('[REG-3] is too late if somebody signed in with a password meanwhile', async () => {
    const account = await gateway.account(newName());
    const handed = await continueToService(gateway);
    const before = handed.browser.clone();
    const page = await handed.browser.get(`${PATHS.login}?login_challenge=${handed.challenge}`);
    const { xsrf_token: _xsrf } = page.state('login').login;
    const typed = { _xsrf, login_challenge: handed.challenge, username: account.username, password: PASSWORD };
    expect((await handed.browser.post(PATHS.loginNative, typed)).location).toContain('login_verifier=');
    const username = newName();
    const late = await returnToFoyer(before, await demoService.answer(gateway, handed, { account: { username } }));
    expect(late.location).toMatch(/status=error-token/);
    expect(await gateway.get(Accounts).findByUsername(username)).toBeNull();
    expect(findAccepted(handed)).toHaveLength(1);
  });

  it('[REG-3] signs in nobody who is disabled or unknown', async () => {
    const disabled = await gateway.account(newName());
    await gateway.get(Accounts).setStatus(disabled.id, 'disabled');
    for (const sub of [disabled.id, '0d9e8f3a-51c4-4f0e-9c0b-7be2d1a6c7f4', 'admin', '']) {
      const handed = await continueToService(gateway);
      const page = await returnToFoyer(handed.browser, await demoService.answer(gateway, handed, { sub }));
      expect(page.location).toMatch(/status=error&|status=error$/);
      expect(findAccepted(handed)).toEqual([]);
    }
  });

  it('[REG-3] signs in nobody whose account was disabled after it was created', async () => {
    const handed = await continueToService(gateway);
    const username = newName();
    const answer = await demoService.answer(gateway, handed, { account: { username } });
    gateway.hydra.fail();
    await returnToFoyer(handed.browser, answer);
    gateway.hydra.fail(null);
    const { acceptLogin } = gateway.hydra;
    gateway.hydra.acceptLogin = () => Promise.reject(new Error('cut'));
    await returnToFoyer(handed.browser, answer);
    gateway.hydra.acceptLogin = acceptLogin;
    const made = await gateway.get(Accounts).findByUsername(username);
    await gateway.get(Accounts).setStatus(made?.id ?? '', 'disabled');
    expect((await returnToFoyer(handed.browser, answer)).location).toMatch(/status=error&/);
    expect(findAccepted(handed)).toEqual([]);
  });
});

describe('the keys of the service', () => {
  it('are read once, and once more for a new key, with a cool-down', async () => {
    gateway.clock.advanceSeconds(700);
    const honest = async () => {
      const handed = await continueToService(gateway);
      return returnToFoyer(handed.browser, await demoService.answer(gateway, handed, { account: { username: newName() } }));
    };
    const before = demoService.readings;
    await Promise.all([honest(), honest(), honest()]);
    expect(demoService.readings).toBe(before + 1);
    await demoService.rotateKey();
    expect((await honest()).location).toMatch(/status=error-token/);
    expect(demoService.readings).toBe(before + 1);
    gateway.clock.advanceSeconds(30);
    expect((await honest()).location).toContain('login_verifier=');
    expect(demoService.readings).toBe(before + 2);
  });

  it('are not read for an answer that belongs to nobody here', async () => {
    gateway.clock.advanceSeconds(700);
    const handed = await continueToService(gateway);
    const before = demoService.readings;
    await returnToFoyer(gateway.browser(), await demoService.answer(gateway, handed, { account: { username: newName() } }));
    expect(demoService.readings).toBe(before);
  });

  it.each(['cut', 'error', 'garbage', 'silent'] as const)(
    'may be unavailable (%s): the same answer counts later',
    async (fault) => {
      gateway.clock.advanceSeconds(700);
      const handed = await continueToService(gateway);
      const answer = await demoService.answer(gateway, handed, { account: { username: newName() } });
      demoService.fault = fault;
      const service = gateway.get(RegistrationService);
      const { keysTimeoutMs } = service;
      if (fault === 'silent') service.keysTimeoutMs = 200;
      const page = await returnToFoyer(handed.browser, answer);
      expect(page.status).toBe(503);
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
      const shown = page.state('server_error').server_error;
      expect(shown.code).toBe('unavailable');
      const readings = demoService.readings;
      expect((await returnToFoyer(handed.browser, answer)).status).toBe(503);
      expect(demoService.readings).toBe(readings);
      demoService.fault = null;
      service.keysTimeoutMs = keysTimeoutMs;
      gateway.clock.advanceSeconds(2);
      expect((await returnToFoyer(handed.browser, answer)).location).toContain('login_verifier=');
    },
  );
});

describe('with a shared secret', () => {
  it('[REG-3] accepts a MAC with it and nothing else', async () => {
    const secret = randomBytes(32).toString('base64url');
    const service = { url: SERVICE, issuer: SERVICE, proof: { kind: 'secret', secret } } as const;
    const config = (): Partial<Config> => ({ registration: { hintNames: [], service } });
    const simple = await startTestGateway({ config });
    try {
      const handed = await continueToService(simple);
      const send = async (key: Uint8Array | undefined, alg: string) => {
        const change: AnswerChange = { header: { alg }, ...(key ? { key } : {}) };
        return returnToFoyer(
          handed.browser,
          await demoService.answer(simple, handed, { account: { username: 'shared' } }, change),
        );
      };
      expect((await send(undefined, 'ES256')).location).toMatch(/error-token/);
      expect((await send(randomBytes(32), 'HS256')).location).toMatch(/error-token/);
      expect((await send(Buffer.from(secret), 'HS512').catch(() => null))?.location ?? 'error-token').toMatch(/error-token/);
      expect((await send(Buffer.from(secret), 'HS256')).location).toContain('login_verifier=');
    } finally {
      await simple.close();
    }
  });
});
