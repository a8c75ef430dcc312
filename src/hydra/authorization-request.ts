/**
 * The address of the authorization request that waits at the upstream. Some of what it asks is told nowhere else: prompt
 * and the parameters that only this product reads (docs/hydra-behaviour.md B.2).
 */
import { webUrl } from './client-links.js';

export class AuthorizationRequest {
  readonly #url: URL;

  private constructor(url: URL) {
    this.#url = url;
  }

  /** @returns null for an address that is not on the upstream's public origin: it would be followed by people */
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

  /** The same request, with the question "who are you" asked again. */
  askingForLogin(): string {
    return this.#withPrompt(() => ['login']);
  }

  /** The same request for a new account, whoever is signed in: the upstream then brings a challenge without a session. */
  askingForRegistration(): string {
    return this.#withPrompt(() => ['login', 'registration']);
  }

  /**
   * The same request once the person has chosen. Hydra up to v26.2 lets `select_account` through to the login and refuses
   * it only afterwards (docs/hydra-behaviour.md C.14), so it must be gone before a login is accepted.
   */
  withAccountSelected(): string {
    return this.#withPrompt((values) => values.filter((value) => value !== 'select_account'));
  }

  /**
   * Where a refusal leads when the upstream cannot be asked any more: the client's address, which the upstream has checked
   * before it let the request through, with the error of RFC 6749, section 4.1.2.1. Only for the plain code flow.
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
