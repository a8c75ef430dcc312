/**
 * The console as an OpenID Connect client of Hydra, with the authorization code flow and PKCE on the server. Foyer registers the
 * client itself, because nobody else knows its secret, which is derived from SECRETS_SYSTEM.
 */
import { Inject, Injectable } from '@nestjs/common';
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload } from 'jose';
import * as oidc from 'openid-client';
import type { Logger } from 'pino';
import { OPERATOR_SESSION_SECONDS } from '../../accounts/operators/operator-sessions.js';
import { Clock } from '../../config/clock.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { CONFIG } from '../../config/config.token.js';
import { Keys } from '../../config/keys.js';
import { LOG } from '../../config/log.token.js';
import { UpstreamUnavailable } from '../../hydra/hydra.errors.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import { isAtLeast } from '../../mfa/policy.js';
import { buildGuardedFetch } from '../../providers/guarded-fetch.js';
import { ProviderUnavailable } from '../../providers/provider.errors.js';
import { Telemetry } from '../../telemetry/telemetry.js';
import { CONSOLE_PATHS } from './console-paths.js';

export const CONSOLE_CLIENT_ID = 'foyer-console';

const SCOPE = 'openid';
const MAX_AGE_SECONDS = OPERATOR_SESSION_SECONDS.proof;
const TIMEOUT_MS = 5000;
const REGISTRATION_MS = 10 * 60_000;
const CLOCK_TOLERANCE_SECONDS = 30;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const LOGOUT_TOKEN_SECONDS = 300;

/** The values that the browser stores in a sealed cookie until the callback. */
export interface SignInAttempt {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** The verified claims of an ID token. */
export interface ConsoleIdentity {
  subject: string;
  sessionId: string;
  acr: string;
  /** Whether the sign-in was as strong as CONSOLE_ACR requires, regardless of the requested strength. */
  isStrongEnough: boolean;
  authTime: Date;
}

/** The claims of a verified logout token, which names a session, a subject, or both. */
export interface LogoutClaims {
  sessionId?: string;
  subject?: string;
  /**
   * Sessions that began at this time or later do not end, because the token may be a replayed copy. Includes the tolerance for clocks
   * that differ.
   */
  endsBefore: Date;
}

/** Hydra refused the sign-in, or its answer does not match the request. */
export class SignInRefused extends Error {
  /** @param code the code of OAuth 2.0, the code or name of an error of the library that verified the answer, or `incomplete_id_token` */
  constructor(readonly code: string) {
    super(`The sign-in to the console was refused: ${code}`);
  }
}

type HydraMetadata = oidc.ServerMetadata & { jwks_uri: string };

interface BeginOptions {
  /** Whether the person has to sign in although the browser is signed in at Foyer. */
  isAgain: boolean;
  /** The operator who has to provide a new proof; null if anybody may sign in. */
  username: string | null;
}

@Injectable()
export class ConsoleClient {
  readonly #settings: NonNullable<Config['console']>;
  readonly #secret: string;
  readonly #fetch: oidc.CustomFetch;
  #metadata: Promise<HydraMetadata> | undefined;
  #registration: { work: Promise<void>; atMs: number } | undefined;
  #keySet: ReturnType<typeof createRemoteJWKSet> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'console' | 'hydra'>,
    @Inject(LOG) private readonly log: Logger,
    private readonly hydra: HydraPort,
    private readonly clock: Clock,
    keys: Keys,
    telemetry: Telemetry,
  ) {
    if (config.console === undefined) throw new Error('The console is off.');
    this.#settings = config.console;
    this.#secret = keys.mac('console-client', CONSOLE_CLIENT_ID);
    const guardedFetch = buildGuardedFetch({ timeoutMs: TIMEOUT_MS, provider: 'hydra', telemetry });
    this.#fetch = (url, options) => guardedFetch(this.#toReachableUrl(url), options);
  }

  /**
   * Requests a fresh proof. Otherwise a login that the browser remembers would begin a new session for anybody who uses the browser,
   * and the time limits of sessions would have no effect.
   * @throws an error of `HydraPort`
   */
  async begin({ isAgain, username }: BeginOptions): Promise<{ url: string; attempt: SignInAttempt }> {
    await this.#requireRegistration();
    const configuration = await this.#configure();
    const attempt: SignInAttempt = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
    };
    const url = oidc.buildAuthorizationUrl(configuration, {
      scope: SCOPE,
      redirect_uri: this.#redirectUri,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: 'S256',
      acr_values: this.#settings.acr,
      max_age: String(MAX_AGE_SECONDS),
      ...(isAgain ? { prompt: 'login' } : {}),
      ...(username === null ? {} : { login_hint: username }),
    });
    return { url: url.href, attempt };
  }

  /**
   * @param query the query of the callback
   * @throws SignInRefused, or an error of `HydraPort`
   */
  async finish(query: string, attempt: SignInAttempt): Promise<ConsoleIdentity> {
    try {
      return await this.#exchange(query, attempt);
    } catch (error) {
      // Another gateway with a newer or older SECRETS_SYSTEM has registered its secret at Hydra. The code has not been used.
      if (!(error instanceof oidc.ResponseBodyError) || error.error !== 'invalid_client') throw toSignInError(error);
      await this.#register();
    }
    return this.#exchange(query, attempt).catch((error: unknown) => Promise.reject(toSignInError(error)));
  }

  /**
   * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6).
   * @throws an error of jose, or Error, if the token is not from Hydra, not for this client, too old, or not a logout token;
   * UpstreamUnavailable if Hydra does not answer, or its metadata or keys are not as expected
   */
  async readLogoutToken(token: string): Promise<LogoutClaims> {
    const { issuer, jwks_uri: address } = await this.#discover();
    this.#keySet ??= createRemoteJWKSet(new URL(address), {
      timeoutDuration: TIMEOUT_MS,
      [customFetch]: (url: string, options: RequestInit) => fetch(this.#toReachableUrl(url), options),
    });
    const rules = {
      issuer,
      audience: CONSOLE_CLIENT_ID,
      maxTokenAge: LOGOUT_TOKEN_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: this.clock.now(),
    };
    const { payload } = await jwtVerify(token, this.#keySet, rules).catch((error: unknown) => {
      throw isOutage(error) ? toUpstreamUnavailable(error) : error;
    });
    return readLogoutClaims(payload);
  }

  async #exchange(query: string, attempt: SignInAttempt): Promise<ConsoleIdentity> {
    const answer = await oidc.authorizationCodeGrant(await this.#configure(), new URL(`${this.#redirectUri}?${query}`), {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.codeVerifier,
      idTokenExpected: true,
      maxAge: MAX_AGE_SECONDS,
    });
    const claims = answer.claims();
    const { sub: subject = '', sid: sessionId, acr, auth_time: authTime }: Partial<oidc.IDToken> = claims ?? {};
    if (subject === '' || typeof sessionId !== 'string' || typeof acr !== 'string' || authTime === undefined)
      throw new SignInRefused('incomplete_id_token');
    const isStrongEnough = isAtLeast(acr, this.#settings.acr);
    return { subject, sessionId, acr, isStrongEnough, authTime: new Date(authTime * 1000) };
  }

  async #configure(): Promise<oidc.Configuration> {
    const client = {
      client_secret: this.#secret,
      [oidc.clockSkew]: Math.round(this.clock.skewMs / 1000),
      [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
    };
    const metadata = await this.#discover();
    const configuration = new oidc.Configuration(metadata, CONSOLE_CLIENT_ID, client, oidc.ClientSecretBasic(this.#secret));
    configuration[oidc.customFetch] = this.#fetch;
    oidc.enableNonRepudiationChecks(configuration);
    if (this.config.hydra.publicUrl.startsWith('http:')) oidc.allowInsecureRequests(configuration);
    return configuration;
  }

  /** Reads the metadata again only after a failure, because the addresses of Hydra only change with the settings of Foyer. */
  #discover(): Promise<HydraMetadata> {
    return (this.#metadata ??= this.#forgetOnFailure(this.#readMetadata()));
  }

  async #readMetadata(): Promise<HydraMetadata> {
    const { publicUrl } = this.config.hydra;
    const url = `${publicUrl}/.well-known/openid-configuration`;
    const options = { method: 'GET', headers: { accept: 'application/json' }, body: null, redirect: 'manual' } as const;
    const metadata = await this.#fetch(url, options)
      .then((answer) => answer.json() as Promise<oidc.ServerMetadata>)
      .catch((error: unknown) => Promise.reject(toUpstreamUnavailable(error)));
    if (typeof metadata.issuer !== 'string' || metadata.issuer.replace(/\/+$/, '') !== publicUrl)
      throw new UpstreamUnavailable('the issuer in the metadata of Hydra is not HYDRA_PUBLIC_URL');
    if (typeof metadata.jwks_uri !== 'string' || !URL.canParse(metadata.jwks_uri))
      throw new UpstreamUnavailable('the metadata of Hydra has no valid jwks_uri');
    return { ...metadata, jwks_uri: metadata.jwks_uri };
  }

  /** Registers again after some time, because somebody may have changed or removed the client at Hydra meanwhile. */
  async #requireRegistration(): Promise<void> {
    const nowMs = this.clock.now().getTime();
    if (this.#registration === undefined || nowMs - this.#registration.atMs > REGISTRATION_MS)
      this.#registration = { work: this.#forgetOnFailure(this.#register()), atMs: nowMs };
    await this.#registration.work;
  }

  async #register(): Promise<void> {
    const { url, backChannelUrl } = this.#settings;
    await this.hydra.saveClient({
      id: CONSOLE_CLIENT_ID,
      name: 'Foyer console',
      secret: this.#secret,
      redirectUris: [this.#redirectUri],
      postLogoutRedirectUris: [url + CONSOLE_PATHS.signedOut],
      backChannelLogoutUri: backChannelUrl + CONSOLE_PATHS.backChannelLogout,
      scope: SCOPE,
    });
    this.log.info({ client: CONSOLE_CLIENT_ID }, 'the client of the console was registered at Hydra');
  }

  /** If the work fails, discards the registration and the metadata, so that the next sign-in registers again and reads them again. */
  #forgetOnFailure<Value>(work: Promise<Value>): Promise<Value> {
    work.catch(() => {
      this.#registration = undefined;
      this.#metadata = undefined;
    });
    return work;
  }

  get #redirectUri(): string {
    return this.#settings.url + CONSOLE_PATHS.callback;
  }

  /** Replaces Hydra's public address with the address at which this process reaches Hydra. */
  #toReachableUrl(url: string): string {
    const { publicUrl, internalUrl = publicUrl } = this.config.hydra;
    return url.startsWith(`${publicUrl}/`) ? internalUrl + url.slice(publicUrl.length) : url;
  }
}

function readLogoutClaims({ events, nonce, sid, sub, iat = 0 }: JWTPayload): LogoutClaims {
  // An ID token, which has a nonce, must not be accepted as a logout token.
  if (typeof events !== 'object' || events === null || !(LOGOUT_EVENT in events) || nonce !== undefined)
    throw new Error('This is not a logout token.');
  const [sessionId, subject] = [sid, sub].map((claim) => (typeof claim === 'string' && claim !== '' ? claim : undefined));
  if (sessionId === undefined && subject === undefined)
    throw new Error('The logout token names neither a session nor a subject.');
  // `iat` is always present, because `maxTokenAge` requires it.
  return { ...defined({ sessionId, subject }), endsBefore: new Date((iat + CLOCK_TOLERANCE_SECONDS) * 1000) };
}

/** Codes of jose for keys that cannot be fetched or read. */
const KEY_FAILURES: readonly string[] = [errors.JOSEError.code, errors.JWKSTimeout.code, errors.JWKSInvalid.code];

/** @returns whether the keys of Hydra are the reason why a token was not verified */
function isOutage(error: unknown): boolean {
  return !(error instanceof errors.JOSEError) || KEY_FAILURES.includes(error.code);
}

/** @returns SignInRefused for an answer of Hydra, UpstreamUnavailable for an outage */
function toSignInError(error: unknown): Error {
  if (error instanceof SignInRefused || error instanceof UpstreamUnavailable) return error;
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError)
    return new SignInRefused(error.error);
  // The library wraps what `guarded-fetch.ts` throws.
  if (error instanceof oidc.ClientError && error.cause instanceof ProviderUnavailable) return toUpstreamUnavailable(error.cause);
  if (error instanceof oidc.ClientError) return new SignInRefused(error.code ?? error.name);
  return toUpstreamUnavailable(error);
}

function toUpstreamUnavailable(error: unknown): UpstreamUnavailable {
  return new UpstreamUnavailable(error instanceof Error ? error.message : 'unknown');
}
