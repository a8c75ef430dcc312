/** The apps that have access to an account: their list in the account area, and how it ends. */
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { ConsentGrants } from '../../src/accounts/sessions/consent-grants.js';
import { PATHS } from '../../src/contract/paths.js';
import { UpstreamUnavailable } from '../../src/hydra/hydra.errors.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, newPerson, signIn } from '../support/manage.js';

let gateway: TestGateway;

beforeAll(async () => {
  const scopes = { invoices: { title: { de: 'Rechnungen lesen', en: 'Read invoices' } } };
  gateway = await startTestGateway({ config: ({ consent }) => ({ consent: { ...consent, scopes } }) });
});

afterAll(() => gateway.close());

const client = (id: string, name = id, more: object = {}) => gateway.hydra.client({ id, name, ...more });
const toDate = (text: string) => new Date(text);

/** Creates a person with two apps, one of which has two consents. */
async function withApps(account?: Account): Promise<ManageUser> {
  const person = account ?? (await newPerson(gateway));
  const { hydra } = gateway;
  const shop = client('shop', 'Shop', { logoUri: 'https://shop.example/logo.svg' });
  hydra.addStoredConsent(person.id, { client: shop, scopes: ['openid'], grantedAt: toDate('2026-03-01T10:00:00Z') });
  hydra.addStoredConsent(person.id, { client: shop, scopes: ['openid', 'invoices'], grantedAt: toDate('2026-05-01T10:00:00Z') });
  hydra.addStoredConsent(person.id, { client: client('demo', 'Archive'), scopes: ['offline'], grantedAt: null });
  return ManageUser.enter(gateway, { account: person, proven: true });
}

const findApps = async (user: ManageUser) => (await user.page(PATHS.manageApps, 'manage_apps')).manage_apps.apps;
const findRevocations = () => gateway.hydra.calls.filter(({ call }) => call === 'revokeConsents');

describe('[APP-1] the apps with access', () => {
  it('are listed by name, once each, with everything that they may use and since when', async () => {
    const account = await newPerson(gateway);
    await signIn(gateway, gateway.browser(), account);
    const user = await withApps(account);
    expect(await findApps(user)).toEqual([
      {
        id: 'demo',
        name: 'Archive',
        url: 'http://localhost:5555/',
        scopes: [{ id: 'offline' }],
        granted_at: null,
        last_used_at: expect.any(String),
      },
      {
        id: 'shop',
        name: 'Shop',
        logo_url: 'https://shop.example/logo.svg',
        url: 'http://localhost:5555/',
        scopes: [{ id: 'openid' }, { id: 'invoices', title: 'Read invoices' }],
        granted_at: '2026-03-01T10:00:00.000Z',
        last_used_at: null,
      },
    ]);
  });

  it('show no address that a browser would not open as a page', async () => {
    const account = await newPerson(gateway);
    const hostile = client('hostile', '', { logoUri: 'javascript:alert(1)', clientUri: 'javascript:alert(1)' });
    gateway.hydra.addStoredConsent(account.id, { client: hostile, scopes: [], grantedAt: null });
    const [app] = await findApps(await ManageUser.enter(gateway, { account, proven: true }));
    expect(app).toEqual({ id: 'hostile', name: 'hostile', scopes: [], granted_at: null, last_used_at: null });
  });

  it('are requested from Hydra for the subject of the person', async () => {
    const account = await newPerson(gateway, { subject: 'u-4711' });
    gateway.hydra.addStoredConsent('u-4711', { client: client('shop'), scopes: [], grantedAt: null });
    const user = await ManageUser.enter(gateway, { account, proven: true });
    expect(await findApps(user)).toHaveLength(1);
    await user.post(PATHS.manageApps, { key: 'shop' });
    expect(findRevocations().at(-1)).toEqual({ call: 'revokeConsents', subject: 'u-4711', clientId: 'shop' });
  });

  it('are not shown while Hydra does not answer, and nothing is reported as removed', async () => {
    const user = await withApps();
    const frame = await user.page(PATHS.manage, 'manage');
    gateway.hydra.fail();
    try {
      expect((await user.browser.get(PATHS.manageApps)).status).toBe(503);
      const answer = await user.browser.post(PATHS.manageApps, { _xsrf: frame.area.xsrf_token, key: 'shop' });
      expect(answer.status).toBe(503);
    } finally {
      gateway.hydra.fail(null);
    }
    expect(await findApps(user)).toHaveLength(2);
  });
});

describe('[APP-2] taking access away', () => {
  it('ends consents and tokens of one app, and the person stays signed in', async () => {
    const user = await withApps();
    const other = await withApps();
    const answer = await user.post(PATHS.manageApps, { key: 'shop' });
    expect(answer.location).toBe(`${PATHS.manageApps}?status=app-removed`);
    expect(findRevocations().at(-1)).toEqual({ call: 'revokeConsents', subject: user.account.id, clientId: 'shop' });
    expect((await findApps(user)).map(({ id }) => id)).toEqual(['demo']);
    expect(await findApps(other)).toHaveLength(2);
    const { entries } = await gateway.get(AuditLog).list(user.account.id);
    expect(entries[0]).toMatchObject({ kind: 'app.removed', actor: 'person', detail: { client: 'shop' } });
  });

  it('ends consents and tokens of all apps', async () => {
    const user = await withApps();
    expect((await user.post(PATHS.manageApps)).location).toBe(`${PATHS.manageApps}?status=apps-removed`);
    expect(await findApps(user)).toEqual([]);
    const { entries } = await gateway.get(AuditLog).list(user.account.id);
    expect(entries[0]).toMatchObject({ kind: 'app.removed', detail: { apps: 2 } });
  });

  it('of an app without access makes no call to Hydra', async () => {
    const user = await withApps();
    const before = findRevocations().length;
    for (const key of ['unknown', 'constructor', '%00']) await user.post(PATHS.manageApps, { key });
    expect(findRevocations()).toHaveLength(before);
  });

  it('works by RPC', async () => {
    const user = await withApps();
    const calls = await user.rpc();
    expect((await calls.get('/apps')).body).toEqual(await findApps(user));
    expect((await calls.delete('/apps/shop')).status).toBe(200);
    expect((await calls.delete('/apps/shop')).status).toBe(404);
    expect((await calls.delete('/apps')).status).toBe(200);
    expect(await findApps(user)).toEqual([]);
  });
});

describe('[CON-11] what the person granted on the consent page', () => {
  const insertGrants = (user: ManageUser, clientId: string, ...scopes: string[]) =>
    gateway.database.db
      .insertInto('consent_grant')
      .values(
        scopes.map((scope) => ({
          ...{ account_id: user.account.id, client_id: clientId, scope },
          ...{ granted_at: toDate('2026-04-01T10:00:00Z'), expires_at: toDate('2999-01-01T00:00:00Z') },
        })),
      )
      .execute();
  const findGrants = async ({ account }: ManageUser) =>
    (await gateway.get(ConsentGrants).list(account.id)).map(({ clientId, scope }) => `${clientId}: ${scope}`);

  it('is listed with what Hydra has, also if Hydra has nothing, unless the app was deleted', async () => {
    const user = await withApps();
    gateway.hydra.addClient(client('archive', 'Zentralarchiv'));
    await insertGrants(user, 'shop', 'openid', 'profile');
    await insertGrants(user, 'archive', 'openid');
    await insertGrants(user, 'gone', 'openid');
    const apps = await findApps(user);
    expect(apps.map(({ id, granted_at }) => [id, granted_at])).toEqual([
      ['demo', null],
      ['shop', '2026-03-01T10:00:00.000Z'],
      ['archive', '2026-04-01T10:00:00.000Z'],
    ]);
    expect(apps[1]?.scopes.map(({ id }) => id)).toEqual(['openid', 'invoices', 'profile']);
  });

  it('ends when access is removed, for one app or for all', async () => {
    const user = await withApps();
    await insertGrants(user, 'shop', 'openid');
    await insertGrants(user, 'demo', 'openid');
    await user.post(PATHS.manageApps, { key: 'shop' });
    expect(await findGrants(user)).toEqual(['demo: openid']);
    await user.post(PATHS.manageApps);
    expect(await findGrants(user)).toEqual([]);
  });

  it('ends even if Hydra then fails: the app has to ask again', async () => {
    const user = await withApps();
    await insertGrants(user, 'shop', 'openid');
    const revoke = gateway.hydra.revokeConsents.bind(gateway.hydra);
    gateway.hydra.revokeConsents = () => Promise.reject(new UpstreamUnavailable('The upstream did not answer'));
    try {
      expect((await user.post(PATHS.manageApps, { key: 'shop' })).status).toBe(503);
    } finally {
      gateway.hydra.revokeConsents = revoke;
    }
    expect(await findGrants(user)).toEqual([]);
    expect(await findApps(user)).toHaveLength(2);
  });

  it('[APP-3] can be removed scope by scope: consents and tokens end, and the remaining scopes are not asked for again', async () => {
    const user = await withApps();
    const other = await withApps();
    for (const one of [user, other]) await insertGrants(one, 'shop', 'openid', 'invoices', 'offline', 'offline_access', 'email');
    await insertGrants(user, 'demo', 'email');
    const answer = await user.post(PATHS.manageAppScopes, { key: 'shop', scopes: ['offline_access', 'unheard-of'] });
    expect(answer.location).toBe(`${PATHS.manageApps}?status=app-narrowed`);
    expect(findRevocations().at(-1)).toEqual({ call: 'revokeConsents', subject: user.account.id, clientId: 'shop' });
    expect((await findGrants(user)).sort()).toEqual(['demo: email', 'shop: offline', 'shop: offline_access', 'shop: openid']);
    expect(await findGrants(other)).toHaveLength(5);
    const { entries } = await gateway.get(AuditLog).list(user.account.id);
    const detail = { client: 'shop', scopes: ['invoices', 'email'] };
    expect(entries[0]).toMatchObject({ kind: 'app.narrowed', actor: 'person', detail });
  });

  it('does not change if no scope is removed, the app has no access, or it needs no consent', async () => {
    const user = await withApps();
    const trusted = client('trusted', 'Trusted', { skipConsent: true });
    gateway.hydra.addStoredConsent(user.account.id, { client: trusted, scopes: ['openid', 'email'], grantedAt: null });
    await insertGrants(user, 'shop', 'openid');
    const before = findRevocations().length;
    const kept: [key: string, scopes: string[]][] = [
      ['shop', ['invoices']],
      ['unknown', []],
      ['trusted', ['openid']],
      ['', []],
    ];
    for (const [key, scopes] of kept) {
      expect((await user.post(PATHS.manageAppScopes, { key, scopes })).location).toBe(PATHS.manageApps);
    }
    expect(findRevocations()).toHaveLength(before);
    expect(await findGrants(user)).toEqual(['shop: openid']);
    expect((await findApps(user)).map(({ id, trusted: isTrusted }) => [id, isTrusted])).toContainEqual(['trusted', true]);
  });

  it('[APP-3] can be reduced by RPC', async () => {
    const user = await withApps();
    const trusted = client('trusted', 'Trusted', { skipConsent: true });
    gateway.hydra.addStoredConsent(user.account.id, { client: trusted, scopes: ['email'], grantedAt: null });
    await insertGrants(user, 'shop', 'openid', 'invoices');
    const calls = await user.rpc();
    for (const body of [{}, { scopes: 'openid' }, { scopes: [1] }, { scopes: ['\0'] }, { scopes: null }]) {
      expect((await calls.put('/apps/shop/scopes', body)).status).toBe(400);
    }
    expect((await calls.put('/apps/unknown/scopes', { scopes: [] })).status).toBe(404);
    expect((await calls.put('/apps/trusted/scopes', { scopes: [] })).body).toMatchObject({ error: 'forbidden' });
    expect(await findGrants(user)).toEqual(['shop: invoices', 'shop: openid']);
    expect((await calls.put('/apps/shop/scopes', { scopes: [] })).body).toEqual({});
    expect(await findGrants(user)).toEqual(['shop: openid']);
  });
});

describe('[APP-2] [APP-3] access beyond the consents that are read, because there are too many', () => {
  afterEach(() => void jest.restoreAllMocks());

  /** Creates a person with a consent of the shop that is read, and consents of the shop and of another app that are not. */
  async function withManyConsents(readCount = 1) {
    const account = await newPerson(gateway);
    const shop = client('shop', 'Shop');
    gateway.hydra.addClient(shop, ['openid', 'invoices']);
    gateway.hydra.addClient(client('beyond'), ['openid', 'email']);
    const consents = [{ client: shop, scopes: ['openid'], grantedAt: null }].slice(0, readCount);
    jest.spyOn(gateway.hydra, 'listConsents').mockResolvedValue({ consents, isComplete: false });
    const user = await ManageUser.enter(gateway, { account, proven: true });
    const events = async () => (await gateway.get(AuditLog).list(account.id)).entries;
    return { account, calls: await user.rpc(), events };
  }

  it('ends, but not for an app that does not exist', async () => {
    const { account, calls, events } = await withManyConsents();
    expect((await calls.delete('/apps/beyond')).status).toBe(200);
    expect(findRevocations().at(-1)).toEqual({ call: 'revokeConsents', subject: account.id, clientId: 'beyond' });
    expect((await events())[0]).toMatchObject({ kind: 'app.removed', detail: { client: 'beyond' } });
    expect((await calls.delete('/apps/nobody')).status).toBe(404);
  });

  it.each([1, 0])('ends for all apps, and the event states no number of apps (consents read: %i)', async (readCount) => {
    const { account, calls, events } = await withManyConsents(readCount);
    const { length } = findRevocations();
    expect((await calls.delete('/apps')).status).toBe(200);
    expect(findRevocations().slice(length)).toEqual([{ call: 'revokeConsents', subject: account.id }]);
    const [event] = await events();
    expect(event?.kind).toBe('app.removed');
    expect(event).not.toHaveProperty('detail.apps');
  });

  it('is reduced, as if the app had all scopes of its registration', async () => {
    const { account, calls, events } = await withManyConsents();
    for (const [id, scope] of [
      ['shop', 'invoices'],
      ['beyond', 'email'],
    ]) {
      expect((await calls.put(`/apps/${id}/scopes`, { scopes: ['openid'] })).status).toBe(200);
      expect(findRevocations().at(-1)).toEqual({ call: 'revokeConsents', subject: account.id, clientId: id });
      expect((await events())[0]).toMatchObject({ kind: 'app.narrowed', detail: { client: id, scopes: [scope] } });
    }
  });
});
