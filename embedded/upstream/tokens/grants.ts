/**
 * The result of each grant of the token endpoint (RFC 6749, sections 4.1.3, 4.4 and 6; RFC 8628, section 3.4), by Hydra's rules. The
 * client is already authenticated. A code or token is consumed in one synchronous step on the vault.
 */
import { randomUUID } from 'node:crypto';
import { readAudiences, readScopes, requireAudiences, requireScopes } from '../authorize/scopes.js';
import type { Core } from '../core.js';
import { OAuthError } from '../oauth-error.js';
import type { ClientRow, ConsentRow, TokenClaims } from '../store/rows.js';
import { signIdToken } from './id-token.js';
import { toLifespan, type GrantName } from './lifespans.js';
import { requireVerifier } from './pkce.js';

export interface TokenAnswer {
  access_token: string;
  expires_in: number;
  id_token?: string;
  refresh_token?: string;
  scope: string;
  token_type: 'bearer';
}

/** The parameters of the request that have a value. */
export type TokenParameters = Readonly<Record<string, string>>;

/** A grant that may be used, before anything was consumed. */
export interface UsableGrant {
  /** null if the client acts for itself. */
  consent: ConsentRow | null;
  requestedScope: readonly string[];
  /** As Hydra sends it to the token hook: filled only for a refresh, and for a client that acts for itself. */
  grantedScope: readonly string[];
  grantedAudience: readonly string[];
  /**
   * Consumes the code or refresh token, if the grant has one, and issues tokens.
   *
   * @param claims of the token hook, which replace those of the tokens; ignored if the client acts for itself
   * @throws OAuthError
   */
  issue(claims: TokenClaims | null): TokenAnswer;
}

const toInvalidGrant = (hint?: string): OAuthError => OAuthError.create('invalid_grant', hint);

export function redeemCode(core: Core, client: ClientRow, parameters: TokenParameters): UsableGrant {
  const { vault } = core;
  const storedToken = vault.find(parameters['code'] ?? '');
  const code = storedToken?.row.code;
  if (!storedToken || !code) throw toInvalidGrant();
  const { row } = storedToken;
  // An attacker may have the code if it is used twice, so its tokens are revoked (RFC 6749, section 4.1.2).
  if (row.used) {
    vault.deleteByGrant(row.grantId, ['access', 'refresh']);
    throw toInvalidGrant('The authorization code has already been used.');
  }
  if (row.clientId !== client.client_id) {
    throw toInvalidGrant('The OAuth 2.0 Client ID from this request does not match the one from the authorize request.');
  }
  if (code.redirectUri !== '' && code.redirectUri !== parameters['redirect_uri']) {
    throw toInvalidGrant("The 'redirect_uri' from this request does not match the one from the authorize request.");
  }
  try {
    requireVerifier(code, parameters['code_verifier'] ?? '');
  } catch (error) {
    // A wrong verifier uses up the code, so that the verifier cannot be guessed.
    if (code.challenge !== '') vault.consume(storedToken);
    throw error;
  }
  const consent = findConsent(core, row.grantId);
  if (!consent) throw toInvalidGrant();
  return toUsableGrant(consent, (claims) => {
    if (!vault.consume(storedToken)) throw toInvalidGrant();
    return issueTokens(core, { client, consent, grant: 'authorization_code', claims });
  });
}

export function refresh(core: Core, client: ClientRow, parameters: TokenParameters): UsableGrant {
  const { vault } = core;
  const storedToken = vault.find(parameters['refresh_token'] ?? '');
  if (storedToken?.row.kind !== 'refresh') throw toInvalidGrant('The refresh token is malformed or not valid.');
  const { row } = storedToken;
  if (row.used) {
    vault.deleteByGrant(row.grantId, ['access', 'refresh']);
    throw toInvalidGrant('The refresh token was already used.');
  }
  if (row.clientId !== client.client_id) {
    throw toInvalidGrant('The OAuth 2.0 Client ID from this request does not match the ID during the initial token issuance.');
  }
  const consent = findConsent(core, row.grantId);
  if (!consent) throw toInvalidGrant('The refresh token is malformed or not valid.');
  requireScopes(client, consent.grantedScope);
  requireAudiences(client, consent.grantedAudience);
  const { grantedScope, grantedAudience } = consent;
  const grant = toUsableGrant(consent, (claims) => {
    vault.consume(storedToken);
    vault.deleteByGrant(row.grantId, ['access']);
    return issueTokens(core, { client, consent, grant: 'refresh_token', claims });
  });
  return { ...grant, grantedScope, grantedAudience };
}

export function grantToClient(core: Core, client: ClientRow, parameters: TokenParameters): UsableGrant {
  if (client.token_endpoint_auth_method === 'none') {
    throw toInvalidGrant(
      "The OAuth 2.0 Client is marked as public and is thus not allowed to use authorization grant 'client_credentials'.",
    );
  }
  const scope = readScopes(parameters['scope'] ?? '');
  const audience = readAudiences([parameters['audience'] ?? '']);
  requireScopes(client, scope);
  requireAudiences(client, audience);
  const lifespan = toLifespan(client, 'client_credentials', 'access_token');
  const now = core.nowSeconds();
  const times = { issuedAt: now, expiresAt: now + lifespan };
  const clientId = client.client_id;
  const row = { kind: 'access', clientId, grantId: randomUUID(), subject: null, scope, audience, ...times } as const;
  return {
    ...{ consent: null, requestedScope: scope, grantedScope: scope, grantedAudience: audience },
    issue: () => ({
      ...{ access_token: core.vault.issue(row), expires_in: lifespan, scope: scope.join(' '), token_type: 'bearer' },
    }),
  };
}

/** The device polls until the person has answered (RFC 8628, section 3.4). */
export function redeemDeviceCode(core: Core, client: ClientRow, parameters: TokenParameters): UsableGrant {
  const storedToken = core.vault.findActive(parameters['device_code'] ?? '');
  if (storedToken?.row.kind !== 'device') throw toInvalidGrant();
  if (storedToken.row.clientId !== client.client_id) {
    throw toInvalidGrant('The OAuth 2.0 Client ID from this request does not match the one from the authorize request.');
  }
  if (storedToken.row.subject === null) throw OAuthError.create('authorization_pending');
  const consent = findConsent(core, storedToken.row.grantId);
  if (!consent) throw toInvalidGrant();
  return toUsableGrant(consent, (claims) => {
    if (!core.vault.consume(storedToken)) throw toInvalidGrant();
    return issueTokens(core, { client, consent, grant: 'device_authorization', claims });
  });
}

function findConsent(core: Core, grantId: string): ConsentRow | undefined {
  return core.store.consents.listMatching('consentId', grantId)[0]?.[1];
}

function toUsableGrant(consent: ConsentRow, issue: UsableGrant['issue']): UsableGrant {
  return { consent, requestedScope: consent.requestedScope, grantedScope: [], grantedAudience: [], issue };
}

interface IssueParts {
  client: ClientRow;
  consent: ConsentRow;
  grant: GrantName;
  claims: TokenClaims | null;
}

function issueTokens(core: Core, { client, consent: storedConsent, grant, claims }: IssueParts): TokenAnswer {
  const consent = claims === null ? storedConsent : { ...storedConsent, hooked: claims };
  if (claims !== null) core.store.consents.put(consent.flowId, consent);
  const now = core.nowSeconds();
  const { grantedScope: scope, grantedAudience: audience, subject } = consent;
  const commonMembers = { clientId: client.client_id, grantId: consent.consentId, subject, scope, audience, issuedAt: now };
  const lifespan = toLifespan(client, grant, 'access_token');
  const accessToken = core.vault.issue({ ...commonMembers, kind: 'access', expiresAt: now + lifespan });
  const answer: TokenAnswer = {
    access_token: accessToken,
    expires_in: lifespan,
    scope: scope.join(' '),
    token_type: 'bearer',
  };
  if (scope.includes('openid')) {
    answer.id_token = signIdToken(core, { consent, accessToken, lifespanSeconds: toLifespan(client, grant, 'id_token') });
  }
  if ((scope.includes('offline') || scope.includes('offline_access')) && client.grant_types.includes('refresh_token')) {
    const expiresAt = now + toLifespan(client, grant, 'refresh_token');
    answer.refresh_token = core.vault.issue({ ...commonMembers, kind: 'refresh', expiresAt });
  }
  return answer;
}
