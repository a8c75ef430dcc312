/**
 * The protocol of the registration service: signed tickets and answers, which are JWTs that pass through the browser. This module has no
 * access to accounts or sign-ins. Registration is off without its settings (REG-1).
 */
import { Inject, Injectable } from '@nestjs/common';
import {
  decodeJwt,
  errors,
  jwtVerify,
  SignJWT,
  type JWK,
  type JWTPayload,
  type JWTVerifyOptions,
  type JWTVerifyResult,
} from 'jose';
import { Clock } from '../../config/clock.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config, RegistrationService as ServiceSettings } from '../../config/config.js';
import { Keys, randomToken } from '../../config/keys.js';
import { KeysUnavailable, PublishedKeys } from '../../config/published-keys.js';
import { SIGNING_ALGORITHM, deriveSigningKeys, type SigningKey } from '../../config/signing-keys.js';
import type { Locale } from '../../contract/locale.js';
import { PATHS } from '../../contract/paths.js';
import { Telemetry } from '../../telemetry/telemetry.js';
import { readAnswer, type RegistrationAnswer } from './registration-answer.js';
import { AnswerRefused, RegistrationUnavailable } from './registration.errors.js';
import { readServiceKeys } from './service-keys.js';

/** Content of the ticket. */
export interface TicketContent {
  handle: string;
  client: { id: string; name: string };
  locale: Locale;
  hints: Readonly<Record<string, string>>;
  /** Why the previous answer was refused. */
  refused?: { code: string; field: string; pointer?: string };
}

export const TICKET_TYPE = 'foyer-registration-ticket+jwt';
export const ANSWER_TYPE = 'foyer-registration-answer+jwt';
const TICKET_SECONDS = 600;
const ANSWER_SECONDS = 600;
const CLOCK_SKEW_SECONDS = 30;
const KEYS_TIMEOUT_MS = 3000;
/** An answer of this length fits into an address that servers and proxies accept. */
const MAX_ANSWER_LENGTH = 6000;

type AnswerCheck = (answer: string, options: JWTVerifyOptions) => Promise<JWTVerifyResult>;

@Injectable()
export class RegistrationService {
  /** How long the request for the keys of the service may take. */
  keysTimeoutMs = KEYS_TIMEOUT_MS;
  readonly #settings: ServiceSettings | undefined;
  readonly #publicUrl: string;
  readonly #checkAnswer: AnswerCheck;
  #ticketKeys: Promise<SigningKey[]> | undefined;

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'publicUrl' | 'registration'>,
    private readonly keys: Keys,
    private readonly clock: Clock,
    telemetry: Telemetry,
  ) {
    this.#settings = config.registration.service;
    this.#publicUrl = config.publicUrl;
    const proof = this.#settings?.proof;
    const readKeys = (url: string) => readServiceKeys({ url, timeoutMs: this.keysTimeoutMs }, telemetry);
    this.#checkAnswer =
      proof?.kind === 'secret' ? buildSecretCheck(proof.secret) : buildKeyCheck(clock, () => readKeys(proof?.url ?? ''));
  }

  get isConfigured(): boolean {
    return this.#settings !== undefined;
  }

  /** Public keys for verifying tickets (RFC 7517, section 5). */
  async listPublicKeys(): Promise<{ keys: JWK[] }> {
    return { keys: (await this.#getKeys()).map(({ publicJwk }) => publicJwk) };
  }

  /** @returns the address to redirect to, ticket included */
  async buildTicketUrl({ handle, client, locale, hints, refused }: TicketContent): Promise<string> {
    const { url, issuer } = this.#requireSettings();
    const [key] = await this.#getKeys();
    if (!key) throw new Error('There is no signing key.');
    const now = this.#nowSeconds();
    const claims = {
      txn: handle,
      return_url: this.#publicUrl + PATHS.registerCallback,
      client_id: client.id,
      client_name: client.name,
      locale,
      hints,
      ...(refused ? { refused } : {}),
    };
    const ticket = await new SignJWT(claims)
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TICKET_TYPE, kid: key.kid })
      .setIssuer(this.#publicUrl)
      .setAudience(issuer)
      .setIssuedAt(now)
      .setExpirationTime(now + TICKET_SECONDS)
      .setJti(randomToken(16))
      .sign(key.privateKey);
    const target = new URL(url);
    target.searchParams.set('ticket', ticket);
    return target.href;
  }

  /**
   * Reads the handle of the ticket from an answer before the answer is verified.
   * @returns null if the value cannot be an answer, or if no service is configured
   */
  readUnverifiedAnswer(answer: unknown): { answer: string; handle: string } | null {
    if (!this.isConfigured || typeof answer !== 'string' || answer.length > MAX_ANSWER_LENGTH) return null;
    try {
      const { txn } = decodeJwt(answer);
      return typeof txn === 'string' ? { answer, handle: txn } : null;
    } catch {
      return null;
    }
  }

  /** @throws AnswerRefused, RegistrationUnavailable */
  async verify(answer: string): Promise<RegistrationAnswer> {
    return readAnswer(await this.#verifyPayload(answer));
  }

  async #verifyPayload(answer: string): Promise<JWTPayload> {
    const { issuer } = this.#requireSettings();
    const options: JWTVerifyOptions = {
      issuer,
      audience: this.#publicUrl,
      typ: ANSWER_TYPE,
      currentDate: this.clock.now(),
      clockTolerance: CLOCK_SKEW_SECONDS,
      maxTokenAge: ANSWER_SECONDS,
      requiredClaims: ['exp'],
    };
    try {
      return (await this.#checkAnswer(answer, options)).payload;
    } catch (error) {
      if (error instanceof KeysUnavailable) throw new RegistrationUnavailable(error.message);
      if (error instanceof errors.JOSEError) throw new AnswerRefused(`${error.code}: ${error.message}`);
      throw error;
    }
  }

  #requireSettings(): ServiceSettings {
    if (!this.#settings) throw new Error('No registration service is configured.');
    return this.#settings;
  }

  #getKeys(): Promise<SigningKey[]> {
    return (this.#ticketKeys ??= deriveSigningKeys(this.keys, 'registration-ticket'));
  }

  #nowSeconds(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}

function buildSecretCheck(text: string): AnswerCheck {
  const secret = Buffer.from(text);
  return (answer, options) => jwtVerify(answer, secret, { ...options, algorithms: ['HS256'] });
}

function buildKeyCheck(clock: Clock, read: () => Promise<unknown>): AnswerCheck {
  const keys = new PublishedKeys(clock, read);
  return (answer, options) => keys.verify(answer, options);
}
