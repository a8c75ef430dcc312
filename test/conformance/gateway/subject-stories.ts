/** A person whose `sub` for apps is the id at the source (`"sub": "source"`), on every upstream. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../../src/accounts/account/accounts.js';
import type { SourceSettings } from '../../../src/config/source-settings.js';
import { PATHS } from '../../../src/contract/paths.js';
import { RevocationRunner } from '../../../src/hydra/revocation-runner.js';
import { FakeUserSource } from '../../../src/sources/fake-user-source.js';
import { PASSWORD } from '../../support/gateway.js';
import { idClaims } from '../../support/oauth-client.js';
import { toJson } from '../../support/upstream-answer.js';
import type { Leg } from '../../support/upstream-leg.js';
import type { TokenAnswer } from '../../support/upstream-wire.js';
import type { Arrival, BrowserWalk } from '../../support/browser-walk.js';
import { allow, arrive, signIn, startFront, type Front } from './front.js';

const SCOPE = 'openid offline id profile email';
/** Hydra accepts any text; these characters have to be escaped in addresses. */
const PREFIX = 'shop|&/';
const BY = { actor: 'operator', requestId: 'test' } as const;

/** These stories have a gateway of their own, because they need a source. */
export function subjectStories(leg: Leg): void {
  describe('a subject from a source', () => {
    let started: Front;
    let front: Front;
    let username: string;
    let subject: string;
    const people = new FakeUserSource('shop');

    beforeAll(async () => {
      const settings = { id: 'shop', subjectPrefix: PREFIX } as unknown as SourceSettings;
      started = await startFront(leg, { sources: [people], sourceSettings: [settings] });
    });
    afterAll(() => started.close());

    beforeEach(async () => {
      front = { ...started, client: await started.register({ scope: SCOPE }) };
      const name = front.client.id.slice(0, 8).toLowerCase();
      [username, subject] = [`shopper.${name}`, `${PREFIX}id+${name}`];
      const fields = { username, email: `${username}@example.org`, emailVerified: false, attributes: {}, isActive: true };
      people.people.push({ subject: subject.slice(PREFIX.length), password: PASSWORD, ...fields });
    });

    const openApp = (person: BrowserWalk, more: Record<string, string> = {}): Promise<Arrival> =>
      arrive(front, person, { scope: SCOPE, ...more });

    const redeemCode = ({ url }: Arrival): Promise<TokenAnswer> => front.client.redeem(url.searchParams.get('code') ?? '');

    async function signInAndRedeem(person: BrowserWalk): Promise<TokenAnswer> {
      const consent = await signIn(person, await openApp(person), { username, password: PASSWORD, remember: 'true' });
      return redeemCode(await allow(person, consent));
    }

    async function getAccount(): Promise<Account> {
      const found = await front.gateway.get(Accounts).findByUsername(username);
      if (!found) throw new Error(`There is no account ${username}.`);
      return found;
    }

    async function findSubjects(tokens: TokenAnswer) {
      const { sub: userinfo } = toJson<{ sub?: string }>(await front.client.userinfo(tokens.access_token));
      const { sub: introspected } = await front.admin.introspect(tokens.access_token);
      return { idToken: idClaims(tokens).sub, userinfo, introspected };
    }

    it('is in the ID token, userinfo and introspection, in a refresh, and in the next request without a page', async () => {
      const same = { idToken: subject, userinfo: subject, introspected: subject };
      const person = front.person();
      const first = await signInAndRedeem(person);
      expect(await findSubjects(first)).toEqual(same);
      expect(idClaims(first)).toMatchObject({ email: `${username}@example.org` });
      expect((await getAccount()).id).not.toBe(subject);
      expect(await findSubjects(await redeemCode(await openApp(person)))).toEqual(same);
      const refreshed = toJson<TokenAnswer>(await front.client.refresh(first.refresh_token ?? ''));
      expect(await findSubjects(refreshed)).toEqual(same);
    });

    it('[LOG-13] stays the same when the person signs in again, or an ID token hints at the person', async () => {
      const person = front.person();
      const first = await signInAndRedeem(person);
      const again = await signIn(person, await openApp(person, { prompt: 'login' }), { username, password: PASSWORD });
      expect(idClaims(await redeemCode(again))).toMatchObject({ sub: subject });
      const hinted = await openApp(person, { prompt: 'none', id_token_hint: first.id_token ?? '' });
      expect(idClaims(await redeemCode(hinted))).toMatchObject({ sub: subject });
    });

    it('[MAN-1] gets an access token that opens the account area of its account', async () => {
      const person = front.person();
      const { access_token: token } = await signInAndRedeem(person);
      const page = await person.go(`${front.gateway.config.publicUrl}${PATHS.manage}?t=${encodeURIComponent(token)}`);
      expect([page.status, page.url.pathname]).toEqual([200, PATHS.manage]);
      expect(page.state('manage').user).toMatchObject({ id: (await getAccount()).id });
    });

    it('[S-44] loses its sessions, tokens and consents at the upstream when an operator disables the account', async () => {
      const person = front.person();
      const tokens = await signInAndRedeem(person);
      expect(await front.admin.consentSessions(subject)).toHaveLength(1);
      const { id } = await getAccount();
      await front.gateway.get(Accounts).setStatus(id, 'disabled', BY);
      await front.gateway.get(RevocationRunner).settle(id);
      expect(await front.admin.consentSessions(subject)).toEqual([]);
      expect((await front.admin.introspect(tokens.access_token)).active).toBe(false);
      expect((await front.client.refresh(tokens.refresh_token ?? '')).status).toBe(400);
      expect((await openApp(person, { prompt: 'none' })).url.searchParams.get('error')).toBe('login_required');
      expect((await openApp(person)).state('login').login.error).toBeNull();
    });

    it('[OUT-6] is signed out by a logout', async () => {
      const person = front.person();
      const tokens = await signInAndRedeem(person);
      const page = await person.go(front.client.logoutUrl({ id_token_hint: tokens.id_token ?? '' }));
      const { logout } = page.state('logout');
      const fields = { _xsrf: logout.xsrf_token, logout_challenge: logout.logout_challenge };
      const done = await person.submit(page, PATHS.logoutAccept, fields);
      expect(done.state('logout').logout.status).toBe('accepted');
      expect((await openApp(person, { prompt: 'none' })).url.searchParams.get('error')).toBe('login_required');
    });
  });
}
