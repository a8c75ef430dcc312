/** Second factors and the account area in front of every upstream, with an ordinary client and a real TOTP generator. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ACR } from '../../../src/contract/authentication.js';
import { PATHS } from '../../../src/contract/paths.js';
import { PASSWORD } from '../../support/gateway.js';
import { idClaims } from '../../support/oauth-client.js';
import { RpcClient } from '../../support/rpc-client.js';
import { TotpApp } from '../../../test-kit/totp-app.js';
import type { Leg } from '../../support/upstream-leg.js';
import type { TokenAnswer } from '../../support/upstream-wire.js';
import type { Arrival, BrowserWalk } from '../../support/browser-walk.js';
import { allow, arrive, signIn, startFront, type Front } from './front.js';

const SCOPE = 'openid offline id profile email';
const MFA_AMR = ['pwd', 'otp', 'mfa'];

/** These stories have a gateway of their own, because other stories move its clock away from that of the upstream, which dates tokens. */
export function manageStories(leg: Leg): void {
  describe('second factors and the account area', () => {
    let front: Front;

    let started: Front;

    beforeAll(async () => {
      started = await startFront(leg);
    });

    afterAll(() => started.close());

    beforeEach(async () => {
      front = { ...started, client: await started.register({ scope: SCOPE }) };
      front.account = await front.gateway.account(`person.${front.client.id.slice(0, 8).toLowerCase()}`);
    });

    const openApp = async (person: BrowserWalk, more: Record<string, string> = {}): Promise<Arrival> =>
      arrive(front, person, { scope: SCOPE, ...more });

    const submitPassword = (person: BrowserWalk, page: Arrival): Promise<Arrival> =>
      signIn(person, page, { username: front.account.username, password: PASSWORD, remember: 'true' });

    const findTokens = async (person: BrowserWalk, page: Arrival): Promise<TokenAnswer> => {
      const end = page.status === 0 ? page : await allow(person, page);
      return front.client.redeem(end.url.searchParams.get('code') ?? '');
    };

    const openManage = async (person: BrowserWalk, { access_token: token }: TokenAnswer): Promise<Arrival> =>
      person.go(`${front.gateway.config.publicUrl}${PATHS.manage}?t=${encodeURIComponent(token)}`);

    /** Sets up an authenticator app with RPC calls, as another client would. */
    const setUpTotp = async (token: string): Promise<TotpApp> => {
      const rpc = new RpcClient(front.gateway.config.publicUrl, token);
      const { secret } = (await rpc.post('/mfa-init-totp')).body;
      const app = new TotpApp(String(secret), front.gateway.clock);
      expect((await rpc.post('/mfa-verify-totp', { code: app.code() })).status).toBe(200);
      expect((await rpc.get('/mfa-registration-status')).body).toMatchObject({ totp_registered: true });
      return app;
    };

    const submitCode = (person: BrowserWalk, page: Arrival, code: string): Promise<Arrival> => {
      const { mfa_verification: step } = page.state('mfa_verification');
      const fields = { _xsrf: step.xsrf_token, login_challenge: step.login_challenge, ticket: step.ticket, code };
      return person.submit(page, PATHS.mfaVerify, { ...fields, method: 'totp' });
    };

    it('[MAN-1] an access token opens the account area once for one browser; other tokens and other browsers are refused', async () => {
      const person = front.person();
      const tokens = await findTokens(person, await submitPassword(person, await openApp(person)));
      const page = await openManage(person, tokens);
      expect([page.status, page.url.pathname, page.url.search]).toEqual([200, PATHS.manage, '']);
      expect(page.state('manage').user).toMatchObject({ id: front.account.id });
      expect((await openManage(person, tokens)).state('manage').user).toMatchObject({ id: front.account.id });
      const refused = [
        await openManage(front.person(), tokens),
        await openManage(front.person(), { ...tokens, access_token: tokens.refresh_token ?? '' }),
        await openManage(front.person(), { ...tokens, access_token: tokens.id_token ?? '' }),
      ];
      for (const answer of refused) expect(answer.url.pathname).toBe(`${PATHS.manageError}unauthorized`);
    });

    it('[MAN-1] a token without the scope and a revoked token open nothing', async () => {
      const person = front.person();
      const consent = await submitPassword(person, await openApp(person));
      const narrow = await front.client.redeem((await allow(person, consent, ['openid'])).url.searchParams.get('code') ?? '');
      expect((await openManage(person, narrow)).url.pathname).toBe(`${PATHS.manageError}unauthorized`);
      const tokens = await findTokens(person, await openApp(person, { prompt: 'consent' }));
      await front.client.revoke(tokens.access_token);
      expect((await openManage(person, tokens)).url.pathname).toBe(`${PATHS.manageError}unauthorized`);
    });

    it('[RPC-3] [MFV-7] a factor is asked for once it is set up, and the app sees that in this token and in the next', async () => {
      const person = front.person();
      const tokens = await findTokens(person, await submitPassword(person, await openApp(person)));
      expect(idClaims(tokens)).toMatchObject({ acr: ACR.password, amr: ['pwd'] });
      const app = await setUpTotp((await openManage(person, tokens)).state('manage').api.token);

      // The session was begun without the factor, which is now required in every session.
      const asked = await openApp(person);
      expect(asked.state('login').login.error).toBeNull();
      const none = await openApp(person, { prompt: 'none' });
      expect(none.url.searchParams.get('error')).toMatch(/^(login|interaction)_required$/);

      const step = await submitPassword(person, await openApp(person));
      expect(step.url.pathname).toBe(PATHS.mfaVerify);
      const wrong = await submitCode(person, step, app.wrongCode());
      expect([wrong.status, wrong.state('mfa_verification').mfa_verification.error]).toEqual([422, 'invalid verification code']);
      const strong = idClaims(await findTokens(person, await submitCode(person, wrong, app.code(1))));
      expect(strong).toMatchObject({ sub: front.account.id, acr: ACR.secondFactor, amr: MFA_AMR });

      const again = idClaims(await findTokens(person, await openApp(person)));
      expect(again).toMatchObject({ acr: ACR.secondFactor, amr: MFA_AMR, sid: strong['sid'] });
    });

    it('[MFV-2] [MFV-7] a person without a factor sets one up when the app requires it, and is signed in with it', async () => {
      const person = front.person();
      const step = await submitPassword(person, await openApp(person, { acr_values: ACR.secondFactor }));
      const { mfa_verification: state } = step.state('mfa_verification');
      expect(state).toMatchObject({ view: 'enrol', totp_registered: false, fido2_registered: false });
      const { publicUrl } = front.gateway.config;
      const rpc = new RpcClient(publicUrl, state.enrol_token ?? '', [person.jar.header(new URL(publicUrl))]);
      const { secret } = (await rpc.post('/mfa-init-totp')).body;
      const code = new TotpApp(String(secret), front.gateway.clock).code();
      const { token } = (await rpc.post('/mfa-verify-totp', { code })).body;
      const end = await person.submit(step, PATHS.mfaVerify, {
        _xsrf: state.xsrf_token,
        login_challenge: state.login_challenge,
        mfa_token: String(token),
      });
      expect(idClaims(await findTokens(person, end))).toMatchObject({ acr: ACR.secondFactor, amr: MFA_AMR });
    });
  });
}
