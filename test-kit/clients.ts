/** OAuth clients, registered at Hydra's admin API as any app is; those that the kit made are taken away at its end. */
import { randomBytes } from 'node:crypto';
import { KitError } from './kit-error.js';

export interface ClientOptions {
  redirectUris: readonly string[];
  /** Shown on the consent page. */
  name?: string;
  /** What it may ask for; `openid offline_access profile email` when left out. */
  scope?: string;
  /** Without a secret: a single-page or native app, which needs PKCE. */
  public?: boolean;
  postLogoutRedirectUris?: readonly string[];
  /** Anything else of Hydra's client, as its API names it. */
  metadata?: Readonly<Record<string, unknown>>;
}

export interface RegisteredClient {
  clientId: string;
  /** Empty for a public client. */
  clientSecret: string;
  /** As ID tokens name it, to be given to a discovery. */
  issuer: string;
  redirectUris: readonly string[];
}

export class Clients {
  readonly #made: string[] = [];

  constructor(private readonly hydra: { hydraAdminUrl: string; hydraPublicUrl: string }) {}

  /** @throws KitError when Hydra refuses */
  async register(options: ClientOptions): Promise<RegisteredClient> {
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
        scope: options.scope ?? 'openid offline_access profile email',
        token_endpoint_auth_method: options.public ? 'none' : 'client_secret_basic',
        ...(options.public ? {} : { client_secret: clientSecret }),
        ...options.metadata,
      }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new KitError(`Hydra does not register the client (HTTP ${answer.status}): ${text.slice(0, 300)}`);
    const { client_id: clientId } = JSON.parse(text) as { client_id: string };
    this.#made.push(clientId);
    return { clientId, clientSecret, issuer: await this.issuer(), redirectUris: options.redirectUris };
  }

  /** As discovery says it. */
  async issuer(): Promise<string> {
    const answer = await fetch(`${this.hydra.hydraPublicUrl}/.well-known/openid-configuration`);
    return ((await answer.json()) as { issuer: string }).issuer;
  }

  /** With them go their consents and tokens. */
  async removeAll(): Promise<void> {
    const remove = (id: string): Promise<Response> =>
      fetch(`${this.hydra.hydraAdminUrl}/admin/clients/${encodeURIComponent(id)}`, { method: 'DELETE' });
    await Promise.all(this.#made.splice(0).map(remove));
  }
}
