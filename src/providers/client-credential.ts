/** Authenticates this installation at a provider's token endpoint. */
import { importPKCS8 } from 'jose';
import * as oidc from 'openid-client';
import { createPrivateKey } from 'node:crypto';
import type { Clock } from '../config/clock.js';
import type { ProviderCredential, ProviderSettings } from '../config/config.js';
import { AppleClientSecret } from './apple-client-secret.js';

export type ClientCredential = (metadata: oidc.ServerMetadata) => Promise<oidc.ClientAuth>;

export function buildClientCredential({ credential, clientId }: ProviderSettings, clock: Clock): ClientCredential {
  if (credential.kind === 'secret') return async (metadata) => buildSecretAuth(credential.secret, metadata);
  if (credential.kind === 'private-key') {
    return async () => oidc.PrivateKeyJwt(await importKey(credential));
  }
  const secret = new AppleClientSecret({ ...credential, clientId }, clock);
  return async ({ issuer }) => oidc.ClientSecretPost(await secret.get(issuer));
}

/** Without a list of methods, the default is `client_secret_basic` (OpenID Connect Discovery 1.0, section 3). */
function buildSecretAuth(
  secret: string,
  { token_endpoint_auth_methods_supported: methods }: oidc.ServerMetadata,
): oidc.ClientAuth {
  const isPost = methods?.includes('client_secret_post') ?? false;
  return isPost ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
}

async function importKey({
  privateKey: pem,
  keyId,
}: Extract<ProviderCredential, { kind: 'private-key' }>): Promise<oidc.PrivateKey> {
  const algorithm = createPrivateKey(pem).asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256';
  const key = await importPKCS8(pem, algorithm);
  return keyId === undefined ? { key } : { key, kid: keyId };
}
