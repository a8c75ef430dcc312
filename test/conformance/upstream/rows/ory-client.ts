/** The main steps once more through Ory's own client library, with which the gateway calls the admin API. */
import { expect } from '@jest/globals';
import { Configuration, OAuth2Api } from '@ory/client';
import { idClaims } from '../../../support/oauth-client.js';
import { CALLBACK, newSubject, type Scene } from '../scene.js';
import type { Rows } from '../rows.js';
import { toClientQuery, beginLogin, findChallenge, getCode, signInForTokens } from '../walk.js';

export function oryClientRows({ row }: Rows): void {
  row('D.5 login and consent with @ory/client lead to tokens', async (scene) => {
    const api = oauth2Api(scene);
    const browser = scene.browser();
    const loginChallenge = await beginLogin(scene, browser);
    const login = (await api.getOAuth2LoginRequest({ loginChallenge })).data;
    expect(login).toMatchObject({
      challenge: loginChallenge,
      skip: false,
      client: { client_id: scene.app.id, redirect_uris: [CALLBACK] },
    });
    const subject = newSubject();
    const acceptOAuth2LoginRequest = { subject, acr: '2', amr: ['pwd'], remember: true, remember_for: 60 };
    const toConsent = (await api.acceptOAuth2LoginRequest({ loginChallenge, acceptOAuth2LoginRequest })).data.redirect_to;
    const consentChallenge = findChallenge(await browser.get(toConsent), 'consent');
    const consent = (await api.getOAuth2ConsentRequest({ consentChallenge })).data;
    expect(consent).toMatchObject({ subject, acr: '2', amr: ['pwd'], requested_scope: ['openid', 'offline'] });
    const grant = {
      grant_scope: consent.requested_scope ?? [],
      session: { id_token: { email: 'a@b.example' }, access_token: {} },
    };
    const toClient = await api.acceptOAuth2ConsentRequest({ consentChallenge, acceptOAuth2ConsentRequest: grant });
    const tokens = await scene.app.redeem(getCode(toClientQuery(await browser.get(toClient.data.redirect_to))));
    expect(idClaims(tokens)).toMatchObject({ sub: subject, email: 'a@b.example', acr: '2' });
    const introspected = (await api.introspectOAuth2Token({ token: tokens.access_token })).data;
    expect(introspected).toMatchObject({ active: true, sub: subject });
  });

  row('D.29 D.31 rejections with @ory/client reach the client', async (scene) => {
    const api = oauth2Api(scene);
    const browser = scene.browser();
    const rejectOAuth2Request = { error: 'access_denied', error_description: 'no' };
    const login = await beginLogin(scene, browser);
    const rejected = await api.rejectOAuth2LoginRequest({ loginChallenge: login, rejectOAuth2Request });
    expect(toClientQuery(await browser.get(rejected.data.redirect_to)).get('error')).toBe('access_denied');
    const accepted = await api.acceptOAuth2LoginRequest({
      loginChallenge: login,
      acceptOAuth2LoginRequest: { subject: newSubject() },
    });
    const consentChallenge = findChallenge(await browser.get(accepted.data.redirect_to), 'consent');
    const refused = await api.rejectOAuth2ConsentRequest({ consentChallenge, rejectOAuth2Request });
    expect(toClientQuery(await browser.get(refused.data.redirect_to)).get('error_description')).toBe('no');
  });

  row('D.52 D.56 logout with @ory/client, and its errors', async (scene) => {
    const api = oauth2Api(scene);
    const browser = scene.browser();
    const { consent } = await signInForTokens(scene, browser, { login: { remember: true, remember_for: 60 } });
    const logoutChallenge = findChallenge(await browser.get(scene.app.logoutUrl()), 'logout');
    const logout = (await api.getOAuth2LogoutRequest({ logoutChallenge })).data;
    expect(logout).toMatchObject({ subject: consent.subject, rp_initiated: false });
    expect((await api.rejectOAuth2LogoutRequest({ logoutChallenge })).status).toBe(204);
    await expect(api.getOAuth2LogoutRequest({ logoutChallenge })).rejects.toMatchObject({ response: { status: 404 } });
    const { redirect_to } = (await api.acceptOAuth2LogoutRequest({ logoutChallenge })).data;
    await browser.get(redirect_to);
    await expect(api.getOAuth2LogoutRequest({ logoutChallenge })).rejects.toMatchObject({
      response: { status: 410, data: { redirect_to: '/oauth2/sessions/logout' } },
    });
  });

  row('D.59 sessions and consents are ended with @ory/client', async (scene) => {
    const api = oauth2Api(scene);
    const { consent, tokens } = await signInForTokens(scene, scene.browser());
    const { subject } = consent;
    expect((await api.listOAuth2ConsentSessions({ subject })).data).toHaveLength(1);
    expect((await api.revokeOAuth2ConsentSessions({ subject, all: true })).status).toBe(204);
    expect((await api.revokeOAuth2LoginSessions({ subject })).status).toBe(204);
    expect((await api.introspectOAuth2Token({ token: tokens.access_token })).data).toEqual({ active: false });
  });
}

const oauth2Api = (scene: Scene): OAuth2Api => new OAuth2Api(new Configuration({ basePath: scene.upstream.adminUrl }));
