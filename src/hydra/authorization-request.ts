/**
 * The address of the waiting authorization or device request. The address of an authorization request contains values that Hydra
 * does not pass on: `prompt`, `max_age` and the parameters of this product (docs/hydra-behaviour.md B.2).
 */
import { decodeJwt } from 'jose';
import { DEVICE_VERIFICATION_PATH } from '../contract/paths.js';
import type { ClientProfile } from './client-profile.js';
import { isRegisteredRedirect, toWebUrl } from './client-links.js';
import { buildUpstreamUrl } from './upstream-url.js';

/** Marks a `prompt=login` that Foyer added, so that Foyer does not mistake it for the client's. */
const OWN_PROMPT = 'foyer_prompt';
/** Added to a request that Foyer restarts to find out which browser sent it; removed from every address that is read. */
const CHECK_PARAMETER = 'foyer_browser_check';
/** Parameter that contains a request object (OpenID Connect Core, section 6.1). */
const REQUEST_OBJECT = 'request';
/** Members of a request object that concern only the object itself, or that an object may not have. */
const IGNORED_MEMBERS: readonly string[] = [REQUEST_OBJECT, 'request_uri', 'iss', 'aud', 'sub', 'exp', 'nbf', 'iat', 'jti'];
/** Parameters that Foyer acts upon, or that determine what Hydra reads. None may be repeated (RFC 6749, section 3.1). */
const SINGLE_PARAMETERS: readonly string[] = [
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
/**
 * A semicolon or a broken escape: Hydra skips a parameter that contains one, and `URL` does not. A `#`: `URL` finds no parameter after it,
 * and Hydra does.
 */
const MISREAD_TEXT = /[;#]|%(?![0-9a-f]{2})/i;

const USER_CODE = 'user_code';
/** Matches user codes of Hydra, regardless of the entropy that Hydra is configured to use. */
const USER_CODE_FORMAT = /^[A-Za-z0-9]{1,64}$/;
/** The only parameters that are read from the address of a device request: anybody may have written the others. */
const DEVICE_ADDRESS_PARAMETERS: readonly string[] = [CHECK_PARAMETER, USER_CODE];
/** Parameters that Hydra itself passes on from step to step of a device request. */
const DEVICE_FLOW_PARAMETERS: readonly string[] = ['client_id', 'device_verifier', 'login_verifier', 'consent_verifier'];

/** Whether a device waits for the answer. An attacker may have given its code to the person (RFC 8628, section 5.4). */
export function isDeviceRequest(requestUrl: string): boolean {
  return URL.canParse(requestUrl) && new URL(requestUrl).pathname.endsWith(DEVICE_VERIFICATION_PATH);
}

/** @returns the code in the same case, without the whitespace and dashes of its display; null if the text cannot be a code */
export function toUserCode(typedText: string): string | null {
  const code = typedText.replaceAll(/[\s\p{Dash}]/gu, '');
  return USER_CODE_FORMAT.test(code) ? code : null;
}

/**
 * Makes an address of Hydra safe for the browser. The address of a device request repeats the parameters of the verification
 * address, which anybody may have written (`prompt=none`, `id_token_hint`, `max_age`), so only Hydra's own parameters stay.
 */
export function keepHydraParameters(url: URL): URL {
  return isDeviceRequest(url.href) ? buildDeviceUrl(url, DEVICE_FLOW_PARAMETERS) : url;
}

function buildDeviceUrl(url: URL, names: readonly string[]): URL {
  const deviceUrl = new URL(url.origin + url.pathname);
  for (const name of names) {
    const value = url.searchParams.get(name);
    if (value !== null && (name !== USER_CODE || toUserCode(value) === value)) deviceUrl.searchParams.set(name, value);
  }
  return deviceUrl;
}

export class AuthorizationRequest {
  readonly #url: URL;
  /**
   * Whether Hydra may read this request differently than Foyer: its request object is only referenced (OpenID Connect Core, section
   * 6.2), cannot be decoded, or is ignored by Hydra, or a parameter is repeated or malformed. For such a request, Foyer skips no question.
   */
  readonly isUnclear: boolean;
  /** Value of the browser check (`session-binding.ts`), if the request was restarted with a check. */
  readonly browserCheck: string | undefined;

  private constructor(url: URL, isMisread = false) {
    this.browserCheck = url.searchParams.get(CHECK_PARAMETER) ?? undefined;
    if (this.browserCheck !== undefined) url.searchParams.delete(CHECK_PARAMETER);
    this.#url = url;
    this.isUnclear = isMisread || this.isByReference || (this.parameter(REQUEST_OBJECT) ?? '') !== '';
  }

  /** @returns null unless the address is on Hydra's public origin, because Foyer redirects browsers to the address */
  static parse(requestUrl: string, upstreamPublicUrl: string): AuthorizationRequest | null {
    if (!URL.canParse(requestUrl)) return null;
    const url = new URL(requestUrl);
    if (url.origin !== new URL(upstreamPublicUrl).origin) return null;
    if (isDeviceRequest(requestUrl)) return new AuthorizationRequest(buildDeviceUrl(url, DEVICE_ADDRESS_PARAMETERS));
    return new AuthorizationRequest(inlineRequestObject(url), isMisreadable(requestUrl, url));
  }

  /** Builds the request of the page where a person enters the code of a device. @param userCode filled in there unless null */
  static buildDeviceRequest(upstreamPublicUrl: string, userCode: string | null): AuthorizationRequest {
    const url = new URL(buildUpstreamUrl(upstreamPublicUrl, DEVICE_VERIFICATION_PATH));
    if (userCode !== null) url.searchParams.set(USER_CODE, userCode);
    return new AuthorizationRequest(url);
  }

  /** The same device request, with its code filled in. */
  withUserCode(userCode: string): AuthorizationRequest {
    const url = new URL(this.browserCheck === undefined ? this.#url : this.withBrowserCheck(this.browserCheck));
    url.searchParams.set(USER_CODE, userCode);
    return new AuthorizationRequest(url);
  }

  /** Whether a device waits for the answer; the address of such a request requires the code again. */
  get isDevice(): boolean {
    return isDeviceRequest(this.href);
  }

  get href(): string {
    return this.#url.href;
  }

  /** Whether the request only refers to a request object (OpenID Connect Core, section 6.2), so that Foyer does not know its members. */
  get isByReference(): boolean {
    return this.parameter('request_uri') !== undefined;
  }

  /**
   * Whether a person can start the same request again at its address. A request with `prompt=none` shows no page, and a device request
   * requires its code again.
   */
  canStartAgain(): boolean {
    return this.#url.pathname.endsWith('/oauth2/auth') && !this.hasPrompt('none');
  }

  /** `prompt` is a list separated by spaces (OpenID Connect Core, section 3.1.2.1). */
  hasPrompt(value: 'none' | 'login' | 'select_account' | 'consent' | 'registration'): boolean {
    return (this.#url.searchParams.get('prompt') ?? '').split(' ').includes(value);
  }

  parameter(name: string): string | undefined {
    return this.#url.searchParams.get(name) ?? undefined;
  }

  /**
   * The greatest age in seconds that the person's authentication may have (OpenID Connect Core, section 3.1.2.1): `max_age`,
   * or 0 for the client's own `prompt=login`, a `max_age` that is not a number, and an unclear request.
   * @returns null if any age is accepted
   */
  maxAgeSeconds(): number | null {
    if (this.isUnclear) return 0;
    if (this.hasPrompt('login') && this.parameter(OWN_PROMPT) === undefined) return 0;
    return parseSeconds(this.parameter('max_age') ?? '');
  }

  /** The same request with `prompt=login`, and with `consent` if the client requested it. */
  withLoginPrompt(): string {
    return this.#withPrompt((values) => ['login', ...values.filter((value) => value === 'consent')], !this.hasPrompt('login'));
  }

  /** The same request with a browser check. */
  withBrowserCheck(check: string): string {
    const url = new URL(this.#url);
    url.searchParams.set(CHECK_PARAMETER, check);
    return url.href;
  }

  /**
   * The same request without the name in `login_hint`, for a browser that may not have sent the request.
   * @returns null for an unclear request, which may contain hidden names, and for a request with an ID token: the token may contain
   * names, and without the token another person could sign in
   */
  withoutNames(): string | null {
    if (this.isUnclear || this.parameter('id_token_hint') !== undefined) return null;
    const url = new URL(this.#url);
    url.searchParams.delete('login_hint');
    return url.href;
  }

  /** The same request with `prompt=login registration`: Hydra then creates a login challenge without a session. */
  withRegistrationPrompt(): string {
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
   * Builds the client's redirect URI with the error of RFC 6749, section 4.1.2.1, or OpenID Connect Core, section 3.1.2.6. It is
   * used when Hydra cannot reject the request.
   * @returns undefined for an unclear request, and unless the request uses the authorization code flow, the response mode `query` and an
   * http(s) redirect URI that the client registered
   */
  buildRefusalUrl(
    { redirectUris }: Pick<ClientProfile, 'redirectUris'>,
    error: 'access_denied' | 'login_required' = 'access_denied',
  ): string | undefined {
    const redirectUri = this.parameter('redirect_uri') ?? '';
    const target = isRegisteredRedirect(redirectUri, redirectUris) ? toWebUrl(redirectUri) : undefined;
    const isPlain = this.parameter('response_type') === 'code' && ['query', undefined].includes(this.parameter('response_mode'));
    if (target === undefined || this.isUnclear || !isPlain) return undefined;
    const url = new URL(target);
    url.searchParams.set('error', error);
    const state = this.parameter('state');
    if (state !== undefined) url.searchParams.set('state', state);
    return url.href;
  }

  /** The same request without `prompt=registration`, which would lead a person who has just proven an account to the registration again. */
  withRegistrationDone(): string {
    return this.hasPrompt('registration')
      ? this.#withPrompt((values) => values.filter((value) => value !== 'registration'))
      : this.href;
  }

  /** The same request without `prompt=login` and `registration`, for a person who has just signed in: the new session continues. */
  withLoginDone(): string {
    return this.#withPrompt((values) => values.filter((value) => value !== 'login' && value !== 'registration'));
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

/** Whether Hydra may find other values in the address than `URL` does. @param requestUrl as received from Hydra */
function isMisreadable(requestUrl: string, { searchParams }: URL): boolean {
  return MISREAD_TEXT.test(requestUrl) || SINGLE_PARAMETERS.some((name) => searchParams.getAll(name).length > 1);
}

/**
 * The same request with the members of its request object as plain parameters, if Hydra has read the object
 * (docs/hydra-behaviour.md B.2). Hydra prefers the object to the address, so Foyer would otherwise overlook the object's
 * `prompt` and `max_age`, and a request restarted with another `prompt` would keep the old `prompt` forever. If both the object
 * and the address limit which questions may be skipped, both limits apply.
 */
function inlineRequestObject(url: URL): URL {
  const members = readRequestObject(url);
  if (!members) return url;
  const plainUrl = new URL(url);
  // Hydra has not verified the mark of a `prompt` that Foyer added, so the mark must not change a verified object.
  for (const name of [REQUEST_OBJECT, OWN_PROMPT]) plainUrl.searchParams.delete(name);
  for (const [name, value] of Object.entries(members)) {
    if (IGNORED_MEMBERS.includes(name) || name === OWN_PROMPT) continue;
    plainUrl.searchParams.set(name, mergeParameter(name, url.searchParams.get(name) ?? '', toParameterText(value)));
  }
  return plainUrl;
}

function mergeParameter(name: string, addressValue: string, objectValue: string): string {
  // Hydra takes scopes from both, and all other parameters from the object.
  if (name === 'scope') return `${addressValue} ${objectValue}`.trim();
  if (name === 'prompt')
    return [...new Set([...splitWords(objectValue), ...splitWords(addressValue).filter((value) => value !== 'none')])].join(' ');
  const ages = name === 'max_age' ? [parseSeconds(addressValue), parseSeconds(objectValue)].filter((age) => age !== null) : [];
  return ages.length > 0 ? String(Math.min(...ages)) : objectValue;
}

/** @returns 0 for a value that is not a number of seconds; null for an empty value */
function parseSeconds(maxAge: string): number | null {
  if (maxAge === '') return null;
  return /^\d{1,10}$/.test(maxAge) ? Number(maxAge) : 0;
}

/** Writes a list as its values, separated by spaces as in an address. */
function toParameterText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toParameterText).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** @returns null if there is no request object, if Hydra has not read it, or if it cannot be decoded */
function readRequestObject({ searchParams }: URL): Readonly<Record<string, unknown>> | null {
  const object = searchParams.get(REQUEST_OBJECT);
  const isRead = splitWords(searchParams.get('scope') ?? '').includes('openid') && (searchParams.get('request_uri') ?? '') === '';
  if (object === null || !isRead) return null;
  try {
    return decodeJwt(object);
  } catch {
    return null;
  }
}

function splitWords(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}
