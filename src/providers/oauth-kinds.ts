/**
 * Providers that are not OpenID providers: their endpoints, and how the answer of their user API becomes claims with the names of
 * OpenID Connect. An address counts as verified only where the provider says so.
 */
import { createHmac } from 'node:crypto';
import type { ProviderSettings } from '../config/config.js';
import { OAUTH_DEFAULTS, isOAuthType, type OAuthType } from '../config/provider-presets.js';
import { isObject } from '../config/settings-kinds.js';
import type { ProviderRequest } from './identity-providers.port.js';
import type { ClaimSet } from './provided-person.js';
import { ProviderRefused } from './provider.errors.js';

export interface OAuthEndpoints {
  authorization: string;
  token: string;
  user: string;
  /** Lists the addresses of the person; absent if the user API has the address, or if the provider reveals no address. */
  emails?: string;
}

export interface OAuthKind {
  /** How this installation authenticates at the token endpoint. */
  clientAuth: 'basic' | 'post';
  buildEndpoints: (issuer: string) => OAuthEndpoints;
  /** Additional parameters of the authorization request. */
  buildParameters?: (request: ProviderRequest) => Record<string, string>;
  /** Parameters of the call of the user API. */
  buildUserParameters?: (accessToken: string, secret: string) => Record<string, string>;
  /** Errors of the token endpoint that have other names in OAuth 2.0 (RFC 6749, section 5.2). */
  errors?: Readonly<Record<string, string>>;
  /**
   * @param user the answer of the user API
   * @param emails the answer of the endpoint for addresses; null if the endpoint was not called or refused the call
   * @throws ProviderRefused if the answer contains no valid id
   */
  toClaims: (user: ClaimSet, emails: unknown) => MappedClaims;
}

interface MappedClaims {
  sub: string;
  name?: unknown;
  preferred_username?: unknown;
  email?: unknown;
  email_verified?: boolean;
}

/** The ids of these providers are visible ASCII characters. */
const SUBJECT = /^[\x21-\x7e]{1,255}$/;

const KINDS: Readonly<Record<OAuthType, OAuthKind>> = {
  // https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
  github: {
    clientAuth: 'post',
    buildEndpoints: (issuer) => {
      const api = issuer === OAUTH_DEFAULTS.github.issuer ? 'https://api.github.com' : `${issuer}/api/v3`;
      return {
        authorization: `${issuer}/login/oauth/authorize`,
        token: `${issuer}/login/oauth/access_token`,
        user: `${api}/user`,
        emails: `${api}/user/emails`,
      };
    },
    buildParameters: ({ chooseAccount }) => (chooseAccount ? { prompt: 'select_account' } : {}),
    errors: {
      incorrect_client_credentials: 'invalid_client',
      'Not Found': 'invalid_client',
      bad_verification_code: 'invalid_grant',
    },
    toClaims: ({ id, name, login }, emails) => ({
      sub: toSubject(id),
      name,
      preferred_username: login,
      // The user API returns the public address of the profile. Only the list of addresses states which are verified.
      ...findVerifiedEmail(emails, 'primary', 'verified'),
    }),
  },
  // https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow
  facebook: {
    clientAuth: 'post',
    buildEndpoints: (issuer) =>
      moveEndpoints(issuer, OAUTH_DEFAULTS.facebook.issuer, {
        authorization: 'https://www.facebook.com/dialog/oauth',
        token: 'https://graph.facebook.com/oauth/access_token',
        user: 'https://graph.facebook.com/me',
      }),
    // An app can require the proof, so that a stolen token is worthless without the secret.
    buildUserParameters: (accessToken, secret) => ({
      fields: 'id,name,email',
      appsecret_proof: createHmac('sha256', secret).update(accessToken).digest('hex'),
    }),
    errors: { '1': 'invalid_client', '101': 'invalid_client', '100': 'invalid_grant' },
    toClaims: ({ id, name, email }) => ({ sub: toSubject(id), name, email, email_verified: false }),
  },
  // https://discord.com/developers/docs/topics/oauth2
  discord: {
    clientAuth: 'basic',
    buildEndpoints: (issuer) =>
      moveEndpoints(issuer, OAUTH_DEFAULTS.discord.issuer, {
        authorization: 'https://discord.com/oauth2/authorize',
        token: 'https://discord.com/api/oauth2/token',
        user: 'https://discord.com/api/users/@me',
      }),
    toClaims: ({ id, global_name: name, username, email, verified }) => ({
      sub: toSubject(id),
      name: name ?? username,
      preferred_username: username,
      ...(verified === true ? { email, email_verified: true } : {}),
    }),
  },
  // https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code
  x: {
    clientAuth: 'basic',
    buildEndpoints: (issuer) =>
      moveEndpoints(issuer, OAUTH_DEFAULTS.x.issuer, {
        authorization: 'https://x.com/i/oauth2/authorize',
        token: 'https://api.x.com/2/oauth2/token',
        user: 'https://api.x.com/2/users/me',
      }),
    toClaims: ({ data }) => {
      const { id, name, username } = isObject(data) ? data : {};
      return { sub: toSubject(id), name, preferred_username: username };
    },
  },
  // https://developer.atlassian.com/cloud/bitbucket/rest/api-group-users/
  bitbucket: {
    clientAuth: 'basic',
    buildEndpoints: (issuer) =>
      moveEndpoints(issuer, OAUTH_DEFAULTS.bitbucket.issuer, {
        authorization: 'https://bitbucket.org/site/oauth2/authorize',
        token: 'https://bitbucket.org/site/oauth2/access_token',
        user: 'https://api.bitbucket.org/2.0/user',
        emails: 'https://api.bitbucket.org/2.0/user/emails',
      }),
    toClaims: ({ uuid, display_name: name, username, nickname }, emails) => ({
      sub: toSubject(uuid),
      name,
      preferred_username: username ?? nickname,
      ...findVerifiedEmail(isObject(emails) ? emails['values'] : null, 'is_primary', 'is_confirmed'),
    }),
  },
};

/** @returns null for an OpenID provider */
export function findOAuthKind({ dialect }: Pick<ProviderSettings, 'dialect'>): OAuthKind | null {
  return isOAuthType(dialect) ? KINDS[dialect] : null;
}

/** At another issuer, which is a test provider, all endpoints have the same paths on that host. */
function moveEndpoints(issuer: string, ownIssuer: string, endpoints: OAuthEndpoints): OAuthEndpoints {
  if (issuer === ownIssuer) return endpoints;
  const move = (url: string): string => `${issuer}${new URL(url).pathname}`;
  const { authorization, token, user, emails } = endpoints;
  return {
    authorization: move(authorization),
    token: move(token),
    user: move(user),
    ...(emails === undefined ? {} : { emails: move(emails) }),
  };
}

/** A number that JavaScript cannot represent exactly is refused, because it could be the id of another person. @throws ProviderRefused */
function toSubject(id: unknown): string {
  const subject = typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? String(id) : id;
  if (typeof subject !== 'string' || !SUBJECT.test(subject))
    throw new ProviderRefused('the user API returns no valid id of the person');
  return subject;
}

/** @returns the address that the person has chosen at the provider and that the provider has verified; empty if there is none */
function findVerifiedEmail(
  emails: unknown,
  choiceMember: string,
  verifiedMember: string,
): Pick<MappedClaims, 'email' | 'email_verified'> {
  const entries: unknown[] = Array.isArray(emails) ? emails : [];
  const chosenEntry = entries.find((entry) => isObject(entry) && entry[choiceMember] === true && entry[verifiedMember] === true);
  return isObject(chosenEntry) && typeof chosenEntry['email'] === 'string'
    ? { email: chosenEntry['email'], email_verified: true }
    : {};
}
