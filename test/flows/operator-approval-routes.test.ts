/**
 * No route around the second operator: every operation of the table, whatever it is called with, leaves factors, address and rights of
 * an account as they were, or is named here with the reason why it may change them.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { OperatorRule } from '../../src/config/config.js';
import { randomToken } from '../../src/config/keys.js';
import { getRule, OPERATION_IDS, type OperationId } from '../../src/operator/operations.js';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import { UserSources } from '../../src/sources/user-sources.js';
import { PASSWORD } from '../support/gateway.js';
import { startTestOperator, type OperatorAnswer, type TestOperator } from '../support/operator.js';
import { buildScimSettings } from '../support/scim-people.js';
import { loadApi } from '../support/operator-api.js';
import { beginConsoleSession, expectError, importer, operatorSteps } from '../support/operator-story.js';

const CONSOLE = { url: 'http://localhost:3001', acr: 'urn:foyer:acr:mfa', backChannelUrl: 'http://localhost:3001' } as const;
const SCHEMA = { properties: { team: { type: 'array', items: { type: 'string' } } } };
const RULES: readonly OperatorRule[] = [
  { group: 'Administrators', right: 'admin' },
  { attribute: 'team', value: 'platform', right: 'admin' },
  { group: 'Support', right: 'support' },
];

const staff = new FakeUserSource('staff', undefined, 'Staff directory');
let operator: TestOperator;
let secret: string;
const { createAccount } = operatorSteps(() => operator);
const { importLines } = importer(() => operator);
const api = loadApi();

beforeAll(async () => {
  for (const [subject, username] of [
    ['attacker', 'attacker'],
    ['colleague', 'renamed'],
  ] as const) {
    const email = `${subject}@example.org`;
    staff.people.push({ subject, username, email, emailVerified: true, attributes: {}, isActive: true, password: PASSWORD });
  }
  operator = await startTestOperator({
    config: (config) => ({
      console: CONSOLE,
      scim: [buildScimSettings()],
      accounts: { ...config.accounts, schema: SCHEMA },
      operator: { ...config.operator, approval: 'operators', rules: RULES },
    }),
    foundation: ({ log }) => ({ sources: new UserSources([staff], log) }),
  });
  const { id } = await createAccount({ username: 'olga.operator' });
  secret = await beginConsoleSession(operator, id, 'admin');
});

afterAll(() => operator.close());

function findPerson(subject: string) {
  const person = staff.people.find((one) => one.subject === subject);
  if (!person) throw new Error(`There is no person ${subject}.`);
  return person;
}

interface Victim {
  id: string;
  username: string;
}

const callConsole = (method: string, path: string, body?: unknown): Promise<OperatorAnswer> =>
  operator.call(method, path, body, {
    authorization: undefined,
    cookie: `foyer-console=${secret}`,
    'x-foyer-console': '1',
    'x-foyer-reason': 'because',
    ...(path.startsWith('/imports') ? { 'content-type': 'application/x-ndjson' } : {}),
  });

const callWithToken = (method: string, path: string, body?: unknown): Promise<OperatorAnswer> =>
  operator.call(method, path, body, {
    'x-foyer-reason': 'because',
    ...(path.startsWith('/imports') ? { 'content-type': 'application/x-ndjson' } : {}),
  });

async function createVictim(): Promise<Victim> {
  const victim = await createAccount({ email: 'old@example.org' });
  const seed = { account_id: victim.id, secret: 'sealed', last_step: 0, created_at: operator.clock.now() };
  await operator.database.db.insertInto('totp_factor').values(seed).execute();
  return victim;
}

/** What must not change without a second operator. */
async function readProtected({ id }: Victim): Promise<unknown> {
  const { db } = operator.database;
  const [account, rights, source, secrets, factors] = await Promise.all([
    db
      .selectFrom('account')
      .select(['email', 'email_verified', 'group_name', 'groups', 'attributes'])
      .where('id', '=', id)
      .execute(),
    db.selectFrom('operator_grant').select('right_name').where('account_id', '=', id).where('right_name', '=', 'admin').execute(),
    db.selectFrom('source_account').select('subject').where('account_id', '=', id).execute(),
    db
      .selectFrom('one_time_secret')
      .select('purpose')
      .where('account_id', '=', id)
      .where('purpose', '=', 'factor-reset')
      .execute(),
    db.selectFrom('account_factor').select(['kind', 'count']).where('account_id', '=', id).execute(),
  ]);
  return { account, rights, source, secrets, factors };
}

type Tries = readonly (readonly [path: (victim: Victim) => string, body?: (victim: Victim) => unknown])[];

const importLine = (line: object): string => `${JSON.stringify(line)}\n`;
const toAccountPath = (rest: string): [(victim: Victim) => string] => [({ id }) => `/accounts/${id}${rest}`];

/**
 * How each operation could reach a factor, an address or a right, and with what. `null`: it takes nothing that could, or it takes an
 * id that only an operation of this table makes. `GONE`: the account itself is deleted, and with it what it may do.
 */
const GONE = 'gone';
const TRIES: Readonly<Record<OperationId, Tries | null | typeof GONE>> = {
  'accounts.list': [[() => '/accounts']],
  'accounts.show': [toAccountPath('')],
  'accounts.create': [
    [() => '/accounts', ({ username }) => ({ username, email: 'evil@example.org' })],
    [() => '/accounts', ({ id }) => ({ username: `a${id.slice(0, 8)}`, group_name: 'Administrators' })],
  ],
  'accounts.change': [
    [...toAccountPath(''), () => ({ email: 'evil@example.org' })],
    [...toAccountPath(''), () => ({ email: null })],
    [...toAccountPath(''), () => ({ email: 'OLD@example.org' })],
    [...toAccountPath(''), () => ({ email: 'old@example.org', email_verified: true })],
    [...toAccountPath(''), () => ({ email: 'evil@example.org', email_verified: true, display_name: 'New' })],
    [...toAccountPath(''), () => ({ group_name: ' Administrators ' })],
    [...toAccountPath(''), () => ({ groups: ['Sales', 'Administrators'] })],
    [...toAccountPath(''), () => ({ attributes: { team: ['platform'] } })],
  ],
  'access.disable': [toAccountPath('/disable')],
  'access.enable': [toAccountPath('/enable')],
  'access.unlock': [toAccountPath('/unlock')],
  'access.unfreeze': [toAccountPath('/unfreeze')],
  'resets.requirePassword': [toAccountPath('/require-password-change')],
  'access.refresh': [toAccountPath('/refresh')],
  'deletion.delete': GONE,
  'deletion.schedule': [[...toAccountPath('/deletion'), () => ({ days: 14 })]],
  'deletion.cancel': [toAccountPath('/deletion')],
  'sessions.list': [toAccountPath('/sessions')],
  'sessions.endAll': [toAccountPath('/sessions')],
  'sessions.endOne': [toAccountPath('/sessions/x')],
  'trustedBrowsers.list': [toAccountPath('/trusted-browsers')],
  'trustedBrowsers.endAll': [toAccountPath('/trusted-browsers')],
  'trustedBrowsers.endOne': [toAccountPath('/trusted-browsers/x')],
  'supportCheck.show': [toAccountPath('/support-check')],
  'supportCheck.ask': [toAccountPath('/support-check')],
  'supportCheck.answer': [[...toAccountPath('/support-check/answer'), () => ({ words: 'lantern river tulip' })]],
  'factors.remove': [toAccountPath('/factors/totp')],
  'resets.password': [toAccountPath('/password-reset')],
  'resets.mailPassword': [toAccountPath('/password-reset-mail')],
  'resets.invite': [toAccountPath('/invitation')],
  'resets.factors': [toAccountPath('/factor-reset')],
  // A new account, not that of the victim; groups that make an admin are refused: test/flows/invitations.test.ts.
  'invitations.create': [
    [() => '/invitations', () => ({ email: 'old@example.org', groups: ['Administrators'] })],
    [() => '/invitations', () => ({ email: 'old@example.org' })],
  ],
  'invitations.createMany': [[() => '/invitations/many', () => ({ invitations: [{ email: 'old@example.org' }] })]],
  'invitations.list': [[() => '/invitations']],
  'invitations.show': null,
  'invitations.resend': null,
  'invitations.withdraw': null,
  'providers.list': [toAccountPath('/providers')],
  'providers.disconnect': [toAccountPath('/providers/google')],
  'source.link': [
    [...toAccountPath('/source'), () => ({ source: 'staff', subject: 'attacker' })],
    [...toAccountPath('/source'), () => ({ source: 'staff', username: 'attacker' })],
  ],
  'source.unlink': [toAccountPath('/source')],
  'claims.show': [toAccountPath('/claims?client=portal')],
  'search.find': [[() => '/search?q=old']],
  'audit.ofAccount': [toAccountPath('/audit')],
  'audit.ofAll': [[() => '/audit']],
  'operatorHealth.health': [[() => '/health']],
  'operators.list': [[() => '/operators']],
  'operators.show': [toAccountPath('/operator-rights')],
  'operators.grant': [
    [...toAccountPath('/operator-rights'), () => ({ right: 'admin' })],
    [...toAccountPath('/operator-rights'), () => ({ right: 'admin', ends_at: '2090-01-01' })],
  ],
  'operators.revoke': [toAccountPath('/operator-rights/admin')],
  'operators.sessions': [[() => '/operator-sessions']],
  'operators.endSession': null,
  // The actions of a job are among those above that do not wait.
  'jobs.count': [[() => '/jobs/count', () => ({ action: 'schedule_deletion', filter: {} })]],
  'jobs.start': null,
  'jobs.list': [[() => '/jobs']],
  'jobs.show': null,
  'jobs.failures': null,
  'jobs.stop': null,
  'filters.list': [[() => '/filters']],
  'filters.save': [[() => '/filters', () => ({ page: 'people', name: 'All', filter: {} })]],
  'filters.remove': null,
  'clients.list': [[() => '/clients']],
  'clients.presets': [[() => '/clients/presets']],
  'clients.show': null,
  // A client is not an account, and decides about none.
  'clients.create': null,
  'clients.change': null,
  'clients.rotateSecret': null,
  'clients.delete': null,
  'clients.people': [[() => '/clients/portal/people']],
  'clients.preview': [[({ id }) => `/clients/portal/preview?account=${id}`]],
  'accountApps.remove': [toAccountPath('/apps/portal')],
  'today.show': [[() => '/today']],
  'sources.list': [[() => '/sources']],
  'doctor.run': [[() => '/doctor']],
  'settings.list': [[() => '/settings']],
  'mails.list': [[() => '/mails']],
  'mails.causes': [[() => '/mails/causes']],
  // A link is sent again to the address that the account has, or not at all: test/flows/operator-mails.test.ts.
  'mails.retry': null,
  'mails.retryAll': [[() => '/mails/retry', () => ({ cause: 'refused' })]],
  'sinks.list': [[() => '/sinks']],
  'sinks.deliveries': [[() => '/sinks/crm/deliveries']],
  'sinks.pause': [[() => '/sinks/crm/pause']],
  'sinks.resume': [[() => '/sinks/crm/resume']],
  'sinks.replay': [[() => '/sinks/crm/replay', () => ({ since: '2026-01-01' })]],
  'sinks.replayOne': [[() => '/sinks/crm/deliveries/replay', () => ({ event: '1' })]],
  'scimOffers.list': [[() => '/scim/offers?source=entra']],
  // An operator who names the person gives them the account, so with `external_id` it is refused: test/flows/scim-attacks.test.ts.
  'scimOffers.offer': [[() => '/scim/offers', ({ id }) => ({ account: id, source: 'entra', external_id: 'of-the-attacker' })]],
  'scimOffers.offerMany': [[() => '/scim/offers/many', () => ({ source: 'entra', filter: {} })]],
  'scimOffers.withdraw': [[({ id }) => `/scim/offers/${id}`]],
  'scimFaults.list': [[() => '/scim/faults?source=entra']],
  'scimFaults.dismiss': [[() => '/scim/faults/8f14e45f-ceea-4672-9a52-3c1e6f1f8a10']],
  'accountTerms.list': [toAccountPath('/terms')],
  'terms.list': [[() => '/terms']],
  'terms.text': [[() => `/terms/texts/${'0'.repeat(64)}`]],
  // Nobody who signed up has an account yet.
  'signUps.list': [[() => '/sign-ups']],
  'signUps.approve': [[() => '/sign-ups/8f14e45f-ceea-4672-9a52-3c1e6f1f8a10/approve']],
  'signUps.refuse': [[() => '/sign-ups/8f14e45f-ceea-4672-9a52-3c1e6f1f8a10/refuse']],
  'approvals.list': [[() => '/approvals']],
  'approvals.show': null,
  // Those of test/flows/operator-approvals.test.ts.
  'approvals.approve': null,
  'approvals.reject': null,
  'approvals.withdraw': null,
  'transfer.import': [
    [
      () => '/imports',
      ({ username }) => importLine({ username, email: 'evil@example.org', totp_secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
    ],
    [
      () => '/imports',
      ({ id, username }) => importLine({ id, username, email: 'evil@example.org', group_name: 'Administrators' }),
    ],
    [() => '/imports', ({ id }) => importLine({ id, username: `b${id.slice(0, 8)}`, email: 'evil@example.org' })],
    [() => '/imports', ({ username }) => importLine({ username, source: 'staff', source_subject: 'attacker' })],
  ],
  'transfer.export': [[() => '/exports?password_hashes=true'], [() => '/exports?totp_secrets=true']],
};

function toMethod(id: OperationId): string {
  const methods = Object.values(api.document.paths).flatMap((operations) => Object.entries(operations));
  const found = methods.find(([, { operationId }]) => operationId === id);
  if (!found) throw new Error(`The operation ${id} has no route.`);
  return found[0].toUpperCase();
}

describe('[OPR-3] without a second operator', () => {
  it.each(OPERATION_IDS)('%s changes no factor, no address and no right of admin', async (id) => {
    const tries = TRIES[id];
    if (tries === null || tries === GONE) return expect(getRule(id).approval).toBeUndefined();
    for (const call of [callConsole, callWithToken]) {
      for (const [path, body] of tries) {
        const victim = await createVictim();
        const before = await readProtected(victim);
        const answer = await call(toMethod(id), path(victim), body?.(victim));
        expect([answer.status < 500, await readProtected(victim)]).toEqual([true, before]);
        const isHeld = getRule(id).approval === true && id !== 'resets.password';
        expect([path(victim), answer.status === 202]).toEqual([path(victim), isHeld]);
        if (isHeld) expect(answer.text).not.toMatch(/"password_hash":|"totp_secret":|reset_token/);
      }
    }
  });

  it('a new account has no right of admin by a group or an attribute', async () => {
    const admin = [{ group_name: 'Administrators ' }, { groups: ['Administrators'] }, { attributes: { team: 'platform' } }];
    for (const [index, members] of admin.entries()) {
      const username = `new.admin.${index}`;
      expectError(
        await callWithToken('POST', '/accounts', { username, password: PASSWORD, ...members }),
        409,
        'approval_required',
      );
      expect(await importLines([{ username, ...members }])).toMatchObject([{ result: 'invalid', error: 'approval_required' }]);
    }
    expect((await callWithToken('POST', '/accounts', { username: 'new.support', group_name: 'Support' })).status).toBe(201);
    expect(await importLines([{ username: 'new.sales', group_name: 'Sales' }])).toMatchObject([{ result: 'created' }]);
  });

  it('no deleted account is imported again, which would be the same account to apps', async () => {
    const { id } = await createVictim();
    expect((await callConsole('DELETE', `/accounts/${id}`)).status).toBe(200);
    const names = { username: `c${id.slice(0, 8)}`, email: 'evil@example.org', password: PASSWORD };
    const refused = [{ result: 'invalid', error: 'approval_required' }];
    expect(await importLines([{ subject: id, ...names }])).toMatchObject(refused);
    expect(await importLines([{ id, ...names }])).toMatchObject(refused);
    expect((await operator.call('GET', `/accounts/${id}`)).status).toBe(404);
  });

  it('nobody gets the link to the password of an operator, only of others', async () => {
    const { id } = await createAccount({ username: 'other.operator', group_name: 'Support' });
    expect((await callConsole('POST', `/accounts/${id}/password-reset`)).status).toBe(202);
    await operator.call('POST', `/accounts/${id}/disable`);
    expectError(await callConsole('POST', `/accounts/${id}/password-reset`), 409, 'account_disabled');
    const other = await createAccount();
    expect((await callConsole('POST', `/accounts/${other.id}/password-reset`)).status).toBe(200);
  });

  it('nothing waits that the state of the account or the time already refuses', async () => {
    const { id } = await createAccount();
    const past = { right: 'admin', ends_at: '2020-01-01' };
    expectError(await callConsole('POST', `/accounts/${id}/operator-rights`, past), 422, 'past', 'ends_at');
    expect((await callConsole('POST', `/accounts/${id}/operator-rights`, { right: 'support' })).status).toBe(200);
    const now = operator.clock.now();
    const link = { account_id: id, source: 'staff', subject: 'linked', profile: '', connected_at: now, seen_at: now };
    await operator.database.db.insertInto('source_account').values(link).execute();
    expectError(await callConsole('POST', `/accounts/${id}/password-reset`), 409, 'password_elsewhere');
    const person = { source: 'staff', subject: 'attacker' };
    expectError(await callConsole('POST', `/accounts/${id}/source`, person), 409, 'has_source');
    const victim = await createVictim();
    const credentials_frozen_until = new Date(operator.clock.now().getTime() + 60_000);
    await operator.database.db.updateTable('account').set({ credentials_frozen_until }).where('id', '=', victim.id).execute();
    expectError(await callConsole('DELETE', `/accounts/${victim.id}/factors/totp`), 409, 'credentials_frozen');
  });

  it('what does not concern address and rights is changed at once', async () => {
    const { id } = await createAccount({ email: 'old@example.org', group_name: 'Administration' });
    const patch = { display_name: 'New name', email: 'old@example.org', group_name: 'Support', language: 'de' };
    expect((await callConsole('PATCH', `/accounts/${id}`, patch)).json).toMatchObject(patch);
    expect((await callConsole('POST', `/accounts/${id}/operator-rights`, { right: 'support' })).status).toBe(200);
  });
});

describe('[OPR-3] with a second operator', () => {
  let second: string;
  const approveAs = (id: string) =>
    operator.call('POST', `/approvals/${id}/approve`, undefined, {
      authorization: undefined,
      cookie: `foyer-console=${second}`,
      'x-foyer-console': '1',
      'x-foyer-reason': 'agreed',
    });

  beforeAll(async () => {
    const { id } = await createAccount({ username: 'otto.operator' });
    second = await beginConsoleSession(operator, id, 'admin');
  });

  it('links the person whom it showed, and not the person who has the username later', async () => {
    const victim = await createVictim();
    const asked = await callConsole('POST', `/accounts/${victim.id}/source`, { source: 'staff', username: 'renamed' });
    expect(asked.json['body']).toEqual({ source: 'staff', subject: 'colleague' });
    const [colleague, attacker] = [findPerson('colleague'), findPerson('attacker')];
    [colleague.username, attacker.username] = ['colleague', 'renamed'];
    expect((await approveAs(String(asked.json['id']))).json['result']).toMatchObject({ source_subject: 'colleague' });
    attacker.username = 'attacker';
  });

  it.each([
    [
      'accounts.change',
      'PATCH',
      '',
      { email: 'new@example.org', email_verified: true, groups: ['Administrators'] },
      'account.changed',
    ],
    ['factors.remove', 'DELETE', '/factors/totp', undefined, 'factor.removed'],
    ['resets.factors', 'POST', '/factor-reset', undefined, 'factor-reset.issued'],
    ['operators.grant', 'POST', '/operator-rights', { right: 'admin', ends_at: '2090-01-01' }, 'operator.granted'],
    ['source.link', 'POST', '/source', { source: 'staff', username: 'attacker' }, 'source.connected'],
    ['resets.password', 'POST', '/password-reset', undefined, 'password-reset.issued'],
  ] as const)('%s does what a direct call does, once', async (operation, method, rest, body, kind) => {
    const victim = await createVictim();
    // The link to the password of an operator waits.
    if (operation === 'resets.password')
      await operator.call('POST', `/accounts/${victim.id}/operator-rights`, { right: 'support' });
    const { status, json } = await callConsole(method, `/accounts/${victim.id}${rest}`, body);
    expect([status, json['operation']]).toEqual([202, operation]);
    const approved = await approveAs(String(json['id']));
    expect([approved.status, approved.json['result']]).toEqual([200, expect.any(Object)]);
    expectError(await approveAs(String(json['id'])), 409, 'approval_decided');
    const { entries } = (await operator.call('GET', `/accounts/${victim.id}/audit`)).json as {
      entries: { kind: string; actor: string; detail: { reason?: string } }[];
    };
    const done = entries.filter((entry) => entry.kind === kind && entry.detail.reason === 'because');
    expect(done.map(({ actor }) => actor)).toEqual(['operator:otto.operator']);
    const notices = await operator.database.db.selectFrom('outbox').select('kind').where('account_id', '=', victim.id).execute();
    expect(JSON.stringify(notices)).not.toContain('condition');
  });
});

describe('[OPR-3] OPERATOR_APPROVAL', () => {
  const NIGHT = randomToken();
  let other: TestOperator;
  afterEach(() => other.close());
  const own = operatorSteps(() => other);
  const call = (token: string, method: string, path: string, body?: unknown) =>
    other.call(method, path, body, { authorization: `Bearer ${token}`, 'x-foyer-reason': 'because' });
  const grantAdmin = async (token: string) => {
    const { id } = await own.createAccount();
    return call(token, 'POST', `/accounts/${id}/operator-rights`, { right: 'admin' });
  };
  const start = async (approval: 'operators' | 'operators-and-tokens', rules: readonly OperatorRule[] = []) => {
    const tokens = [{ name: 'night', rights: 'admin', token: NIGHT }] as const;
    other = await startTestOperator({
      config: (config) => ({ console: CONSOLE, operator: { ...config.operator, approval, tokens, rules } }),
    });
  };
  const askForEmail = async (send: (method: string, path: string, body?: unknown) => Promise<OperatorAnswer>) => {
    const { id } = await own.createAccount({ email: 'old@example.org' });
    const { status, json } = await send('PATCH', `/accounts/${id}`, { email: 'new@example.org' });
    expect([status, json['state']]).toEqual([202, 'open']);
    const readEmail = async () => (await other.call('GET', `/accounts/${id}`)).json['email'];
    return { path: `/approvals/${String(json['id'])}`, missing: json['missing'], readEmail };
  };

  it('lets a token grant the first two operators, and never again, whatever is taken away', async () => {
    await start('operators');
    const first = await grantAdmin(other.token);
    expect([first.status, (await grantAdmin(NIGHT)).status, (await grantAdmin(NIGHT)).status]).toEqual([200, 200, 202]);
    for (const { account_id: id } of (await other.call('GET', '/operators')).json['operators'] as { account_id: string }[]) {
      await other.call('DELETE', `/accounts/${id}/operator-rights/admin`);
      await other.call('DELETE', `/accounts/${id}`);
    }
    expect((await grantAdmin(other.token)).status).toBe(202);
  });

  it('lets tokens grant two at most also at the same time', async () => {
    await start('operators');
    const ids: string[] = [];
    for (let index = 0; index < 6; index++) ids.push((await own.createAccount()).id);
    const grant = (id: string) => call(NIGHT, 'POST', `/accounts/${id}/operator-rights`, { right: 'admin' });
    const answers = await Promise.all(ids.map(grant));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 202, 202, 202, 202]);
  });

  it('lets no token grant if a group makes operators', async () => {
    await start('operators', [{ group: 'Administrators', right: 'admin' }]);
    expect((await grantAdmin(other.token)).status).toBe(202);
  });

  it('lets another token approve only if tokens count', async () => {
    await start('operators-and-tokens');
    const { id } = await own.createAccount({ email: 'old@example.org' });
    const asked = await call(NIGHT, 'PATCH', `/accounts/${id}`, { email: 'new@example.org' });
    expect(asked.json).toMatchObject({ missing: 1, asked_by: 'operator:night' });
    const path = `/approvals/${String(asked.json['id'])}/approve`;
    expectError(await call(NIGHT, 'POST', path), 403, 'own_approval');
    expect((await call(other.token, 'POST', path)).json).toMatchObject({ result: { email: 'new@example.org' } });
  });

  it('an operator and a token are never two people: the token may be that of the operator, whatever both are called', async () => {
    await start('operators-and-tokens');
    const hire = async (username: string) => {
      const { id } = await own.createAccount({ username });
      const cookie = `foyer-console=${await beginConsoleSession(other, id, 'admin')}`;
      const headers = { authorization: undefined, cookie, 'x-foyer-console': '1', 'x-foyer-reason': 'because' };
      return {
        id,
        call: (method: string, path: string, body?: unknown) => other.call(method, path, body, headers),
      };
    };
    const callAtNight = (method: string, path: string, body?: unknown) => call(NIGHT, method, path, body);
    const [same, otto] = [await hire('night'), await hire('otto.operator')];
    const asked = await askForEmail(same.call);
    expectError(await callAtNight('POST', `${asked.path}/approve`), 403, 'approver_unknown');
    await other.services.accounts.update(same.id, { username: 'night.operator' });
    expectError(await callAtNight('POST', `${asked.path}/approve`), 403, 'approver_unknown');
    expectError(await call(other.token, 'POST', `${asked.path}/approve`), 403, 'approver_unknown');
    expectError(await same.call('POST', `${asked.path}/approve`), 403, 'own_approval');
    expect(await asked.readEmail()).toBe('old@example.org');
    expect((await otto.call('POST', `${asked.path}/approve`)).json).toMatchObject({ result: { email: 'new@example.org' } });

    const byToken = await askForEmail(callAtNight);
    expect([byToken.missing, (await same.call('GET', byToken.path)).json['missing']]).toEqual([1, 2]);
    const first = await same.call('POST', `${byToken.path}/approve`);
    expect(first.json).toMatchObject({ approval: { missing: 1, supported_by_account: same.id }, result: null });
    expectError(await same.call('POST', `${byToken.path}/approve`), 403, 'own_approval');
    expectError(await callAtNight('POST', `${byToken.path}/approve`), 403, 'own_approval');
    expect(await byToken.readEmail()).toBe('old@example.org');
    expect((await otto.call('POST', `${byToken.path}/approve`)).json).toMatchObject({ result: { email: 'new@example.org' } });
  });
});
