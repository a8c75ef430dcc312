/** The discovery document (OpenID Connect Discovery, section 3), limited to the supported features. */
import type { Settings } from './settings.js';
import { SERVED_GRANTS } from './tokens/provider-adapter.js';

export function buildDiscoveryDocument({ issuer }: Settings): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/auth`,
    device_authorization_endpoint: `${issuer}/oauth2/device/auth`,
    token_endpoint: `${issuer}/oauth2/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    subject_types_supported: ['public'],
    response_types_supported: ['code'],
    claims_supported: ['sub', 'name', 'preferred_username', 'picture', 'locale', 'updated_at', 'email', 'email_verified'],
    grant_types_supported: SERVED_GRANTS,
    response_modes_supported: ['query', 'fragment', 'form_post'],
    userinfo_endpoint: `${issuer}/userinfo`,
    scopes_supported: ['offline_access', 'offline', 'openid', 'profile', 'email'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'private_key_jwt', 'none'],
    userinfo_signing_alg_values_supported: ['none', 'RS256'],
    id_token_signing_alg_values_supported: ['RS256'],
    id_token_signed_response_alg: ['RS256'],
    userinfo_signed_response_alg: ['RS256'],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    require_request_uri_registration: true,
    claims_parameter_supported: false,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
    end_session_endpoint: `${issuer}/oauth2/sessions/logout`,
    code_challenge_methods_supported: ['S256'],
  };
}
