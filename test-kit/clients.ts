/** OAuth clients, registered through Hydra's admin API and deleted at the end. */
import { randomBytes } from 'node:crypto';
import { KitError } from './kit-error.js';

export interface ClientOptions {
  redirectUris: readonly string[];
  /** Shown on the consent page. */
  name?: string;
  /** Allowed scopes; default `openid offline_access profile email id`. A token with the scope `id` opens the account area. */
  scope?: string;
  /** Registers a client without a secret, like a single-page or native app. Such a client should use PKCE. */
  public?: boolean;
  postLogoutRedirectUris?: readonly string[];
  /** The client's `metadata` at Hydra, like `{ foyer: { mfa: 'required' } }`. */
  metadata?: Readonly<Record<string, unknown>>;
  /** Other client fields of Hydra's API, like `{ skip_consent: true }`. */
  fields?: Readonly<Record<string, unknown>>;
}

export interface RegisteredClient {
  clientId: string;
  /** Empty for a public client. */
  clientSecret: string;
  /** The issuer of ID tokens, for discovery. */
  issuer: string;
  redirectUris: readonly string[];
}

/** Client fields that are easily passed in `metadata` by mistake. Hydra would store them without any effect. */
const CLIENT_FIELDS = /^(metadata|skip_(logout_)?consent|audience|contacts|owner|.*_(uri|uris|types?|method|required))$/;

/** @throws KitError */
function requireOwnMetadata(metadata: ClientOptions['metadata'] = {}): void {
  const misplacedNames = Object.keys(metadata).filter((name) => CLIENT_FIELDS.test(name));
  if (misplacedNames.length === 0) return;
  throw new KitError(
    `registerClient: pass ${misplacedNames.join(', ')} in "fields"; "metadata" is the client's "metadata" at Hydra.`,
  );
}

export class Clients {
  readonly #clientIds: string[] = [];

  constructor(private readonly hydra: { hydraAdminUrl: string; hydraPublicUrl: string }) {}

  /** @throws KitError for a client field in `metadata`, or if Hydra refuses the client */
  async register(options: ClientOptions): Promise<RegisteredClient> {
    requireOwnMetadata(options.metadata);
    const clientSecret = options.public ? '' : randomBytes(24).toString('base64url');
    const answer = await fetch(`${this.hydra.hydraAdminUrl}/admin/clients`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: options.name ?? 'Test',
        redirect_uris: options.redirectUris,
        post_logout_redirect_uris: options.postLogoutRedirectUris ?? [],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        scope: options.scope ?? 'openid offline_access profile email id',
        token_endpoint_auth_method: options.public ? 'none' : 'client_secret_basic',
        ...(options.public ? {} : { client_secret: clientSecret }),
        ...(options.metadata ? { metadata: options.metadata } : {}),
        ...options.fields,
      }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new KitError(`Hydra refused to register the client (HTTP ${answer.status}): ${text.slice(0, 300)}`);
    const { client_id: clientId } = JSON.parse(text) as { client_id: string };
    this.#clientIds.push(clientId);
    return { clientId, clientSecret, issuer: await this.#readIssuer(), redirectUris: options.redirectUris };
  }

  /** Reads the issuer from the discovery document. */
  async #readIssuer(): Promise<string> {
    const answer = await fetch(`${this.hydra.hydraPublicUrl}/.well-known/openid-configuration`);
    return ((await answer.json()) as { issuer: string }).issuer;
  }

  /** Deletes the registered clients, and with them their consents and tokens. */
  async removeAll(): Promise<void> {
    const remove = (id: string): Promise<Response> =>
      fetch(`${this.hydra.hydraAdminUrl}/admin/clients/${encodeURIComponent(id)}`, { method: 'DELETE' });
    await Promise.all(this.#clientIds.splice(0).map(remove));
  }
}
