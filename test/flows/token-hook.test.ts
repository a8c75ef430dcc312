/** The token hook: whether Hydra may issue a token to a person, and with which claims (docs/token-hook.md). */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import type { Account } from '../../src/accounts/account/accounts.js';
import { freezeCredentials } from '../../src/accounts/account/credential-freeze.js';
import { randomToken } from '../../src/config/keys.js';
import { hookBody, type HookToken } from '../support/hook-body.js';
import { callHook } from '../support/hook-calls.js';
import { startTestOperator, type OperatorAnswer, type TestOperator } from '../support/operator.js';
import { buildScimSettings } from '../support/scim-people.js';

const [KEY, OLD_KEY] = [randomToken(), randomToken()];
const SCOPES = ['openid', 'offline', 'profile', 'groups'];
const GROUPS = { scope: 'groups', claim: 'groups', attribute: 'groups', tokens: ['id_token', 'access_token'] } as const;
const YESTERDAY = new Date(Date.now() - 86_400_000);

let operator: TestOperator;
let names = 0;

beforeAll(async () => {
  operator = await startTestOperator({
    config: ({ consent }) => ({
      tokenHook: { keys: [KEY, OLD_KEY] },
      scim: [buildScimSettings({ id: 'here', tokens: ['h'.repeat(40)], password: true })],
      consent: { ...consent, claims: [...consent.claims, GROUPS] },
    }),
  });
});
afterAll(() => operator.close());

const newAccount = (more: Partial<Parameters<TestOperator['services']['accounts']['create']>[0]> = {}): Promise<Account> =>
  operator.services.accounts.create({ username: `maria.${(names += 1)}`, ...more });
const ask = (token: HookToken, key: string | undefined = KEY): Promise<OperatorAnswer> =>
  callHook(operator, key, hookBody(token));
const askStatus = async (token: HookToken): Promise<number> => (await ask(token)).status;

describe('a refresh', () => {
  it('gets the claims of today for the scopes that were granted, and keeps what others have put into the token', async () => {
    const { id: subject } = await newAccount({ displayName: 'Maria', email: 'maria@example.org', groups: ['purchase'] });
    await operator.services.accounts.update(subject, { groups: ['board'], displayName: 'Maria Neu' });
    const answer = await ask({
      ...{ subject, scopes: SCOPES, sid: 'sid-1' },
      idToken: { groups: ['purchase'], name: 'Maria', of_others: { deep: [1, null] } },
      accessToken: { groups: ['purchase'], of_others: 7 },
    });
    expect(answer.status).toBe(200);
    const { session } = answer.json as { session: Record<'access_token' | 'id_token', Record<string, unknown>> };
    expect(session.access_token).toEqual({ groups: ['board'], of_others: 7 });
    expect(session.id_token).toMatchObject({
      groups: ['board'],
      name: 'Maria Neu',
      sid: 'sid-1',
      of_others: { deep: [1, null] },
    });
    expect(session.id_token).not.toHaveProperty('email');
  });

  it('loses a claim that the person no longer has, and one whose scope was not granted', async () => {
    const { id: subject } = await newAccount({ email: 'somebody@example.org' });
    const stale = { groups: ['purchase'], email: 'old@example.org' };
    const { json } = await ask({ subject, scopes: ['openid', 'groups'], idToken: stale, accessToken: stale });
    expect(json).toEqual({ session: { access_token: {}, id_token: { sid: 'a-session' } } });
  });

  it('names the account by the subject that Hydra knows, also if the app sees a pairwise one', async () => {
    const stored = `person-${randomToken(6)}`;
    const { id } = await newAccount({ subject: stored, displayName: 'Stored' });
    const { json } = await ask({ subject: stored, pairwise: 'f00', scopes: ['openid', 'profile'] });
    expect(json).toMatchObject({ session: { id_token: { name: 'Stored' } } });
    await operator.call('POST', `/accounts/${id}/disable`);
    expect(await askStatus({ subject: stored, pairwise: 'f00' })).toBe(403);
  });

  it('is one statement', async () => {
    const { id: subject } = await newAccount();
    const run = jest.spyOn(operator.database, 'run');
    const transaction = jest.spyOn(operator.database, 'transaction');
    try {
      expect(await askStatus({ subject })).toBe(200);
      expect([run.mock.calls.length, transaction.mock.calls.length]).toEqual([1, 0]);
    } finally {
      run.mockRestore();
      transaction.mockRestore();
    }
  });

  it('with claims that are too large for a token is refused like a consent, and not as if the person had left', async () => {
    const { id: subject } = await newAccount({ groups: Array.from({ length: 60 }, (_, index) => `${index}-${'x'.repeat(80)}`) });
    expect(await askStatus({ subject, scopes: SCOPES })).toBe(422);
    expect(await askStatus({ subject, scopes: ['openid'] })).toBe(200);
  });
});

describe.each(['refresh_token', 'authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'])(
  'a token by %s',
  (grantType) => {
    const granted = grantType === 'refresh_token' ? 200 : 204;

    it('is refused to somebody who is disabled or deleted, or was never here', async () => {
      const [{ id: disabled }, { id: deleted }] = [await newAccount(), await newAccount()];
      expect([await askStatus({ subject: disabled, grantType }), await askStatus({ subject: deleted, grantType })]).toEqual([
        granted,
        granted,
      ]);
      await operator.call('POST', `/accounts/${disabled}/disable`);
      await operator.call('DELETE', `/accounts/${deleted}`);
      for (const subject of [disabled, deleted, 'somebody-else', 'x'.repeat(5000), "'; --"])
        expect([subject.slice(0, 20), await askStatus({ subject, grantType })]).toEqual([subject.slice(0, 20), 403]);
      await operator.call('POST', `/accounts/${disabled}/enable`);
      // Access that has ended stays ended: the person has to sign in again.
      expect(await askStatus({ subject: disabled, grantType, authorizedAt: YESTERDAY })).toBe(403);
      const later = new Date(operator.clock.now().getTime() + 1000);
      expect(await askStatus({ subject: disabled, grantType, authorizedAt: later })).toBe(granted);
    });

    it('is refused where the access of the app was taken away, and only there', async () => {
      const { id: subject } = await newAccount();
      const old = { subject, grantType, authorizedAt: YESTERDAY };
      // A grant from before the upgrade, and one of a trusted app, have no row here.
      expect(await askStatus(old)).toBe(granted);
      await operator.call('DELETE', `/accounts/${subject}/apps/portal`);
      expect([await askStatus(old), await askStatus({ ...old, clientId: 'other' })]).toEqual([403, granted]);
      const later = new Date(operator.clock.now().getTime() + 1000);
      expect(await askStatus({ ...old, authorizedAt: later })).toBe(granted);
    });
  },
);

it('a grant that was given anew counts although the clock of Hydra is behind', async () => {
  const { id: subject } = await newAccount();
  await operator.call('DELETE', `/accounts/${subject}/apps/portal`);
  expect(await askStatus({ subject, authorizedAt: YESTERDAY })).toBe(403);
  const { database } = operator;
  const times = {
    granted_at: sql<Date>`${database.now()} + interval '1 second'`,
    expires_at: sql<Date>`${database.now()} + interval '1 day'`,
  };
  const grant = { account_id: subject, client_id: 'portal', scope: 'openid', client_created_at: null, ...times };
  await database.db.insertInto('consent_grant').values(grant).execute();
  expect(await askStatus({ subject, authorizedAt: YESTERDAY })).toBe(200);
});

it('a session that began after the end of all access counts although the clock of Hydra is behind', async () => {
  const { id: subject } = await newAccount();
  await operator.call('POST', `/accounts/${subject}/disable`);
  await operator.call('POST', `/accounts/${subject}/enable`);
  const own = { subject, authorizedAt: YESTERDAY, sid: `sid-${subject}` };
  expect(await askStatus(own)).toBe(403);
  const session = { browser: randomToken(), upstreamSessionId: own.sid, acr: 'x', amr: ['pwd'], lifetimeSeconds: 3600 };
  await operator.services.sessions.begin({ accountId: subject, ...session });
  expect([await askStatus(own), await askStatus({ ...own, sid: 'another' })]).toEqual([200, 403]);
});

it.each([
  ['refuse the tokens of a person of a directory, whose password they stop', 'staff', 403],
  ['do not refuse the tokens of a person of a SCIM source with a password here', 'scim:here', 200],
  ['do not refuse the tokens of a person without a source', null, 200],
])('frozen credentials %s', async (_, source, status) => {
  const { id: accountId } = await newAccount();
  const { database } = operator;
  const seen = { connected_at: database.now(), seen_at: database.now() };
  const link = { account_id: accountId, subject: `id-${accountId}`, profile: '', ...seen };
  if (source !== null)
    await database.db
      .insertInto('source_account')
      .values({ ...link, source })
      .execute();
  await database.transaction((trx) => freezeCredentials({ accountId, now: database.now(), seconds: 600 }, trx));
  expect(await askStatus({ subject: accountId })).toBe(status);
});

it('a token without a person is issued as it is, whatever its subject is', async () => {
  const { id: subject } = await newAccount();
  await operator.call('POST', `/accounts/${subject}/disable`);
  for (const grantType of ['client_credentials', 'urn:ietf:params:oauth:grant-type:jwt-bearer', 'password', 'something-new']) {
    const answer = await ask({ subject, clientId: subject, grantType });
    expect([grantType, answer.status, answer.text]).toEqual([grantType, 204, '']);
  }
});

describe('the key', () => {
  it('is required, and each key of the setting is accepted', async () => {
    const { id: subject } = await newAccount();
    expect([(await ask({ subject })).status, (await ask({ subject }, OLD_KEY)).status]).toEqual([200, 200]);
    const wrong = ['', KEY.slice(1), `${KEY}x`, KEY.toUpperCase(), `${KEY},${OLD_KEY}`, operator.token, randomToken()];
    for (const key of wrong) expect([key, (await ask({ subject }, key)).status]).toEqual([key, 401]);
    const bearer = { authorization: `Bearer ${operator.token}` };
    expect((await callHook(operator, undefined, hookBody({ subject }), bearer)).status).toBe(401);
    const asBearer = { authorization: `Bearer ${KEY}` };
    expect((await operator.call('GET', '/accounts', undefined, asBearer)).status).toBe(401);
    expect(JSON.stringify(operator.logLines)).not.toContain(KEY);
  });

  it('opens nothing else, and without a key there is no hook', async () => {
    const { id: subject } = await newAccount();
    const keyed = { 'X-Foyer-Hook-Key': KEY, authorization: undefined };
    expect((await operator.call('GET', '/accounts', undefined, keyed)).status).toBe(401);
    const plain = await startTestOperator({ database: operator.database });
    try {
      const bearer = { authorization: `Bearer ${plain.token}` };
      expect((await callHook(plain, KEY, hookBody({ subject }))).status).toBe(401);
      expect((await callHook(plain, undefined, hookBody({ subject }), bearer)).status).toBe(404);
      expect((await callHook(plain, '', hookBody({ subject }))).status).toBe(401);
    } finally {
      await plain.close();
    }
  });
});

describe('a call that Hydra would not make', () => {
  const { session, request } = hookBody({ subject: 'a' }) as Record<string, Record<string, unknown>>;
  const withClaims = (change: object): unknown => {
    const idToken = session?.['id_token'] as { id_token_claims: object };
    return {
      request,
      session: { ...session, id_token: { ...idToken, id_token_claims: { ...idToken.id_token_claims, ...change } } },
    };
  };

  it.each([
    ['nothing', undefined],
    ['no object', '[]'],
    ['no JSON', '{"session":'],
    ['no session', { request }],
    ['no request', { session }],
    ['a session that is a list', { session: [], request }],
    ['no grant', { session, request: { ...request, grant_types: [] } }],
    ['grants as one text', { session, request: { ...request, grant_types: 'refresh_token' } }],
    ['no client', { session, request: { ...request, client_id: '' } }],
    ['scopes that are numbers', { session, request: { ...request, granted_scopes: [1] } }],
    ['no subject', { session: { ...session, id_token: { ...(session?.['id_token'] as object), subject: '' } }, request }],
    ['a NUL', { session: { ...session, id_token: { ...(session?.['id_token'] as object), subject: 'a\u0000' } }, request }],
    ['claims that are a list', withClaims({ ext: [] })],
    ['no time', withClaims({ iat: 'yesterday' })],
  ])('gets 400, and so no token is issued: %s', async (_, body) => {
    operator.logLines.splice(0);
    const answer = await callHook(operator, KEY, body);
    expect([answer.status, answer.json['error']]).toEqual([400, expect.stringMatching(/^bad_(json|request)$/)]);
  });

  it('is in the log with the member, and without its value', async () => {
    operator.logLines.splice(0);
    await callHook(operator, KEY, withClaims({ iat: 'a secret' }));
    const lines = operator.logLines.filter(({ msg }) => msg === 'token hook: a call could not be read');
    expect(lines).toEqual([expect.objectContaining({ reason: expect.stringContaining('id_token_claims.iat') })]);
    expect(JSON.stringify(operator.logLines)).not.toContain('a secret');
  });

  it('may have much that Foyer does not know, within a limit', async () => {
    const { id: subject } = await newAccount();
    const large = await ask({ subject, idToken: { of_others: 'x'.repeat(300_000) } });
    expect([large.status, large.text.length > 300_000]).toEqual([200, true]);
    expect((await ask({ subject, idToken: { of_others: 'x'.repeat(1_100_000) } })).status).toBe(413);
    const proto = JSON.stringify(hookBody({ subject })).replace('"sid"', '"__proto__":{"a":1},"constructor":2,"sid"');
    expect((await callHook(operator, KEY, proto)).text).toContain('"__proto__":{"a":1},"constructor":2');
  });
});

it('no token is issued while the database does not answer', async () => {
  const run = jest.spyOn(operator.database, 'run').mockRejectedValue(new Error('the database is gone'));
  try {
    expect(await askStatus({ subject: 'somebody' })).toBeGreaterThanOrEqual(500);
  } finally {
    run.mockRestore();
  }
});
