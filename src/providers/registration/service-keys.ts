/**
 * Public keys of the registration service, cached. An unknown key causes another fetch, with a minimum interval, so
 * that keys can be rotated and nobody can cause a flood of requests.
 */
import { createLocalJWKSet, errors } from 'jose';
import type { CryptoKey, FlattenedJWSInput, JSONWebKeySet, JWSHeaderParameters } from 'jose';
import type { Clock } from '../../config/clock.js';
import { TELEMETRY_OFF } from '../../telemetry/telemetry.js';
import { measuredCall } from '../../telemetry/measured-call.js';
import { RegistrationUnavailable } from './registration.errors.js';

type FindKey = ReturnType<typeof createLocalJWKSet>;

const TIMEOUT_MS = 3000;
const FRESH_MS = 10 * 60_000;
const COOL_DOWN_MS = 30_000;
/** After a failure, requests fail at once for this time. */
const FAILED_MS = 2000;
const MOST_BYTES = 100_000;

export class ServiceKeys {
  #known: { find: FindKey; readAt: number } | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<FindKey> | undefined;

  constructor(
    private readonly url: string,
    private readonly clock: Clock,
    private readonly telemetry = TELEMETRY_OFF,
  ) {}

  /** @throws RegistrationUnavailable; JOSEError if no key matches */
  readonly find = async (header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> => {
    const known = this.#known && this.#age(this.#known.readAt) < FRESH_MS ? this.#known : undefined;
    const find = known?.find ?? (await this.#read());
    try {
      return await find(header, token);
    } catch (error) {
      const isNew = error instanceof errors.JWKSNoMatchingKey && known && this.#age(known.readAt) >= COOL_DOWN_MS;
      if (!isNew) throw error;
      return (await this.#read())(header, token);
    }
  };

  #age(at: number): number {
    return this.clock.now().getTime() - at;
  }

  #fetch(): Promise<unknown> {
    const endOf = (outcome: unknown) => (outcome instanceof Error ? { error: outcome.name } : { status: 200 });
    const plan = { peer: 'registration', method: 'GET', url: new URL(this.url) } as const;
    return measuredCall({ telemetry: this.telemetry, endOf }, plan, () => fetchJson(this.url));
  }

  /** Concurrent requests share one fetch. */
  async #read(): Promise<FindKey> {
    if (this.#age(this.#failedAt) < FAILED_MS) throw new RegistrationUnavailable('its keys could not be read a moment ago');
    this.#reading ??= this.#readNow().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readNow(): Promise<FindKey> {
    try {
      const find = createLocalJWKSet((await this.#fetch()) as JSONWebKeySet);
      this.#known = { find, readAt: this.clock.now().getTime() };
      return find;
    } catch (error) {
      this.#failedAt = this.clock.now().getTime();
      throw new RegistrationUnavailable(`its keys cannot be read (${error instanceof Error ? error.message : 'unknown reason'})`);
    }
  }
}

async function fetchJson(url: string): Promise<unknown> {
  const answer = await fetch(url, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MOST_BYTES) throw new Error('more than anybody needs');
  }
  return JSON.parse(text);
}
