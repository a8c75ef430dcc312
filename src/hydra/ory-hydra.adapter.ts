/**
 * `HydraPort` with Ory Hydra's admin API, using `@ory/client`. Handles status codes, timeouts and the check of redirect
 * targets; makes no decisions about people. Bodies contain only members that Hydra v2.3.0, the oldest supported
 * release, knows, because it answers unknown ones with 400 (docs/hydra-behaviour.md A.0).
 */
import { Configuration, OAuth2Api } from '@ory/client';
import type { AxiosInstance, AxiosResponse } from 'axios' with { 'resolution-mode': 'require' };
import type { Config } from '../config/config.js';
import { TELEMETRY_OFF } from '../telemetry/telemetry.js';
import { connectionTo } from './admin-connection.js';
import type { ClientProfile } from './client-profile.js';
import { ChallengeUnknown, UpstreamUnavailable } from './hydra.errors.js';
import { HydraPort } from './hydra.port.js';
import type {
  AccessToken,
  Authentication,
  ConsentRequest,
  Grant,
  LoginRequest,
  LogoutRequest,
  Rejection,
  UpstreamRedirect,
} from './hydra.port.js';
import { readAccessToken, readClient, readConsentRequest, readLoginRequest, readLogoutRequest } from './requests.js';
import { nextPageToken, readSessionIds } from './granted-sessions.js';
import { isWorthAnotherTry, toUpstreamError } from './upstream-failure.js';
import { asObject, text } from './wire.js';

/** Keeps an answer below its size limit: each item contains the whole client. */
const PAGE_SIZE = 50;
const MOST_PAGES = 40;

export class OryHydraAdapter extends HydraPort {
  readonly #oauth2: OAuth2Api;
  readonly #connection: AxiosInstance;
  readonly #readyUrl: string;
  readonly #publicOrigin: string;

  constructor(settings: Config['hydra'], telemetry = TELEMETRY_OFF) {
    super();
    const basePath = settings.adminUrl.replace(/\/$/, '');
    this.#connection = connectionTo(settings, telemetry);
    this.#oauth2 = new OAuth2Api(new Configuration({ basePath }), undefined, this.#connection);
    this.#readyUrl = `${basePath}/health/ready`;
    this.#publicOrigin = new URL(settings.publicUrl).origin;
  }

  async getLogin(challenge: string): Promise<LoginRequest> {
    return readLoginRequest(await this.#call(() => this.#oauth2.getOAuth2LoginRequest({ loginChallenge: challenge })));
  }

  async acceptLogin(challenge: string, authentication: Authentication): Promise<UpstreamRedirect> {
    const acceptOAuth2LoginRequest = {
      subject: authentication.subject,
      acr: authentication.acr,
      amr: [...authentication.amr],
      remember: authentication.remember,
      remember_for: authentication.rememberForSeconds,
    };
    return this.#redirect(() => this.#oauth2.acceptOAuth2LoginRequest({ loginChallenge: challenge, acceptOAuth2LoginRequest }));
  }

  async rejectLogin(challenge: string, rejection: Rejection): Promise<UpstreamRedirect> {
    const rejectOAuth2Request = rejectionBody(rejection);
    return this.#redirect(() => this.#oauth2.rejectOAuth2LoginRequest({ loginChallenge: challenge, rejectOAuth2Request }));
  }

  async getConsent(challenge: string): Promise<ConsentRequest> {
    return readConsentRequest(await this.#call(() => this.#oauth2.getOAuth2ConsentRequest({ consentChallenge: challenge })));
  }

  async acceptConsent(challenge: string, grant: Grant): Promise<UpstreamRedirect> {
    const acceptOAuth2ConsentRequest = {
      grant_scope: [...grant.scopes],
      grant_access_token_audience: [...grant.audience],
      session: { id_token: grant.idTokenClaims, access_token: {} },
      remember: grant.remember,
      remember_for: grant.rememberForSeconds,
    };
    return this.#redirect(() =>
      this.#oauth2.acceptOAuth2ConsentRequest({ consentChallenge: challenge, acceptOAuth2ConsentRequest }),
    );
  }

  async rejectConsent(challenge: string, rejection: Rejection): Promise<UpstreamRedirect> {
    const rejectOAuth2Request = rejectionBody(rejection);
    return this.#redirect(() => this.#oauth2.rejectOAuth2ConsentRequest({ consentChallenge: challenge, rejectOAuth2Request }));
  }

  async getLogout(challenge: string): Promise<LogoutRequest> {
    return readLogoutRequest(await this.#call(() => this.#oauth2.getOAuth2LogoutRequest({ logoutChallenge: challenge })));
  }

  async acceptLogout(challenge: string): Promise<UpstreamRedirect> {
    return this.#redirect(() => this.#oauth2.acceptOAuth2LogoutRequest({ logoutChallenge: challenge }));
  }

  async rejectLogout(challenge: string): Promise<void> {
    await this.#call(() => this.#oauth2.rejectOAuth2LogoutRequest({ logoutChallenge: challenge }));
  }

  async listSessionIds(subject: string): Promise<string[]> {
    const ids = new Set<string>();
    let pageToken: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const query = { subject, pageSize: PAGE_SIZE, ...(pageToken === undefined ? {} : { pageToken }) };
      const { data, headers } = await this.#answer(() => this.#oauth2.listOAuth2ConsentSessions(query));
      const found = readSessionIds(data);
      found.forEach((id) => ids.add(id));
      const next = nextPageToken(headers['link']);
      if (found.length === 0 || next === null || next === pageToken) break;
      pageToken = next;
    }
    return [...ids];
  }

  async endLoginSessions(subject: string): Promise<void> {
    await this.#call(() => this.#oauth2.revokeOAuth2LoginSessions({ subject }));
  }

  async endLoginSession(sessionId: string): Promise<void> {
    await this.#call(() => this.#oauth2.revokeOAuth2LoginSessions({ sid: sessionId }));
  }

  async revokeConsents(subject: string): Promise<void> {
    await this.#call(() => this.#oauth2.revokeOAuth2ConsentSessions({ subject, all: true }));
  }

  async introspect(token: string): Promise<AccessToken | null> {
    return readAccessToken(await this.#call(() => this.#oauth2.introspectOAuth2Token({ token })));
  }

  async getClient(id: string): Promise<ClientProfile | null> {
    try {
      return readClient(asObject(await this.#call(() => this.#oauth2.getOAuth2Client({ id })), 'a client'));
    } catch (error) {
      if (error instanceof ChallengeUnknown) return null;
      throw error;
    }
  }

  async isReady(): Promise<boolean> {
    return this.#connection.get(this.#readyUrl).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  async #call(send: () => Promise<AxiosResponse<unknown>>): Promise<unknown> {
    return (await this.#answer(send)).data;
  }

  /**
   * Retries once after a broken connection or a gateway error; all these calls can be repeated (docs/hydra-behaviour.md
   * fact 1).
   */
  async #answer(send: () => Promise<AxiosResponse<unknown>>): Promise<AxiosResponse<unknown>> {
    try {
      return await send();
    } catch (first) {
      if (!isWorthAnotherTry(first)) throw toUpstreamError(first);
    }
    try {
      return await send();
    } catch (second) {
      throw toUpstreamError(second);
    }
  }

  /** The browser may be redirected only to Hydra's public origin, whatever the answer says. */
  async #redirect(send: () => Promise<AxiosResponse<unknown>>): Promise<UpstreamRedirect> {
    const target = text(asObject(await this.#call(send), 'a redirect'), 'redirect_to');
    const url = URL.canParse(target) ? new URL(target) : null;
    if (url?.origin !== this.#publicOrigin) {
      throw new UpstreamUnavailable('The upstream answered with a redirect that does not lead to HYDRA_PUBLIC_URL');
    }
    return url.href;
  }
}

/** `error` is always sent: Hydra's default contains spaces (docs/hydra-behaviour.md A.1). */
function rejectionBody({ code, description }: Rejection): { error: string; error_description: string } {
  return { error: code, error_description: description };
}
