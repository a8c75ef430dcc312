/** Earlier grants are not asked for again, and revoked grants are. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { BrowserSessions } from '../../src/accounts/sessions/browser-sessions.js';
import { PATHS } from '../../src/contract/paths.js';
import type { ConsentRequest } from '../../src/hydra/hydra.port.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, newPerson, signIn } from '../support/manage.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';

let gateway: TestGateway;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway({});
});

afterAll(() => gateway.close());

/** A person in a browser, and an app that requests scopes of that person. */
class Asked {
  readonly client = gateway.hydra.client({ id: `app-${(count += 1)}` });

  private constructor(
    readonly account: Account,
    readonly browser: TestBrowser,
  ) {}

  static async person(): Promise<Asked> {
    const account = await newPerson(gateway, { email: 'maria@example.org' });
    const asked = new Asked(account, gateway.browser({ 'accept-language': 'en' }));
    await asked.signIn();
    return asked;
  }

  /** Creates a person who has granted these scopes. */
  static async findGrantor(...scopes: string[]): Promise<Asked> {
    const asked = await Asked.person();
    await asked.allow(await asked.open(scopes), scopes);
    return asked;
  }

  signIn(): Promise<void> {
    return signIn(gateway, this.browser, this.account);
  }

  open(requestedScope: readonly string[], more: Partial<ConsentRequest> = {}): Promise<TestPage> {
    const challenge = `granted-${(count += 1)}`;
    gateway.hydra.addConsent({ challenge, subject: this.account.id, requestedScope, client: this.client, ...more });
    return this.browser.get(`${PATHS.consent}?consent_challenge=${challenge}`);
  }

  /** @param scopes the ticked scopes @returns the answer to the form, which also contains what the page shows as granted */
  allow(page: TestPage, scopes: readonly string[]): Promise<TestPage> {
    const { consent } = page.state('consent');
    const granted = consent.scopes.flatMap((scope) => (scope.granted ? [scope.id] : []));
    return this.browser.post(PATHS.consentAccept, {
      _xsrf: consent.xsrf_token,
      consent_challenge: consent.consent_challenge,
      ticket: consent.ticket,
      scopes: [...scopes, ...granted],
      granted,
    });
  }

  /** Scopes of a page: those that it asks for, and those granted before. */
  toScopes(page: TestPage): [asked: string[], granted: string[]] {
    const { scopes } = page.state('consent').consent;
    const toIds = (granted: boolean) => scopes.filter((scope) => (scope.granted ?? false) === granted).map(({ id }) => id);
    return [toIds(false), toIds(true)];
  }
}

function lastGrant(): unknown {
  const call = gateway.hydra.calls.at(-1);
  return call?.call === 'acceptConsent' ? call.grant.scopes : call;
}

const prompt = (value: string) => ({ requestUrl: gateway.hydra.requestUrl({ prompt: value }) });

describe('[CON-10] an earlier grant', () => {
  it('is used without a page, and a request of fewer scopes takes nothing away', async () => {
    const asked = await Asked.findGrantor('openid', 'profile', 'email');
    for (const scopes of [['openid', 'email'], ['openid', 'profile', 'email'], ['profile']]) {
      expect((await asked.open(scopes)).status).toBe(303);
      expect(lastGrant()).toEqual(scopes);
    }
    const { entries } = await gateway.get(AuditLog).list(asked.account.id);
    expect(entries[0]).toMatchObject({ kind: 'consent.granted', detail: { scopes: ['profile'], asked: false } });
  });

  it('[S-131] is folded on the page that asks for a new scope, and is granted with it', async () => {
    const asked = await Asked.findGrantor('openid', 'profile');
    const page = await asked.open(['openid', 'profile', 'email', 'phone']);
    expect(asked.toScopes(page)).toEqual([
      ['email', 'phone'],
      ['openid', 'profile'],
    ]);
    expect(page.html).toMatch(/<details[^>]*><summary>Already granted<\/summary>/);
    expect((await asked.allow(page, ['email'])).status).toBe(303);
    expect(lastGrant()).toEqual(['openid', 'profile', 'email']);
    // The refused scope is asked for again.
    expect(asked.toScopes(await asked.open(['openid', 'email', 'phone']))).toEqual([['phone'], ['openid', 'email']]);
  });

  it('belongs to one person and one app', async () => {
    const asked = await Asked.findGrantor('openid');
    const other = await Asked.person();
    expect(asked.toScopes(await other.open(['openid'], { client: asked.client }))).toEqual([['openid'], []]);
    expect(asked.toScopes(await asked.open(['openid'], { client: other.client }))).toEqual([['openid'], []]);
  });

  it('[S-131] is asked for again where the app wants that, and a scope that is refused then is no longer granted', async () => {
    const asked = await Asked.findGrantor('openid', 'profile', 'email');
    const page = await asked.open(['openid', 'profile', 'email'], prompt('consent'));
    expect(asked.toScopes(page)).toEqual([['openid', 'profile', 'email'], []]);
    await asked.allow(page, ['openid', 'email']);
    expect(asked.toScopes(await asked.open(['openid', 'profile', 'email']))).toEqual([['profile'], ['openid', 'email']]);
  });

  it('[LOG-11] answers a request with prompt=none, unless a scope is new', async () => {
    const asked = await Asked.findGrantor('openid', 'email');
    await asked.open(['openid', 'email'], prompt('none'));
    expect(lastGrant()).toEqual(['openid', 'email']);
    await asked.open(['openid', 'profile'], prompt('none'));
    expect(lastGrant()).toMatchObject({ call: 'rejectConsent', rejection: { code: 'consent_required' } });
  });

  it('[S-131] does not count for an app that anybody may imitate, for a request that cannot be read, or for no scope at all', async () => {
    const asked = await Asked.findGrantor('openid');
    const { id } = asked.client;
    const onPhone = gateway.hydra.client({ id, isPublic: true, redirectUris: ['com.example.app:/callback'] });
    const byReference = { requestUrl: gateway.hydra.requestUrl({ request_uri: 'https://app.example/request' }) };
    for (const more of [{ client: onPhone }, byReference, { requestUrl: 'https://elsewhere.example/oauth2/auth' }]) {
      expect(asked.toScopes(await asked.open(['openid'], more))).toEqual([['openid'], []]);
    }
    expect(asked.toScopes(await asked.open([]))).toEqual([[], []]);
  });

  it('lasts as long as the setting says after its last use', async () => {
    const asked = await Asked.findGrantor('openid', 'email');
    const seconds = gateway.config.consent.rememberForSeconds;
    for (const scopes of [['openid', 'email'], ['openid'], ['openid']]) {
      gateway.clock.advanceSeconds(seconds - 60);
      await asked.signIn();
      expect((await asked.open(scopes)).status).toBe(303);
    }
    expect(asked.toScopes(await asked.open(['openid', 'email']))).toEqual([['email'], ['openid']]);
  });

  it('counts under both names of background access', async () => {
    const asked = await Asked.findGrantor('openid', 'offline');
    const both = ['openid', 'offline', 'offline_access'];
    expect((await asked.open(both)).status).toBe(303);
    expect(lastGrant()).toEqual(both);
  });

  it('is not stored where the installation asks each time', async () => {
    const { consent } = gateway.config;
    const { rememberForSeconds } = consent;
    try {
      consent.rememberForSeconds = 0;
      const asked = await Asked.findGrantor('openid');
      expect(asked.toScopes(await asked.open(['openid']))).toEqual([['openid'], []]);
      consent.rememberForSeconds = rememberForSeconds;
      expect(asked.toScopes(await asked.open(['openid']))).toEqual([['openid'], []]);
    } finally {
      consent.rememberForSeconds = rememberForSeconds;
    }
  });

  it('skips the storage of a scope that is too long for the index, and still grants it', async () => {
    const scopes = ['openid', 'x'.repeat(900), 'größe'];
    const asked = await Asked.findGrantor(...scopes);
    expect(lastGrant()).toEqual(scopes);
    expect(asked.toScopes(await asked.open(scopes))).toEqual([scopes.slice(1), ['openid']]);
  });

  it('includes what Hydra remembers, which alone knows the consents of an older version', async () => {
    const asked = await Asked.person();
    expect((await asked.open(['openid', 'email'], { skip: true })).status).toBe(303);
    expect(asked.toScopes(await asked.open(['openid', 'email']))).toEqual([['openid', 'email'], []]);
  });
});

describe('[CON-11] [S-130] a grant that is revoked while a request is open', () => {
  it('does not come back through what Hydra remembers of a pending redirect', async () => {
    const asked = await Asked.findGrantor('openid', 'profile');
    gateway.hydra.addStoredConsent(asked.account.id, { client: asked.client, scopes: ['openid', 'profile'], grantedAt: null });
    const { account } = asked;
    const user = await ManageUser.enter(gateway, { account, proven: true });
    await user.post(PATHS.manageAppScopes, { key: asked.client.id, scopes: ['openid'] });
    expect(asked.toScopes(await asked.open(['openid', 'profile'], { skip: true }))).toEqual([['profile'], ['openid']]);
    await asked.open(['openid', 'profile'], { skip: true, ...prompt('none') });
    expect(lastGrant()).toMatchObject({ call: 'rejectConsent', rejection: { code: 'consent_required' } });
    expect((await asked.open(['openid'], { skip: true })).status).toBe(303);
  });

  const removeAccess = async (asked: Asked, key?: string) => {
    gateway.hydra.addClient(asked.client);
    const user = await ManageUser.enter(gateway, { account: asked.account, proven: true });
    await user.post(PATHS.manageApps, key === undefined ? {} : { key });
  };

  it.each([
    ['the app', (asked: Asked) => removeAccess(asked, asked.client.id)],
    ['all apps', (asked: Asked) => removeAccess(asked)],
    [
      'the access of the account',
      async (asked: Asked) => {
        await gateway.get(Accounts).setStatus(asked.account.id, 'disabled');
        await gateway.get(Accounts).setStatus(asked.account.id, 'active');
        await asked.signIn();
      },
    ],
  ])('does not come back in part: after the end of %s, what Hydra remembers does not count', async (_, end) => {
    const asked = await Asked.findGrantor('openid', 'profile');
    await end(asked);
    for (const time of ['first', 'second']) {
      const page = await asked.open(['openid', 'profile'], { skip: true });
      expect([time, ...asked.toScopes(page)]).toEqual([time, ['openid', 'profile'], []]);
    }
    await asked.open(['openid', 'profile'], { skip: true, ...prompt('none') });
    expect(lastGrant()).toMatchObject({ call: 'rejectConsent', rejection: { code: 'consent_required' } });
    await asked.allow(await asked.open(['openid', 'profile'], { skip: true }), ['openid']);
    expect((await asked.open(['openid'], { skip: true })).status).toBe(303);
  });

  it('belongs to one app: earlier consents of other apps in Hydra count as before', async () => {
    const asked = await Asked.findGrantor('openid');
    const older = gateway.hydra.client({ id: `app-${(count += 1)}` });
    await removeAccess(asked, asked.client.id);
    expect((await asked.open(['openid', 'email'], { skip: true, client: older })).status).toBe(303);
  });

  it('is asked for even if Hydra, which alone remembered it, accepted it before the revocation', async () => {
    const asked = await Asked.person();
    gateway.hydra.addStoredConsent(asked.account.id, { client: asked.client, scopes: ['openid'], grantedAt: null });
    const accept = gateway.hydra.acceptConsent.bind(gateway.hydra);
    gateway.hydra.acceptConsent = async (...given) => {
      await removeAccess(asked, asked.client.id);
      return accept(...given);
    };
    try {
      expect(asked.toScopes(await asked.open(['openid'], { skip: true }))).toEqual([['openid'], []]);
    } finally {
      gateway.hydra.acceptConsent = accept;
    }
  });

  const takeAway = ({ account }: Asked) =>
    sql`delete from consent_grant where account_id = ${account.id}`.execute(gateway.database.db);

  it('is asked for again, and the answer to the older page grants nothing', async () => {
    const asked = await Asked.findGrantor('openid', 'profile');
    const page = await asked.open(['openid', 'profile', 'email']);
    await takeAway(asked);
    const calls = gateway.hydra.calls.length;
    const again = await asked.allow(page, ['email']);
    expect(asked.toScopes(again)).toEqual([['openid', 'profile', 'email'], []]);
    expect(gateway.hydra.calls).toHaveLength(calls);
    await asked.allow(again, ['openid', 'email']);
    expect(lastGrant()).toEqual(['openid', 'email']);
    expect(asked.toScopes(await asked.open(['openid', 'profile']))).toEqual([['profile'], ['openid']]);
  });

  it.each([
    ['without a page', (asked: Asked) => asked.open(['openid', 'profile'])],
    ['on a page', async (asked: Asked) => asked.allow(await asked.open(['openid', 'profile', 'email']), ['email'])],
  ])('is asked for again even if Hydra had accepted an answer %s', async (_, answer) => {
    const asked = await Asked.findGrantor('openid', 'profile');
    const accept = gateway.hydra.acceptConsent.bind(gateway.hydra);
    gateway.hydra.acceptConsent = async (...given) => {
      await takeAway(asked);
      return accept(...given);
    };
    try {
      const page = await answer(asked);
      expect(page.status).toBe(200);
      expect(asked.toScopes(page)[1]).toEqual([]);
    } finally {
      gateway.hydra.acceptConsent = accept;
    }
    expect(asked.toScopes(await asked.open(['openid', 'profile']))).toEqual([['openid', 'profile'], []]);
    const { entries } = await gateway.get(AuditLog).list(asked.account.id);
    expect(entries.filter(({ kind }) => kind === 'consent.granted')).toHaveLength(1);
  });

  it.each([
    ['an app', () => ({})],
    ['a device', () => ({ requestUrl: `${gateway.hydra.publicUrl}/oauth2/device/verify` })],
  ])('gives %s nothing when the account is disabled between the answer and its storage', async (_, request) => {
    const asked = await Asked.person();
    const page = await asked.open(['openid'], request());
    const accept = gateway.hydra.acceptConsent.bind(gateway.hydra);
    gateway.hydra.acceptConsent = async (...given) => {
      await gateway.get(Accounts).setStatus(asked.account.id, 'disabled');
      return accept(...given);
    };
    try {
      const answer = await asked.allow(page, ['openid']);
      expect([answer.status, answer.state('consent').consent.error]).toEqual([400, 'failed']);
    } finally {
      gateway.hydra.acceptConsent = accept;
    }
    await gateway.get(Accounts).setStatus(asked.account.id, 'active');
    await asked.signIn();
    expect(asked.toScopes(await asked.open(['openid']))).toEqual([['openid'], []]);
  });
});

describe('[CON-12] [S-130] a client that is registered again', () => {
  const [before, after] = ['2026-03-01T10:00:00.000Z', '2026-03-02T10:00:00.000Z'];

  it('has none of the grants of the client with its id before', async () => {
    const asked = await Asked.person();
    const first = { client: { ...asked.client, createdAt: before } };
    const anew = { client: { ...asked.client, createdAt: after } };
    await asked.allow(await asked.open(['openid', 'email'], first), ['openid', 'email']);
    expect((await asked.open(['openid', 'email'], first)).status).toBe(303);
    expect(asked.toScopes(await asked.open(['openid', 'email'], anew))).toEqual([['openid', 'email'], []]);
    await asked.allow(await asked.open(['openid', 'email'], anew), ['openid']);
    expect(asked.toScopes(await asked.open(['openid', 'email'], anew))).toEqual([['email'], ['openid']]);
  });

  it('has none of the grants of a gateway of the previous version either, unless they are newer', async () => {
    const asked = await Asked.findGrantor('openid');
    const openForClient = (createdAt: string) => asked.open(['openid'], { client: { ...asked.client, createdAt } });
    const now = gateway.clock.now().getTime();
    expect((await openForClient(new Date(now - 60_000).toISOString())).status).toBe(303);
    expect(asked.toScopes(await openForClient(new Date(now + 60_000).toISOString()))).toEqual([['openid'], []]);
  });

  it('is not listed for people who had granted something to the earlier client', async () => {
    const asked = await Asked.person();
    const { account, client } = asked;
    const first = { client: { ...client, createdAt: before } };
    await asked.allow(await asked.open(['openid'], first), ['openid']);
    const user = await ManageUser.enter(gateway, { account, proven: true });
    const listApps = async (createdAt: string) => {
      gateway.hydra.addClient({ ...client, createdAt });
      return (await user.page(PATHS.manageApps, 'manage_apps')).manage_apps.apps.map(({ id }) => id);
    };
    expect([await listApps(before), await listApps(after)]).toEqual([[client.id], []]);
  });
});

describe('[CON-11] what ends the access of all apps', () => {
  it('ends their grants, while the end of sessions alone does not', async () => {
    const asked = await Asked.findGrantor('openid', 'email');
    await gateway.get(BrowserSessions).endForAccount(asked.account.id);
    await asked.signIn();
    expect((await asked.open(['openid', 'email'])).status).toBe(303);
    await gateway.get(Accounts).setStatus(asked.account.id, 'disabled');
    await gateway.get(Accounts).setStatus(asked.account.id, 'active');
    await asked.signIn();
    expect(asked.toScopes(await asked.open(['openid', 'email']))).toEqual([['openid', 'email'], []]);
  });
});
