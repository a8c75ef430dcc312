/**
 * The address of the waiting authorization request. It contains values that Hydra does not pass on: `prompt` and the
 * parameters of this product (docs/hydra-behaviour.md B.2).
 */
import { decodeJwt } from 'jose';
import { DEVICE_VERIFICATION_PATH } from '../contract/paths.js';
import type { ClientProfile } from './client-profile.js';
import { isRegisteredRedirect, webUrl } from './client-links.js';

/** Added with a `prompt=login` that is this product's own, so that it is not taken for the client's. */
const OWN_PROMPT = 'foyer_prompt';
/** Added to a request that is restarted to find out which browser it comes from; removed from every address that is read. */
const CHECK_PARAMETER = 'foyer_browser_check';
/** A request object (OpenID Connect Core, section 6.1), and its members that are not parameters of the request. */
const REQUEST_OBJECT = 'request';
const OF_THE_OBJECT: readonly string[] = [REQUEST_OBJECT, 'request_uri', 'iss', 'aud', 'sub', 'exp', 'nbf', 'iat', 'jti'];
/** Parameters that Foyer acts upon, or by which Hydra chooses where to read. None may be repeated (RFC 6749, section 3.1). */
const SINGLE: readonly string[] = [
  'client_id',
  'scope',
  REQUEST_OBJECT,
  'request_uri',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'prompt',
  'max_age',
  'id_token_hint',
  'acr_values',
];
/** Hydra skips a parameter with these in its address, and browsers do not: a semicolon, a broken escape, a fragment. */
const READ_DIFFERENTLY = /[;#]|%(?![0-9a-f]{2})/i;

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
export function toUserCode(typed: string): string | null {
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
    if (value !== null && (name !== USER_CODE || toUserCode(value) === value)) kept.searchParams.set(name, value);
  }
  return kept;
}

export class AuthorizationRequest {
  readonly #url: URL;
  /**
   * Hydra may read this request otherwise than this class: its object is only referenced (OpenID Connect Core, section
   * 6.2), cannot be read here, or is in a place where Hydra does not look for one; a parameter is repeated or badly
   * written. Nothing is then skipped because of what the request seems to say.
   */
  readonly isUnclear: boolean;
  /** Value of the browser check (`session-binding.ts`), if the request was restarted with one. */
  readonly browserCheck: string | undefined;

  private constructor(url: URL, isMisread = false) {
    this.browserCheck = url.searchParams.get(CHECK_PARAMETER) ?? undefined;
    if (this.browserCheck !== undefined) url.searchParams.delete(CHECK_PARAMETER);
    this.#url = url;
    this.isUnclear = isMisread || this.isByReference || (this.parameter(REQUEST_OBJECT) ?? '') !== '';
  }

  /** @returns null if the address is not on Hydra's public origin, because browsers are redirected to it */
  static parse(requestUrl: string, upstreamPublicUrl: string): AuthorizationRequest | null {
    if (!URL.canParse(requestUrl)) return null;
    const url = new URL(requestUrl);
    if (url.origin !== new URL(upstreamPublicUrl).origin) return null;
    if (isDeviceRequest(requestUrl)) return new AuthorizationRequest(deviceUrl(url, OF_DEVICE_ADDRESS));
    return new AuthorizationRequest(withPlainParameters(url), isMisreadable(requestUrl, url));
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
    if (this.isUnclear) return 0;
    if (this.hasPrompt('login') && this.parameter(OWN_PROMPT) === undefined) return 0;
    return secondsIn(this.parameter('max_age') ?? '');
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
   * request may contain names too, but without it another person could sign in: then there is no address, nor for a
   * request whose names may be where they cannot be seen.
   */
  withoutNames(): string | null {
    if (this.isUnclear || this.parameter('id_token_hint') !== undefined) return null;
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
   * Hydra cannot reject the request. Only for the authorization code flow, and only to an address that the client has
   * registered, whatever the request says.
   */
  refusalUrl(
    { redirectUris }: Pick<ClientProfile, 'redirectUris'>,
    error: 'access_denied' | 'login_required' = 'access_denied',
  ): string | undefined {
    const named = this.parameter('redirect_uri') ?? '';
    const target = isRegisteredRedirect(named, redirectUris) ? webUrl(named) : undefined;
    const isPlain = this.parameter('response_type') === 'code' && ['query', undefined].includes(this.parameter('response_mode'));
    if (target === undefined || this.isUnclear || !isPlain) return undefined;
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

/** Whether Hydra may find other values in the address than `URL` does. @param requestUrl as Hydra gave it */
function isMisreadable(requestUrl: string, { searchParams }: URL): boolean {
  return READ_DIFFERENTLY.test(requestUrl) || SINGLE.some((name) => searchParams.getAll(name).length > 1);
}

/**
 * The same request without its request object, where Hydra has read it (docs/hydra-behaviour.md B.2). Hydra prefers the
 * object to the address: its `prompt` and `max_age` would be overlooked here, and a restarted request with another `prompt`
 * would go on with the old one, for ever. Where both limit what passes unasked, both count.
 */
function withPlainParameters(url: URL): URL {
  const members = toRequestObject(url);
  if (!members) return url;
  const plain = new URL(url);
  // Not Hydra's, so an object that Hydra has verified cannot be combined with it.
  for (const name of [REQUEST_OBJECT, OWN_PROMPT]) plain.searchParams.delete(name);
  for (const [name, value] of Object.entries(members)) {
    if (OF_THE_OBJECT.includes(name) || name === OWN_PROMPT) continue;
    plain.searchParams.set(name, bothOf(name, url.searchParams.get(name) ?? '', memberText(value)));
  }
  return plain;
}

function bothOf(name: string, inAddress: string, inObject: string): string {
  // Hydra takes the scopes of both, and all else from the object.
  if (name === 'scope') return `${inAddress} ${inObject}`.trim();
  if (name === 'prompt')
    return [...new Set([...words(inObject), ...words(inAddress).filter((value) => value !== 'none')])].join(' ');
  const ages = name === 'max_age' ? [secondsIn(inAddress), secondsIn(inObject)].filter((age) => age !== null) : [];
  return ages.length > 0 ? String(Math.min(...ages)) : inObject;
}

/** @returns 0 for what is there and is not a number of seconds; null for what is not there */
function secondsIn(maxAge: string): number | null {
  if (maxAge === '') return null;
  return /^\d{1,10}$/.test(maxAge) ? Number(maxAge) : 0;
}

/** A list means its values, separated by spaces as in an address. */
function memberText(value: unknown): string {
  if (Array.isArray(value)) return value.map(memberText).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** @returns null for a request without one, with one that Hydra has not read, or with one that cannot be read here */
function toRequestObject({ searchParams }: URL): Readonly<Record<string, unknown>> | null {
  const object = searchParams.get(REQUEST_OBJECT);
  const isRead = words(searchParams.get('scope') ?? '').includes('openid') && (searchParams.get('request_uri') ?? '') === '';
  if (object === null || !isRead) return null;
  try {
    return decodeJwt(object);
  } catch {
    return null;
  }
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}
