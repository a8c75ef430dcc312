/** What has access to an account: the list in the account area, and the ends of it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { PATHS } from '../../src/contract/paths.js';
import { startTestGateway } from '../support/gateway.js';
import type { TestGateway } from '../support/gateway.js';
import { ManageUser, newPerson, signIn } from '../support/manage.js';

let gateway: TestGateway;

beforeAll(async () => {
  const scopes = { invoices: { title: { de: 'Rechnungen lesen', en: 'Read invoices' } } };
  gateway = await startTestGateway({ config: ({ consent }) => ({ consent: { ...consent, scopes } }) });
});

afterAll(() => gateway.close());

const client = (id: string, name = id, more: object = {}) => gateway.hydra.client({ id, name, ...more });
const at = (text: string) => new Date(text);

/** Somebody with two apps: one with two consents. */
async function withApps(account?: Account): Promise<ManageUser> {
  const person = account ?? (await newPerson(gateway));
  const { hydra } = gateway;
  const shop = client('shop', 'Shop', { logoUri: 'https://shop.example/logo.svg' });
  hydra.addStoredConsent(person.id, { client: shop, scopes: ['openid'], grantedAt: at('2026-03-01T10:00:00Z') });
  hydra.addStoredConsent(person.id, { client: shop, scopes: ['openid', 'invoices'], grantedAt: at('2026-05-01T10:00:00Z') });
  hydra.addStoredConsent(person.id, { client: client('demo', 'Archive'), scopes: ['offline'], grantedAt: null });
  return ManageUser.enter(gateway, { account: person });
}

const appsOf = async (user: ManageUser) => (await user.page(PATHS.manageApps, 'manage_apps')).manage_apps.apps;
const revoked = () => gateway.hydra.calls.filter(({ call }) => call === 'revokeConsents');

describe('the apps with access', () => {
  it('are listed by name, once each, with all that they may use and since when', async () => {
    const account = await newPerson(gateway);
    await signIn(gateway, gateway.browser(), account);
    const user = await withApps(account);
    expect(await appsOf(user)).toEqual([
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
    const [app] = await appsOf(await ManageUser.enter(gateway, { account }));
    expect(app).toEqual({ id: 'hostile', name: 'hostile', scopes: [], granted_at: null, last_used_at: null });
  });

  it('are asked of Hydra by what it knows the person by', async () => {
    const account = await newPerson(gateway, { subject: 'u-4711' });
    gateway.hydra.addStoredConsent('u-4711', { client: client('shop'), scopes: [], grantedAt: null });
    const user = await ManageUser.enter(gateway, { account });
    expect(await appsOf(user)).toHaveLength(1);
    await user.post(PATHS.manageApps, { key: 'shop' });
    expect(revoked().at(-1)).toEqual({ call: 'revokeConsents', subject: 'u-4711', clientId: 'shop' });
  });

  it('are not shown while Hydra does not answer, and nothing is said to be removed', async () => {
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
    expect(await appsOf(user)).toHaveLength(2);
  });
});

describe('taking access away', () => {
  it('ends consents and tokens of one app, and the person stays signed in', async () => {
    const user = await withApps();
    const other = await withApps();
    const answer = await user.post(PATHS.manageApps, { key: 'shop' });
    expect(answer.location).toBe(`${PATHS.manageApps}?status=app-removed`);
    expect(revoked().at(-1)).toEqual({ call: 'revokeConsents', subject: user.account.id, clientId: 'shop' });
    expect((await appsOf(user)).map(({ id }) => id)).toEqual(['demo']);
    expect(await appsOf(other)).toHaveLength(2);
    const { entries } = await gateway.get(AuditLog).list(user.account.id);
    expect(entries[0]).toMatchObject({ kind: 'app.removed', actor: 'person', detail: { client: 'shop' } });
  });

  it('ends all of them', async () => {
    const user = await withApps();
    expect((await user.post(PATHS.manageApps)).location).toBe(`${PATHS.manageApps}?status=apps-removed`);
    expect(await appsOf(user)).toEqual([]);
    const { entries } = await gateway.get(AuditLog).list(user.account.id);
    expect(entries[0]).toMatchObject({ kind: 'app.removed', detail: { apps: 2 } });
  });

  it('of an app that has none asks nothing of Hydra', async () => {
    const user = await withApps();
    const before = revoked().length;
    for (const key of ['unknown', 'constructor', '%00']) await user.post(PATHS.manageApps, { key });
    expect(revoked()).toHaveLength(before);
  });

  it('works by calls', async () => {
    const user = await withApps();
    const calls = await user.rpc();
    expect((await calls.get('/apps')).body).toEqual(await appsOf(user));
    expect((await calls.delete('/apps/shop')).status).toBe(200);
    expect((await calls.delete('/apps/shop')).status).toBe(404);
    expect((await calls.delete('/apps')).status).toBe(200);
    expect(await appsOf(user)).toEqual([]);
  });
});
