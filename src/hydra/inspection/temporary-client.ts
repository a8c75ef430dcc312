/** A client at Hydra, and a made-up person, for the duration of an inspection. The inspection removes what Hydra stores about both. */
import { createHash } from 'node:crypto';
import { Configuration, OAuth2Api } from '@ory/client';
import type { Config } from '../../config/config.js';
import { randomToken } from '../../config/keys.js';
import { createAdminClient } from '../admin-connection.js';
import type { OryHydraAdapter } from '../ory-hydra.adapter.js';
import { toUpstreamError } from '../upstream-failure.js';
import { buildUpstreamUrl } from '../upstream-url.js';

/** The redirect URI of the client. Its name is reserved (RFC 2606), and nothing is sent there. */
export const REDIRECT_URI = 'https://foyer-doctor.invalid';

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

export const MADE_UP_GRANT = {
  scopes: ['openid'],
  audience: [],
  idTokenClaims: {},
  accessTokenClaims: {},
  remember: false,
  rememberForSeconds: 0,
};

export class TemporaryClient {
  readonly id = `foyer-doctor-${randomToken(6)}`;
  readonly subject = `foyer-doctor-${randomToken(6)}`;
  /** The login of the made-up person, which Hydra does not remember. */
  readonly madeUpLogin = { subject: this.subject, acr: '0', amr: [], remember: false, rememberForSeconds: 0 };
  readonly #oauth2: OAuth2Api;

  constructor(
    private readonly settings: Config['hydra'],
    private readonly hydra: OryHydraAdapter,
  ) {
    this.#oauth2 = new OAuth2Api(new Configuration({ basePath: settings.adminUrl }), undefined, createAdminClient(settings));
  }

  /** @throws UpstreamError */
  async create(grantTypes = ['authorization_code']): Promise<void> {
    const oAuth2Client = {
      client_id: this.id,
      client_name: 'Foyer doctor, removed after the inspection',
      redirect_uris: [REDIRECT_URI],
      grant_types: grantTypes,
      response_types: grantTypes.includes('authorization_code') ? ['code'] : [],
      scope: 'openid',
      token_endpoint_auth_method: 'none',
    };
    await this.#oauth2.createOAuth2Client({ oAuth2Client }).catch((error: unknown) => {
      throw toUpstreamError(error);
    });
  }

  /** Removes the client with its sessions, consents and tokens. @returns id of the client if Hydra reports that it still exists */
  async remove(): Promise<string | null> {
    await this.hydra.endLoginSessions(this.subject).catch(() => undefined);
    await this.hydra.revokeConsents(this.subject).catch(() => undefined);
    try {
      await this.#oauth2.deleteOAuth2Client({ id: this.id });
      return null;
    } catch {
      const remainingClient = await this.hydra.getClient(this.id).catch(() => null);
      return remainingClient === null ? null : this.id;
    }
  }

  /** @param codeVerifier the verifier of PKCE (RFC 7636) */
  authorizationUrl(extraParameters: Record<string, string>, codeVerifier = randomToken()): string {
    const parameters = {
      client_id: this.id,
      response_type: 'code',
      scope: 'openid',
      redirect_uri: REDIRECT_URI,
      state: randomToken(),
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...extraParameters,
    };
    return this.publicUrl(`/oauth2/auth?${new URLSearchParams(parameters).toString()}`);
  }

  publicUrl(path: string): string {
    return buildUpstreamUrl(this.settings.publicUrl, path);
  }
}
