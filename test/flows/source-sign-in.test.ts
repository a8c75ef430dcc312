import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { PATHS } from '../../src/contract/paths.js';
import { FakeUserSource, type FakePerson } from '../../src/sources/fake-user-source.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';

const THERE = 'linde kupfer 1284';

let gateway: TestGateway;
let staff: FakeUserSource;
let partners: FakeUserSource;
let count = 0;

beforeAll(async () => {
  staff = new FakeUserSource('staff', 'https://password.example/');
  partners = new FakeUserSource('partners');
  gateway = await startTestGateway({ sources: [staff, partners] });
  await gateway.account('maria.musterfrau');
});
afterAll(() => gateway.close());

beforeEach(() => {
  for (const source of [staff, partners]) {
    source.isDown = false;
    source.calls.length = 0;
  }
});

function person(username: string, more: Partial<FakePerson> = {}): FakePerson {
  const id = { subject: `id-of-${username}`, username, displayName: `The ${username}`, email: `${username}@there.example` };
  return { ...id, emailVerified: false, isActive: true, attributes: {}, password: THERE, ...more };
}

async function signIn(
  username: string,
  password = THERE,
  address = `192.0.2.${(count % 200) + 1}`,
  known?: TestBrowser,
): Promise<TestPage> {
  const browser = known ?? gateway.browser({ 'accept-language': 'en', 'x-forwarded-for': address });
  const challenge = `source-${(count += 1)}`;
  gateway.hydra.addLogin({ challenge, sessionId: `sid-${challenge}` });
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  const { xsrf_token: _xsrf, ticket } = page.state('login').login;
  return browser.post(PATHS.loginNative, { _xsrf, ticket, login_challenge: challenge, username, password });
}

const subjects = () => gateway.hydra.calls.flatMap((call) => (call.call === 'acceptLogin' ? [call.authentication.subject] : []));
const lastSubject = () => subjects().at(-1);
const account = (username: string) => gateway.get(Accounts).findByUsername(username);

async function events(kind: string) {
  const { entries } = await gateway.get(AuditLog).search({ kinds: [kind] });
  return entries;
}

describe('[SRC-1] signing in as a person of a source', () => {
  it('creates the account at the first sign-in, and finds it at the next', async () => {
    staff.people.push(person('anna'));
    expect((await signIn('anna')).status).toBe(303);
    const anna = await account('anna');
    expect(anna).toMatchObject({ displayName: 'The anna', email: 'anna@there.example', emailVerified: false });
    expect(lastSubject()).toBe(anna?.id);
    expect((await events('source.connected')).map(({ accountId }) => accountId)).toEqual([anna?.id]);
    expect((await signIn('anna')).status).toBe(303);
    expect(lastSubject()).toBe(anna?.id);
    expect(await events('source.connected')).toHaveLength(1);
  });

  it('takes over name, address and groups when they change there, and keeps the account for a new username', async () => {
    const bea = person('bea');
    staff.people.push(bea);
    await signIn('bea');
    const before = await account('bea');
    Object.assign(bea, {
      username: 'beate',
      displayName: 'Beate',
      email: 'beate@there.example',
      emailVerified: true,
      groups: ['b', 'a'],
    });
    expect((await signIn('beate')).status).toBe(303);
    const after = await account('beate');
    expect(after).toMatchObject({ id: before?.id, displayName: 'Beate', email: 'beate@there.example', emailVerified: true });
    expect(after?.groups).toEqual(['b', 'a']);
    expect(await account('bea')).toBeNull();
  });

  it('creates one account for two first sign-ins at the same moment', async () => {
    staff.people.push(person('clara'));
    const answers = await Promise.all([signIn('clara'), signIn('clara')]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(new Set(subjects().slice(-2)).size).toBe(1);
  });

  it('never asks a source for a person with a local password, also if it knows the name', async () => {
    staff.people.push(person('maria.musterfrau'));
    expect((await signIn('maria.musterfrau', PASSWORD)).status).toBe(303);
    expect(staff.calls).toEqual([]);
    expect((await signIn('maria.musterfrau', THERE)).status).toBe(422);
    expect(staff.calls).not.toContain('verify');
  });

  it('never takes over an existing account, whatever its name and address are', async () => {
    const dora = await gateway.get(Accounts).create({ username: 'dora', email: 'dora@there.example' });
    staff.people.push(person('dora'));
    const answer = await signIn('dora');
    expect(answer.status).toBe(403);
    expect(answer.state('server_error').server_error).toMatchObject({ status: 403, code: 'not_allowed' });
    expect(await gateway.get(Accounts).find(dora.id)).toEqual(dora);
    expect((await events('source.refused'))[0]?.detail).toMatchObject({ source: 'staff', subject: 'id-of-dora' });
  });

  it('does not give the account of a former person to another person with the same name', async () => {
    const first = person('emil');
    staff.people.push(first);
    await signIn('emil');
    const emil = await account('emil');
    staff.people = staff.people.filter((one) => one !== first);
    staff.people.push(person('emil', { subject: 'another-emil' }));
    expect((await signIn('emil')).status).toBe(403);
    expect(await account('emil')).toEqual(emil);
  });

  it('signs in to the first source for a name of two; the same id in another source is another person', async () => {
    staff.people.push(person('fritz'));
    partners.people.push(
      person('fritz', { subject: 'other-fritz', password: 'of the partners 77' }),
      person('gerd', { subject: 'id-of-fritz' }),
    );
    expect((await signIn('fritz', 'of the partners 77')).status).toBe(422);
    expect((await signIn('fritz')).status).toBe(303);
    const fritz = lastSubject();
    expect((await signIn('gerd')).status).toBe(303);
    expect(lastSubject()).not.toBe(fritz);
  });

  it('creates no account for a reserved name, or for one that looks like another', async () => {
    staff.people.push(person('admin'), person('maria.musterfrаu', { subject: 'look-alike' }), person('of two words'));
    for (const name of ['admin', 'maria.musterfrаu', 'of two words']) expect([403, 422]).toContain((await signIn(name)).status);
    expect(await account('admin')).toBeNull();
  });

  it('omits an address that cannot be stored here, and admits the person', async () => {
    staff.people.push(person('hanna', { email: 'no address' }));
    expect((await signIn('hanna')).status).toBe(303);
    expect((await account('hanna'))?.email).toBeUndefined();
  });

  it('is not possible with an account that is disabled here', async () => {
    staff.people.push(person('ines'));
    await signIn('ines');
    const ines = await account('ines');
    await gateway.get(Accounts).setStatus(ines?.id ?? '', 'disabled');
    staff.calls.length = 0;
    expect((await signIn('ines')).status).toBe(422);
    expect(staff.calls).not.toContain('verify');
  });
});

describe('[SRC-6] what is refused', () => {
  it('[LOG-6] has the same answer and cost for unknown names, local names and names of a source', async () => {
    staff.people.push(person('karl'));
    await signIn('karl');
    const work = [];
    for (const name of ['nobody.at.all', 'maria.musterfrau', 'karl', 'fritz', 'gerd']) {
      for (const source of [staff, partners]) source.calls.length = 0;
      const answer = await signIn(name, 'wrong password 1');
      const { status, html } = answer;
      // Every source gets the same number of calls of each kind, because a password costs as much as its imitation.
      const costs = [staff, partners].map(({ calls }) => calls.map((call) => (call === 'verify' ? 'verify-dummy' : call)).sort());
      work.push({ status, code: /data-code="([^"]+)"/.exec(html)?.[1], costs });
    }
    for (const one of work) expect(one).toEqual(work[0]);
    expect(work[0]).toMatchObject({ status: 422, code: 'credentials' });
    expect(work[0]?.costs).toEqual([
      ['find', 'verify-dummy'],
      ['find', 'verify-dummy'],
    ]);
  });

  it('[LOG-6] is counted before the source is asked: after five failures it is not asked any more', async () => {
    staff.people.push(person('lena'));
    for (let failure = 0; failure < 5; failure += 1) expect((await signIn('lena', 'wrong password 1')).status).toBe(422);
    staff.calls.length = 0;
    expect((await signIn('lena')).status).toBe(429);
    expect(staff.calls).toEqual([]);
  });

  it.each([
    ['password-change', 'password_change', 'https://password.example/'],
    ['not-allowed', 'not_allowed', undefined],
  ] as const)('%s is said after the right password only', async (kind, code, link) => {
    const name = `mona.${kind}`;
    staff.people.push(person(name, { verdict: { kind, reason: 'of the test' } }));
    expect((await signIn(name, 'wrong password 1')).status).toBe(422);
    const answer = await signIn(name);
    expect(answer.status).toBe(403);
    expect(answer.state('server_error').server_error.code).toBe(code);
    if (link !== undefined) expect(answer.html).toContain(`href="${link}"`);
    expect(await account(name)).toBeNull();
  });
});

describe('[SRC-5] a source that is down', () => {
  it('answers 503 to its own people, counts nothing against them, and does not affect local people', async () => {
    staff.people.push(person('nina'));
    await signIn('nina');
    staff.isDown = true;
    for (let time = 0; time < 7; time += 1) {
      const answer = await signIn('nina');
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
      expect(answer.state('server_error').server_error.code).toBe('source_unavailable');
    }
    expect((await signIn('maria.musterfrau', PASSWORD)).status).toBe(303);
    staff.isDown = false;
    expect((await signIn('nina')).status).toBe(303);
  });

  it('does not affect people of another source once they have an account', async () => {
    partners.people.push(person('olga'), person('paul'));
    await signIn('olga');
    staff.isDown = true;
    expect((await signIn('olga')).status).toBe(303);
    // The first source might know the name.
    expect((await signIn('paul')).status).toBe(503);
  });

  it('[LOG-6] gives every failed attempt the same answer, so that nobody learns where a password is', async () => {
    staff.isDown = true;
    const answers = [];
    for (const name of ['maria.musterfrau', 'nobody.else', 'karl']) answers.push((await signIn(name, 'wrong password 1')).status);
    expect(answers).toEqual([503, 503, 503]);
  });

  it('lets local people see that the password is wrong, in a known browser, and no source is asked', async () => {
    const browser = gateway.browser({ 'accept-language': 'en', 'x-forwarded-for': '192.0.2.250' });
    await gateway.account('lotte.lokal');
    staff.isDown = true;
    expect((await signIn('lotte.lokal', PASSWORD, '192.0.2.250', browser)).status).toBe(303);
    staff.calls.length = 0;
    expect((await signIn('lotte.lokal', 'wrong password 1', '192.0.2.250', browser)).status).toBe(422);
    expect(staff.calls).toEqual([]);
    // The browser learns nothing about any other name.
    expect((await signIn('maria.musterfrau', 'wrong password 1', '192.0.2.250', browser)).status).toBe(503);
  });

  it('gives everybody a general answer if the owner of the name must not be revealed', async () => {
    staff.isDown = true;
    const answer = await signIn('maria.musterfrau', 'wrong password 1');
    expect(answer.html).toContain('If it isn’t and you typed a password, the username or the password is wrong');
  });

  it('[I18-1] leads back to the login page of the request in another language', async () => {
    staff.isDown = true;
    const browser = gateway.browser({ 'accept-language': 'en' });
    const answer = await signIn('nina', THERE, '192.0.2.251', browser);
    const german = answer.state('server_error').app.language_links?.find(({ locale }) => locale === 'de');
    const page = await browser.get(german?.url ?? '');
    expect([page.status, page.state('login').locale]).toEqual([200, 'de']);
    expect(page.state('login').login.login_challenge).toBe(`source-${count}`);
  });

  it('is logged without the username', async () => {
    staff.isDown = true;
    await signIn('nina');
    const line = gateway.logLines.findLast(({ msg }) => msg === 'a user source does not answer');
    expect(line).toMatchObject({ source: 'staff', reason: 'it is down' });
    expect(JSON.stringify(gateway.logLines)).not.toContain(THERE);
  });
});
