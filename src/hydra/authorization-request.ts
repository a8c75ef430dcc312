/**
 * The address of the waiting authorization request. It contains values that Hydra does not pass on: `prompt` and the
 * parameters of this product (docs/hydra-behaviour.md B.2).
 */
import { decodeJwt } from 'jose';
import { DEVICE_VERIFICATION_PATH } from '../contract/paths.js';
import { webUrl } from './client-links.js';

/** Added with a `prompt=login` that is this product's own, so that it is not taken for the client's. */
const OWN_PROMPT = 'foyer_prompt';
/** Added to a request that is restarted to find out which browser it comes from; removed from every address that is read. */
const CHECK_PARAMETER = 'foyer_browser_check';
/** A request object (OpenID Connect Core, section 6.1), and its members that are no parameters of the request. */
const REQUEST_OBJECT = 'request';
const OF_THE_OBJECT: readonly string[] = [REQUEST_OBJECT, 'request_uri', 'iss', 'aud', 'sub', 'exp', 'nbf', 'iat', 'jti'];

const USER_CODE = 'user_code';
/** As Hydra makes it, in every setting of its entropy. */
const WELL_FORMED = /^[A-Za-z0-9]{1,64}$/;
/** What is read of the address of a device's request: Hydra writes `****` in place of the code, and anybody the rest. */
const OF_DEVICE_ADDRESS: readonly string[] = [CHECK_PARAMETER, USER_CODE];
/** Parameters with which Hydra leads through the request of a device. */
const OF_DEVICE: readonly string[] = ['client_id', 'device_verifier', 'login_verifier', 'consent_verifier'];

/** Whether a device waits for the answer. The person has its code perhaps from somebody else (RFC 8628, section 5.4). */
export function isDeviceRequest(requestUrl: string): boolean {
  return URL.canParse(requestUrl) && new URL(requestUrl).pathname.endsWith(DEVICE_VERIFICATION_PATH);
}

/** @returns the code without the blanks and dashes of its display; null if it cannot be one. Case counts */
export function userCodeOf(typed: string): string | null {
  const code = typed.replaceAll(/[\s\p{Dash}]/gu, '');
  return WELL_FORMED.test(code) ? code : null;
}

/**
 * An address of Hydra for the browser. That of a device repeats what the verification address had, which anybody may have
 * written (`prompt=none`, `id_token_hint`, `max_age`): only Hydra's own parameters stay.
 */
export function withOwnParameters(url: URL): URL {
  return isDeviceRequest(url.href) ? deviceUrl(url, OF_DEVICE) : url;
}

function deviceUrl(url: URL, names: readonly string[]): URL {
  const kept = new URL(url.origin + url.pathname);
  for (const name of names) {
    const value = url.searchParams.get(name);
    if (value !== null && (name !== USER_CODE || userCodeOf(value) === value)) kept.searchParams.set(name, value);
  }
  return kept;
}

export class AuthorizationRequest {
  readonly #url: URL;
  /** Value of the browser check (`session-binding.ts`), if the request was restarted with one. */
  readonly browserCheck: string | undefined;

  private constructor(url: URL) {
    this.browserCheck = url.searchParams.get(CHECK_PARAMETER) ?? undefined;
    if (this.browserCheck !== undefined) url.searchParams.delete(CHECK_PARAMETER);
    this.#url = url;
  }

  /** @returns null if the address is not on Hydra's public origin, because browsers are redirected to it */
  static parse(requestUrl: string, upstreamPublicUrl: string): AuthorizationRequest | null {
    if (!URL.canParse(requestUrl)) return null;
    const url = new URL(requestUrl);
    if (url.origin !== new URL(upstreamPublicUrl).origin) return null;
    return new AuthorizationRequest(isDeviceRequest(requestUrl) ? deviceUrl(url, OF_DEVICE_ADDRESS) : withPlainParameters(url));
  }

  /** Where the code of a device is entered. @param userCode filled in there */
  static ofDevice(upstreamPublicUrl: string, userCode: string | null): AuthorizationRequest {
    const url = new URL(upstreamPublicUrl.replace(/\/$/, '') + DEVICE_VERIFICATION_PATH);
    if (userCode !== null) url.searchParams.set(USER_CODE, userCode);
    return new AuthorizationRequest(url);
  }

  /** The same request of a device, with its code filled in. */
  withUserCode(userCode: string): AuthorizationRequest {
    const url = new URL(this.browserCheck === undefined ? this.#url : this.checkingBrowser(this.browserCheck));
    url.searchParams.set(USER_CODE, userCode);
    return new AuthorizationRequest(url);
  }

  /** The request of a device: its address asks for the code once more. */
  get isDevice(): boolean {
    return isDeviceRequest(this.href);
  }

  get href(): string {
    return this.#url.href;
  }

  /** With a request object that Hydra has fetched (OpenID Connect Core, section 6.2): its members are unknown here. */
  get isByReference(): boolean {
    return this.parameter('request_uri') !== undefined;
  }

  /** Whether the address starts the same request again. The request of a device needs its code once more. */
  canStartAgain(): boolean {
    return this.#url.pathname.endsWith('/oauth2/auth') && !this.hasPrompt('none');
  }

  /** OpenID Connect Core, section 3.1.2.1: a list separated by spaces. */
  hasPrompt(value: 'none' | 'login' | 'select_account' | 'consent'): boolean {
    return (this.#url.searchParams.get('prompt') ?? '').split(' ').includes(value);
  }

  parameter(name: string): string | undefined {
    return this.#url.searchParams.get(name) ?? undefined;
  }

  /**
   * The age in seconds that the person's authentication may have (OpenID Connect Core, section 3.1.2.1): `max_age`, or 0
   * for the client's own `prompt=login`, and for what cannot be read here. @returns null if any age will do
   */
  maxAgeSeconds(): number | null {
    if (this.isByReference) return 0;
    if (this.hasPrompt('login') && this.parameter(OWN_PROMPT) === undefined) return 0;
    const wanted = this.parameter('max_age') ?? '';
    return /^\d{1,10}$/.test(wanted) ? Number(wanted) : null;
  }

  /** The same request with `prompt=login`. A consent that the client wants asked is still asked. */
  askingForLogin(): string {
    return this.#withPrompt((values) => ['login', ...values.filter((value) => value === 'consent')], !this.hasPrompt('login'));
  }

  /** The same request with a browser check. */
  checkingBrowser(check: string): string {
    const url = new URL(this.#url);
    url.searchParams.set(CHECK_PARAMETER, check);
    return url.href;
  }

  /**
   * For a browser that may not be the one that sent the request: without the name in `login_hint`. An ID token in the
   * request may contain names too, but without it another person could sign in: then there is no address.
   */
  withoutNames(): string | null {
    if (this.parameter('id_token_hint') !== undefined) return null;
    const url = new URL(this.#url);
    url.searchParams.delete('login_hint');
    return url.href;
  }

  /** The same request with `prompt=registration`: Hydra then creates a login challenge without a session. */
  askingForRegistration(): string {
    return this.#withPrompt(() => ['login', 'registration'], !this.hasPrompt('login'));
  }

  /**
   * The same request after the account was selected. Hydra up to v26.2 passes `select_account` to the login and rejects
   * it only afterwards (docs/hydra-behaviour.md C.14), so it is removed before the login is accepted.
   */
  withAccountSelected(): string {
    return this.#withPrompt((values) => values.filter((value) => value !== 'select_account'));
  }

  /**
   * The client's redirect URI with the error of RFC 6749, section 4.1.2.1, or OpenID Connect Core, section 3.1.2.6, for when
   * Hydra cannot reject the request. Hydra has validated the redirect URI. Only for the authorization code flow.
   */
  refusalUrl(error: 'access_denied' | 'login_required' = 'access_denied'): string | undefined {
    const target = webUrl(this.parameter('redirect_uri'));
    const isPlain = this.parameter('response_type') === 'code' && ['query', undefined].includes(this.parameter('response_mode'));
    if (target === undefined || !isPlain) return undefined;
    const url = new URL(target);
    url.searchParams.set('error', error);
    const state = this.parameter('state');
    if (state !== undefined) url.searchParams.set('state', state);
    return url.href;
  }

  /** The same request after its person was asked as `prompt=login` demands, so that the new session continues. */
  withLoginDone(): string {
    return this.#withPrompt((values) => values.filter((value) => value !== 'login'));
  }

  #withPrompt(change: (values: string[]) => string[], isOwn = false): string {
    const url = new URL(this.#url);
    if (isOwn) url.searchParams.set(OWN_PROMPT, 'login');
    const values = change((url.searchParams.get('prompt') ?? '').split(' ').filter((value) => value !== ''));
    if (values.length === 0) url.searchParams.delete('prompt');
    else url.searchParams.set('prompt', values.join(' '));
    return url.href;
  }
}

/**
 * The same request without its request object. Hydra has verified the object and prefers it to the address: its `prompt` and
 * `max_age` would be overlooked here, and a restarted request with another `prompt` would go on with the old one, for ever.
 */
function withPlainParameters(url: URL): URL {
  const members = requestObjectOf(url);
  if (!members) return url;
  const plain = new URL(url);
  plain.searchParams.delete(REQUEST_OBJECT);
  for (const [name, value] of Object.entries(members)) {
    if (OF_THE_OBJECT.includes(name)) continue;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    // Hydra takes the scopes of both.
    plain.searchParams.set(name, name === 'scope' ? `${url.searchParams.get(name) ?? ''} ${text}`.trim() : text);
  }
  return plain;
}

/** @returns null for a request without one, or with one that cannot be read */
function requestObjectOf(url: URL): Readonly<Record<string, unknown>> | null {
  const object = url.searchParams.get(REQUEST_OBJECT);
  if (object === null) return null;
  try {
    return decodeJwt(object);
  } catch {
    return null;
  }
}
