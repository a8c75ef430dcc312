/** The round trip to the registration service and back, over HTTP; forged answers are in `registration-forged.test.ts`. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountList } from '../../src/accounts/account/account-list.js';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { signIn } from '../support/manage.js';
import {
  TestRegistrationService,
  SERVICE,
  returnToFoyer,
  continueToService,
  findTicket,
  verifyTicket,
  type SentToService,
} from '../support/registration-service.js';
import { SecondStepStory, stepAddress } from '../support/second-step.js';
import type { TestPage } from '../support/test-browser.js';

let gateway: TestGateway;
let demoService: TestRegistrationService;
const staff = new FakeUserSource('staff');
let count = 0;

beforeAll(async () => {
  demoService = await new TestRegistrationService().start();
  gateway = await startTestGateway({ config: () => demoService.config(), sources: [staff] });
});

afterAll(async () => {
  await gateway.close();
  await demoService.stop();
});

afterEach(() => gateway.hydra.fail(null));

const newName = () => `neu.${(count += 1)}`;

const findAccepted = ({ challenge }: SentToService) =>
  gateway.hydra.calls.filter((call) => call.call === 'acceptLogin' && call.challenge === challenge);

const findAccount = (username: string) => gateway.get(Accounts).findByUsername(username);

const withHints = (hints: Record<string, string>) => {
  const parameters = Object.entries(hints).map(([name, value]) => [`reg_hint[${name}]`, value]);
  return { requestUrl: gateway.hydra.requestUrl(Object.fromEntries(parameters) as Record<string, string>) };
};

/** Follows the 303 that removes the answer from the address. */
async function statusAfter(page: TestPage, handed: SentToService) {
  expect(page.status).toBe(303);
  expect(page.location).toMatch(/^\/register\/callback\?status=/);
  expect(page.location).not.toContain('answer');
  return (await handed.browser.get(page.location ?? '')).state('registration');
}

describe('the redirect to the registration service', () => {
  it('[LOG-4] [REG-2] is offered if the request has hints with allowed names, and nowhere else', async () => {
    const openLogin = async (hints: Record<string, string>) => {
      const challenge = `hints-${(count += 1)}`;
      gateway.hydra.addLogin({ challenge, ...withHints(hints) });
      return gateway.browser().get(`${PATHS.login}?login_challenge=${challenge}`);
    };
    const page = await openLogin({ invitation: 'A&B "1"', other: 'x', __proto__: 'y' });
    expect(page.state('login').login.reg_hints).toEqual([{ key: 'invitation', value: 'A&B "1"' }]);
    expect(page.html).toContain('action="/register"');
    expect(page.html).toContain('name="hints[invitation]" value="A&amp;B &quot;1&quot;"');
    for (const hints of [{}, { other: 'x' }, { invitation: '' }, { invitation: 'x'.repeat(201) }, { invitation: 'a\u202Eb' }]) {
      const without = await openLogin(hints);
      expect(without.state('login').login.reg_hints).toEqual([]);
      expect(without.html).not.toContain('/register');
    }
  });

  it('[REG-1] is a 303 with a signed ticket that does not contain the challenge', async () => {
    const browser = gateway.browser();
    gateway.hydra.addLogin({ challenge: 'way-there', uiLocales: ['de'], client: gateway.hydra.client({ name: 'Nordwest' }) });
    const page = await browser.get(`${PATHS.login}?login_challenge=way-there`);
    const { xsrf_token: _xsrf } = page.state('login').login;
    const posted = {
      _xsrf,
      login_challenge: 'way-there',
      'hints[contract]': 'BAV-1',
      'hints[admin]': '1',
      'hints[invitation]': 'a\u0007',
    };
    const away = await browser.post(PATHS.register, posted);
    expect(away.status).toBe(303);
    const url = new URL(away.location ?? '');
    expect([url.origin, url.pathname, url.searchParams.get('v')]).toEqual([SERVICE, '/start', '1']);
    const ticket = url.searchParams.get('ticket') ?? '';
    const { iat = 0, exp = 0, jti, txn, ...said } = await verifyTicket(gateway, ticket);
    expect(said).toEqual({
      iss: gateway.config.publicUrl,
      aud: SERVICE,
      return_url: `${gateway.config.publicUrl}/register/callback`,
      client_id: 'demo',
      client_name: 'Nordwest',
      locale: 'de',
      hints: { contract: 'BAV-1' },
    });
    expect(exp - iat).toBe(600);
    expect([typeof jti, typeof txn]).toEqual(['string', 'string']);
    expect(Buffer.from(ticket.split('.')[1] ?? '', 'base64url').toString()).not.toContain('way-there');
  });

  it('[REG-1] also starts at the upstream, with the hints of the request', async () => {
    const browser = gateway.browser();
    gateway.hydra.addLogin({ challenge: 'prompted', ...withHints({ invitation: 'WELCOME' }) });
    const away = await browser.get(`${PATHS.register}?login_challenge=prompted`);
    expect(findTicket(away)).toMatchObject({ hints: { invitation: 'WELCOME' } });
    const handed = { ticket: findTicket(away) };
    const answer = await demoService.answer(gateway, handed, { account: { username: newName() } });
    expect((await returnToFoyer(browser, answer)).location).toContain('login_verifier=');
  });

  it('[REG-1] asks the upstream again if somebody is already signed in', async () => {
    gateway.hydra.addLogin({ challenge: 'remembered', skip: true, subject: 'x', ...withHints({ invitation: 'A' }) });
    const away = await gateway.browser().get(`${PATHS.register}?login_challenge=remembered`);
    const url = new URL(away.location ?? '');
    expect(url.origin).toBe(gateway.hydra.publicUrl);
    expect(url.searchParams.get('prompt')).toBe('login registration');
    expect(url.searchParams.get('reg_hint[invitation]')).toBe('A');
  });

  it('[REG-1] [LOG-14] works in an older tab, whose form is from before the browser got another id', async () => {
    const browser = gateway.browser({ origin: gateway.config.publicUrl });
    gateway.hydra.addLogin({ challenge: 'older-tab', ...withHints({ invitation: 'A' }) });
    const page = await browser.get(`${PATHS.login}?login_challenge=older-tab`);
    const { xsrf_token: _xsrf } = page.state('login').login;
    await signIn(gateway, browser, await gateway.account(newName()));
    const away = await browser.post(PATHS.register, { _xsrf, login_challenge: 'older-tab', 'hints[invitation]': 'A' });
    const answer = await demoService.answer(gateway, { ticket: findTicket(away) }, { account: { username: newName() } });
    // The client has a newer request, so this one starts again with the proof.
    expect((await returnToFoyer(browser, answer)).location).toBe(gateway.hydra.requestUrl({ 'reg_hint[invitation]': 'A' }));
  });

  it('[REG-3] [LOG-14] signs in to the request, although this browser has opened a login page of the same client before', async () => {
    const browser = gateway.browser();
    gateway.hydra.addLogin({ challenge: 'login-before' });
    await browser.get(`${PATHS.login}?login_challenge=login-before`);
    gateway.hydra.addLogin({ challenge: 'prompted-after', requestUrl: gateway.hydra.requestUrl({ prompt: 'registration' }) });
    const away = await browser.get(`${PATHS.register}?login_challenge=prompted-after`);
    const answer = await demoService.answer(gateway, { ticket: findTicket(away) }, { account: { username: newName() } });
    expect((await returnToFoyer(browser, answer)).location).toContain('login_verifier=');
  });

  it('[REG-3] [LOG-14] does not lead to the service again if the client has a newer request', async () => {
    const browser = gateway.browser();
    const requestUrl = gateway.hydra.requestUrl({ prompt: 'login registration', state: 'prompted-before' });
    gateway.hydra.addLogin({ challenge: 'prompted-before', requestUrl });
    const away = await browser.get(`${PATHS.register}?login_challenge=prompted-before`);
    gateway.hydra.addLogin({ challenge: 'login-after' });
    await browser.get(`${PATHS.login}?login_challenge=login-after`);
    const answer = await demoService.answer(gateway, { ticket: findTicket(away) }, { account: { username: newName() } });
    const restart = (await returnToFoyer(browser, answer)).location ?? '';
    expect(new URL(restart).searchParams.get('prompt')).toBe('login');
    gateway.hydra.addLogin({ challenge: 'prompted-again', requestUrl: restart });
    const accepted = await browser.get(`${PATHS.login}?login_challenge=prompted-again`);
    expect(accepted.location).toContain('login_verifier=');
  });

  it('[REG-1] [LOG-5] leads to the login page for an invalid challenge, and refuses forged forms', async () => {
    const browser = gateway.browser();
    for (const challenge of ['nowhere', '']) {
      const answer = await browser.get(`${PATHS.register}?login_challenge=${challenge}`);
      expect(answer.location).toBe(challenge ? `${PATHS.login}?login_challenge=${challenge}` : PATHS.login);
    }
    gateway.hydra.addLogin({ challenge: 'forged-form' });
    expect((await browser.post(PATHS.register, { login_challenge: 'forged-form' })).status).toBe(403);
    const owner = await continueToService(gateway);
    const stranger = await browser.get(`${PATHS.register}?login_challenge=${owner.challenge}`);
    expect(stranger.location).toContain(PATHS.login);
  });

  it('[REG-1] [LOG-4] is off without a service: no form, no keys, and the page of the specification', async () => {
    const closed = await startTestGateway({ config: () => ({ registration: { hintNames: ['invitation'] } }) });
    try {
      const requestUrl = closed.hydra.requestUrl({ 'reg_hint[invitation]': 'x' });
      closed.hydra.addLogin({ challenge: 'closed', requestUrl });
      const browser = closed.browser();
      const page = await browser.get(`${PATHS.login}?login_challenge=closed`);
      const { reg_hints, xsrf_token: _xsrf } = page.state('login').login;
      expect(reg_hints).toEqual([]);
      const login = `${PATHS.login}?login_challenge=closed`;
      expect((await browser.get(`${PATHS.register}?login_challenge=closed`)).location).toBe(login);
      expect((await browser.post(PATHS.register, { _xsrf, login_challenge: 'closed' })).location).toBe(login);
      expect((await browser.get(SERVER_PATHS.registerKeys)).status).toBe(404);
      const gone = await browser.get(`${PATHS.registerCallback}?answer=x.y.z`);
      expect((await browser.get(gone.location ?? '')).state('registration').registration.status).toBe('error-token');
    } finally {
      await closed.close();
    }
  });
});

describe('the return from the registration service', () => {
  it('[REG-3] creates the account and signs in to the waiting request', async () => {
    const handed = await continueToService(gateway);
    const username = newName();
    const account = {
      username,
      display_name: 'Nele Neumann',
      email: 'nele@example.org',
      email_verified: true,
      language: 'de',
      group_name: 'Nord',
      groups: ['Chor'],
      attributes: { given_name: 'Nele', birthdate: '1999-02-03' },
      unknown: 'passed over',
    };
    const back = await returnToFoyer(handed.browser, await demoService.answer(gateway, handed, { account }));
    expect([back.status, back.location]).toEqual([303, expect.stringContaining('login_verifier=')]);
    const made = await findAccount(username);
    expect(made).toMatchObject({
      displayName: 'Nele Neumann',
      email: 'nele@example.org',
      emailVerified: true,
      language: 'de',
      groupName: 'Nord',
      groups: ['Nord', 'Chor'],
      attributes: { given_name: 'Nele', birthdate: '1999-02-03' },
    });
    expect(findAccepted(handed)).toMatchObject([
      {
        authentication: { subject: made?.id, amr: ['fed'], acr: 'urn:foyer:acr:fed', remember: true, rememberForSeconds: 28_800 },
      },
    ]);
    const id = back.setCookies.find(({ name }) => name === 'foyer');
    expect(id).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    const { entries } = await gateway.get(AuditLog).list(made?.id ?? '');
    expect(entries.map(({ kind, actor, detail }) => [kind, actor, detail])).toEqual([
      ['sign-in.ok', 'person', { amr: ['fed'], client: 'demo' }],
      ['registration.finished', 'person', { created: true }],
      ['account.created', 'person', undefined],
    ]);
    expect(JSON.stringify(gateway.logLines)).not.toContain('nele@example.org');
  });

  it('[REG-3] signs in to an existing account, and asks for its second factor', async () => {
    const steps = new SecondStepStory(gateway);
    const { account } = await steps.createPerson();
    const handed = await continueToService(gateway);
    const back = await returnToFoyer(handed.browser, await demoService.answer(gateway, handed, { sub: account.id }));
    expect(back.location).toBe(stepAddress(handed.challenge));
    expect(findAccepted(handed)).toEqual([]);
    const plain = await gateway.account(newName());
    const other = await continueToService(gateway);
    expect((await returnToFoyer(other.browser, await demoService.answer(gateway, other, { sub: plain.id }))).location).toContain(
      'verifier',
    );
    expect(findAccepted(other)).toMatchObject([{ authentication: { subject: plain.id } }]);
  });

  it('[REG-3] [S-124] signs nobody in whose user source no longer knows them', async () => {
    const username = newName();
    const person = {
      subject: `id-of-${username}`,
      username,
      emailVerified: false,
      attributes: {},
      isActive: true,
      password: PASSWORD,
    };
    staff.people.push(person);
    await signIn(gateway, gateway.browser(), { username } as Account);
    const account = await findAccount(username);
    for (const [isActive, logins] of [
      [true, 1],
      [false, 0],
    ] as const) {
      person.isActive = isActive;
      const handed = await continueToService(gateway);
      await returnToFoyer(handed.browser, await demoService.answer(gateway, handed, { sub: account?.id ?? '' }));
      expect([isActive, findAccepted(handed).length]).toEqual([isActive, logins]);
    }
  });

  it('[REG-3] [S-124] signs nobody in with a repeated answer after the person has left the user source', async () => {
    const username = newName();
    const person = {
      subject: `id-of-${username}`,
      username,
      emailVerified: false,
      attributes: {},
      isActive: true,
      password: PASSWORD,
    };
    staff.people.push(person);
    await signIn(gateway, gateway.browser(), { username } as Account);
    const account = await findAccount(username);
    const handed = await continueToService(gateway);
    const answer = await demoService.answer(gateway, handed, { sub: account?.id ?? '' });
    const { acceptLogin } = gateway.hydra;
    gateway.hydra.acceptLogin = () => Promise.reject(new Error('cut'));
    expect((await returnToFoyer(handed.browser, answer)).status).toBe(500);
    gateway.hydra.acceptLogin = acceptLogin;
    person.isActive = false;
    const page = await statusAfter(await returnToFoyer(handed.browser, answer), handed);
    expect([page.registration.status, findAccepted(handed)]).toEqual(['error', []]);
  });

  it('[REG-3] [LOG-14] works if the browser has got another id meanwhile, and for a late second click too', async () => {
    const handed = await continueToService(gateway, { client: gateway.hydra.client({ id: 'another-app' }) });
    await signIn(gateway, handed.browser, await gateway.account(newName()));
    const username = newName();
    const answer = await demoService.answer(gateway, handed, { account: { username } });
    // A registration that is begun later in another tab does not replace it.
    await continueToService(gateway, { client: gateway.hydra.client({ id: 'third-app' }) }, {}, handed.browser);
    const back = await returnToFoyer(handed.browser, answer);
    expect(back.location).toContain('login_verifier=');
    expect(findAccepted(handed)).toMatchObject([{ authentication: { subject: (await findAccount(username))?.id } }]);
    expect((await returnToFoyer(handed.browser, answer)).location).toBe(back.location);
    expect(findAccepted(handed)).toHaveLength(1);
  });

  it('[REG-3] leads people who changed their mind back to the login page', async () => {
    const handed = await continueToService(gateway);
    const back = await returnToFoyer(handed.browser, await demoService.answer(gateway, handed, { error: 'cancelled' }));
    expect(back.location).toBe(`${PATHS.login}?login_challenge=${handed.challenge}`);
    expect((await handed.browser.get(back.location ?? '')).state('login').login.error).toBeNull();
  });

  it('[REG-3] returns a taken name and an invalid field to the service, which may answer again', async () => {
    const taken = newName();
    await gateway.account(taken);
    const handed = await continueToService(gateway, {}, { invitation: 'A' });
    const send = async (account: object) => returnToFoyer(handed.browser, await demoService.answer(gateway, handed, { account }));
    const refused = findTicket(await send({ username: taken.toUpperCase() }));
    expect(refused).toMatchObject({ refused: { code: 'username-taken', field: 'username' }, hints: { invitation: 'A' } });
    expect(refused.txn).toBe(handed.ticket.txn);
    const username = newName();
    expect(findTicket(await send({ username, display_name: 'a\u202Eb' }))['refused']).toEqual({
      code: 'characters',
      field: 'display_name',
    });
    expect(findTicket(await send({ username, email_verified: 'yes', email: 'a@b.example' }))['refused']).toMatchObject({
      field: 'email_verified',
    });
    expect(await findAccount(username)).toBeNull();
    expect((await send({ username })).location).toContain('login_verifier=');
    expect(await findAccount(username)).not.toBeNull();
  });

  it('[REG-3] returns the name of a person of a source who has no account yet', async () => {
    const fields = {
      subject: 'id',
      username: 'known.there',
      emailVerified: false,
      attributes: {},
      isActive: true,
      password: 'x',
    };
    staff.people.push(fields);
    const handed = await continueToService(gateway);
    const account = { username: 'Known.There' };
    const back = await returnToFoyer(handed.browser, await demoService.answer(gateway, handed, { account }));
    expect(findTicket(back)).toMatchObject({ refused: { code: 'username-taken', field: 'username' } });
    expect(await findAccount('known.there')).toBeNull();
  });

  it('[REG-3] ends with an error if the service never corrects its answer', async () => {
    const handed = await continueToService(gateway);
    const send = async () =>
      returnToFoyer(handed.browser, await demoService.answer(gateway, handed, { account: { username: 'x' } }));
    for (let round = 0; round < 5; round++) findTicket(await send());
    expect((await statusAfter(await send(), handed)).registration.status).toBe('error');
  });

  it('[REG-3] happens once for fifty answers at the same moment, each of which continues the sign-in', async () => {
    const handed = await continueToService(gateway);
    const username = newName();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => demoService.answer(gateway, handed, { account: { username, display_name: 'Fifty' } })),
    );
    const backs = await Promise.all(answers.map((answer) => returnToFoyer(handed.browser.clone(), answer)));
    expect(new Set(backs.map(({ location }) => location)).size).toBe(1);
    expect(backs[0]?.location).toContain('login_verifier=');
    const { accounts } = await gateway.get(AccountList).page({ limit: 200 });
    expect(accounts.filter(({ displayName }) => displayName === 'Fifty')).toHaveLength(1);
    const { entries } = await gateway.get(AuditLog).list((await findAccount(username))?.id ?? '');
    expect(entries.filter(({ kind }) => kind === 'registration.finished')).toHaveLength(1);
  });

  it('[REG-3] continues with the created account after a short outage of the upstream', async () => {
    const handed = await continueToService(gateway);
    const username = newName();
    const answer = await demoService.answer(gateway, handed, { account: { username } });
    const { acceptLogin } = gateway.hydra;
    gateway.hydra.acceptLogin = () => Promise.reject(new Error('cut'));
    expect((await returnToFoyer(handed.browser, answer)).status).toBe(500);
    gateway.hydra.acceptLogin = acceptLogin;
    const made = await findAccount(username);
    expect((await returnToFoyer(handed.browser, answer)).location).toContain('login_verifier=');
    expect(findAccepted(handed)).toMatchObject([{ authentication: { subject: made?.id } }]);
  });

  it('[REG-3] reports the account if another form has answered the sign-in meanwhile', async () => {
    const handed = await continueToService(gateway);
    const username = newName();
    const answer = await demoService.answer(gateway, handed, { account: { username } });
    const { acceptLogin } = gateway.hydra;
    gateway.hydra.acceptLogin = async (challenge) => {
      gateway.hydra.markUsed(challenge);
      await gateway.hydra.getLogin(challenge);
      return '';
    };
    const page = await statusAfter(await returnToFoyer(handed.browser, answer), handed);
    gateway.hydra.acceptLogin = acceptLogin;
    expect(page.registration.status).toBe('success');
    expect(await findAccount(username)).not.toBeNull();
  });
});
