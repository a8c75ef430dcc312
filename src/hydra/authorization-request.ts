/**
 * The address of the waiting authorization request. It contains values that Hydra does not pass on: `prompt` and the
 * parameters of this product (docs/hydra-behaviour.md B.2).
 */
import { webUrl } from './client-links.js';

export class AuthorizationRequest {
  readonly #url: URL;

  private constructor(url: URL) {
    this.#url = url;
  }

  /** @returns null if the address is not on Hydra's public origin, because browsers are redirected to it */
  static parse(requestUrl: string, upstreamPublicUrl: string): AuthorizationRequest | null {
    if (!URL.canParse(requestUrl)) return null;
    const url = new URL(requestUrl);
    return url.origin === new URL(upstreamPublicUrl).origin ? new AuthorizationRequest(url) : null;
  }

  get href(): string {
    return this.#url.href;
  }

  /** OpenID Connect Core, section 3.1.2.1: a list separated by spaces. */
  hasPrompt(value: 'none' | 'login' | 'select_account' | 'consent'): boolean {
    return (this.#url.searchParams.get('prompt') ?? '').split(' ').includes(value);
  }

  parameter(name: string): string | undefined {
    return this.#url.searchParams.get(name) ?? undefined;
  }

  /** The same request with `prompt=login`. */
  askingForLogin(): string {
    return this.#withPrompt(() => ['login']);
  }

  /** The same request with `prompt=registration`: Hydra then creates a login challenge without a session. */
  askingForRegistration(): string {
    return this.#withPrompt(() => ['login', 'registration']);
  }

  /**
   * The same request after the account was selected. Hydra up to v26.2 passes `select_account` to the login and rejects
   * it only afterwards (docs/hydra-behaviour.md C.14), so it is removed before the login is accepted.
   */
  withAccountSelected(): string {
    return this.#withPrompt((values) => values.filter((value) => value !== 'select_account'));
  }

  /**
   * The client's redirect URI with the error of RFC 6749, section 4.1.2.1, for when Hydra can no longer reject the
   * request. Hydra has validated the redirect URI. Only for the authorization code flow.
   */
  refusalUrl(): string | undefined {
    const target = webUrl(this.parameter('redirect_uri'));
    const isPlain = this.parameter('response_type') === 'code' && ['query', undefined].includes(this.parameter('response_mode'));
    if (target === undefined || !isPlain) return undefined;
    const url = new URL(target);
    url.searchParams.set('error', 'access_denied');
    const state = this.parameter('state');
    if (state !== undefined) url.searchParams.set('state', state);
    return url.href;
  }

  #withPrompt(change: (values: string[]) => string[]): string {
    const url = new URL(this.#url);
    const values = change((url.searchParams.get('prompt') ?? '').split(' ').filter((value) => value !== ''));
    if (values.length === 0) url.searchParams.delete('prompt');
    else url.searchParams.set('prompt', values.join(' '));
    return url.href;
  }
}
