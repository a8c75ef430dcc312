/**
 * Caches the public keys that verify the signatures of another service. An unknown key or a wrong signature makes Foyer fetch the keys
 * again, so that the service can rotate them, but only after a minimum interval, so that an attacker cannot cause a flood of requests.
 */
import {
  createLocalJWKSet,
  errors,
  jwtVerify,
  type CryptoKey,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
  type JWTVerifyOptions,
  type JWTVerifyResult,
} from 'jose';
import type { Clock } from './clock.js';

type FindKey = ReturnType<typeof createLocalJWKSet>;

/** Only asymmetric signatures: with a MAC, anybody could forge answers with the public key (RFC 8725, section 3.1). */
const ASYMMETRIC_SIGNATURES = ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'PS256', 'RS256'];

const MAX_AGE_MS = 10 * 60_000;
const MIN_INTERVAL_MS = 30_000;
/** The time after a failure during which the keys are not fetched again. */
const FAILURE_PAUSE_MS = 2000;

/** Thrown if the keys cannot be read, so that nothing can be verified now. The message is for the log. */
export class KeysUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeysUnavailable';
  }
}

export class PublishedKeys {
  #cachedKeys: { find: FindKey; readAt: number } | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #pendingRead: Promise<FindKey> | undefined;

  /** @param fetchKeys reads the key set (RFC 7517, section 5) from the service */
  constructor(
    private readonly clock: Clock,
    private readonly fetchKeys: () => Promise<unknown>,
  ) {}

  /** Verifies a signed message of the service (RFC 7519). @throws KeysUnavailable, JOSEError */
  async verify(message: string, options: JWTVerifyOptions): Promise<JWTVerifyResult> {
    const verifyOnce = () => jwtVerify(message, this.#find, { ...options, algorithms: ASYMMETRIC_SIGNATURES });
    try {
      return await verifyOnce();
    } catch (error) {
      // After a restart, the service may use the id of an old key for a new one.
      if (!(error instanceof errors.JWSSignatureVerificationFailed) || !this.#mayReadAgain()) throw error;
      await this.#read();
      return verifyOnce();
    }
  }

  readonly #find = async (header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> => {
    const freshKeys = this.#cachedKeys && this.#age(this.#cachedKeys.readAt) < MAX_AGE_MS ? this.#cachedKeys : undefined;
    const find = freshKeys?.find ?? (await this.#read());
    try {
      return await find(header, token);
    } catch (error) {
      const mayBeNew = error instanceof errors.JWKSNoMatchingKey && freshKeys && this.#age(freshKeys.readAt) >= MIN_INTERVAL_MS;
      if (!mayBeNew) throw error;
      return (await this.#read())(header, token);
    }
  };

  #mayReadAgain(): boolean {
    return this.#cachedKeys !== undefined && this.#age(this.#cachedKeys.readAt) >= MIN_INTERVAL_MS;
  }

  #age(time: number): number {
    return this.clock.now().getTime() - time;
  }

  /** Fetches the keys. Concurrent calls share one request. */
  async #read(): Promise<FindKey> {
    if (this.#age(this.#failedAt) < FAILURE_PAUSE_MS) throw new KeysUnavailable('its keys could not be read a moment ago');
    this.#pendingRead ??= this.#readNow().finally(() => (this.#pendingRead = undefined));
    return this.#pendingRead;
  }

  async #readNow(): Promise<FindKey> {
    try {
      const find = createLocalJWKSet((await this.fetchKeys()) as JSONWebKeySet);
      this.#cachedKeys = { find, readAt: this.clock.now().getTime() };
      return find;
    } catch (error) {
      this.#failedAt = this.clock.now().getTime();
      throw new KeysUnavailable(`its keys cannot be read (${error instanceof Error ? error.message : 'unknown reason'})`);
    }
  }
}
