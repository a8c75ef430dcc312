/**
 * Lets oidc-provider read clients, read and delete tokens, and store the ids of client assertions. The values contain no expiry, because
 * the vault checks it with the injected clock.
 */
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Core } from '../core.js';
import type { ClientRow, TokenRow } from '../store/rows.js';

/** The grant type of RFC 8628, section 3.4. */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** Grants that the token endpoint supports; a client's other grants are ignored. */
export const SERVED_GRANTS = ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_GRANT];

const KINDS: Record<string, TokenRow['kind']> = { AccessToken: 'access', RefreshToken: 'refresh' };

export class ProviderAdapter implements Adapter {
  constructor(
    private readonly core: Core,
    private readonly model: string,
  ) {}

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (this.model === 'Client') return this.#findClient(id);
    if (this.model === 'ReplayDetection') return this.core.store.handled.has(id) ? { jti: id } : undefined;
    const token = this.core.vault.findActive(id);
    if (!token || token.row.kind !== KINDS[this.model]) return undefined;
    return { jti: id, kind: this.model, clientId: token.row.clientId, grantId: token.row.grantId };
  }

  /** Only client assertions are stored for the library; the vault issues codes and tokens. */
  async upsert(id: string, _payload: AdapterPayload, expiresIn = 0): Promise<void> {
    if (this.model === 'ReplayDetection') this.core.store.handled.put(id, { sweepAt: this.core.nowSeconds() + expiresIn });
  }

  async destroy(id: string): Promise<void> {
    const token = this.core.vault.find(id);
    if (token) this.core.vault.delete(token.id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    this.core.vault.deleteByGrant(grantId, ['access', 'refresh']);
  }

  async consume(): Promise<void> {
    throw new Error(`${this.model} is consumed only by the vault`);
  }

  async findByUid(): Promise<undefined> {
    return undefined;
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  #findClient(id: string): AdapterPayload | undefined {
    const client = this.core.store.clients.get(id);
    return client && toProviderClient(client);
  }
}

/** Contains only what is needed to authenticate the client and select a grant. The authorization endpoint checks redirects. */
function toProviderClient(client: ClientRow): AdapterPayload {
  const grants = client.grant_types.filter((grant) => SERVED_GRANTS.includes(grant));
  const isRedirected = grants.includes('authorization_code');
  return {
    client_id: client.client_id,
    client_secret: client.secretHash,
    token_endpoint_auth_method: client.token_endpoint_auth_method,
    grant_types: grants,
    response_types: isRedirected ? ['code'] : [],
    redirect_uris: isRedirected ? ['https://unused.invalid/'] : [],
    ...(client.token_endpoint_auth_method === 'private_key_jwt' ? toKeys(client) : {}),
  } as AdapterPayload;
}

function toKeys(client: ClientRow): object {
  return client.jwks_uri ? { jwks_uri: client.jwks_uri } : { jwks: client.jwks };
}
