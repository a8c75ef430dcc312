/**
 * The signed messages between Foyer and the service of an HTTP source (docs/people.md): a question is a JWT with an id that is
 * used once, and its answer is a JWT that repeats the id. Nobody else can create a question, and no answer is valid for another
 * question.
 */
import { errors, jwtVerify, SignJWT, type JWTPayload, type JWTVerifyOptions, type JWTVerifyResult } from 'jose';
import type { Clock } from '../../config/clock.js';
import { randomToken, type Keys } from '../../config/keys.js';
import { PublishedKeys } from '../../config/published-keys.js';
import { SIGNING_ALGORITHM, deriveSigningKeys, type SigningKey } from '../../config/signing-keys.js';
import type { HttpSettings } from '../../config/source-settings.js';

/** `lookup` has either `identifier` or `sub`; `verify` has `password`, and `sub` except in a dummy check. */
export interface QuestionContent {
  call: 'lookup' | 'verify';
  identifier?: string;
  sub?: string;
  password?: string;
}

export interface Question {
  token: string;
  id: string;
}

/** The answer proves nothing. The message is for the log and contains no text of the answer. */
export class AnswerRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AnswerRefused';
  }
}

const QUESTION_TYPE = 'foyer-source-question+jwt';
const ANSWER_TYPE = 'foyer-source-answer+jwt';
const QUESTION_SECONDS = 60;
const ANSWER_SECONDS = 60;
export const CLOCK_SKEW_SECONDS = 30;

type AnswerCheck = (answer: string, options: JWTVerifyOptions) => Promise<JWTVerifyResult>;

export interface MessageParts {
  keys: Keys;
  /** This installation: issuer of the questions, audience of the answers. */
  publicUrl: string;
  clock: Clock;
  /** Fetches the key set of the service, if it publishes one. */
  fetchKeys: () => Promise<unknown>;
}

export class SourceMessages {
  readonly #checkAnswer: AnswerCheck;
  #keys: Promise<SigningKey[]> | undefined;

  constructor(
    private readonly settings: Pick<HttpSettings, 'issuer' | 'proof'>,
    private readonly parts: MessageParts,
  ) {
    this.#checkAnswer = buildAnswerCheck(settings.proof, parts);
  }

  async sign(content: QuestionContent): Promise<Question> {
    const { keys, publicUrl, clock } = this.parts;
    const [key] = await (this.#keys ??= deriveSigningKeys(keys, 'source-question'));
    if (!key) throw new Error('There is no signing key.');
    const id = randomToken(16);
    const now = Math.floor(clock.now().getTime() / 1000);
    const token = await new SignJWT({ ...content })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: QUESTION_TYPE, kid: key.kid })
      .setIssuer(publicUrl)
      .setAudience(this.settings.issuer)
      .setIssuedAt(now)
      .setExpirationTime(now + QUESTION_SECONDS)
      .setJti(id)
      .sign(key.privateKey);
    return { token, id };
  }

  /** @returns the claims of the answer to this question. @throws AnswerRefused, KeysUnavailable */
  async verify(answer: string, { id }: Question): Promise<JWTPayload> {
    const { publicUrl, clock } = this.parts;
    const options: JWTVerifyOptions = {
      issuer: this.settings.issuer,
      audience: publicUrl,
      typ: ANSWER_TYPE,
      currentDate: clock.now(),
      clockTolerance: CLOCK_SKEW_SECONDS,
      maxTokenAge: ANSWER_SECONDS,
      requiredClaims: ['exp', 'nonce'],
    };
    try {
      const { payload } = await this.#checkAnswer(answer, options);
      if (payload['nonce'] !== id) throw new AnswerRefused('it answers another question');
      return payload;
    } catch (error) {
      throw error instanceof errors.JOSEError ? new AnswerRefused(this.#toReason(error)) : error;
    }
  }

  #toReason(error: errors.JOSEError): string {
    if (error instanceof errors.JWSSignatureVerificationFailed) return 'the signature of its answer is wrong';
    if (error instanceof errors.JWKSNoMatchingKey) return 'its answer is signed with a key that it does not publish';
    if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed) {
      const { claim, payload, reason } = error;
      const isAboutTime = reason === 'check_failed' && (claim === 'iat' || claim === 'exp' || claim === 'nbf');
      const aheadSeconds = (payload.iat ?? Number.NaN) - this.parts.clock.now().getTime() / 1000;
      if (isAboutTime && Math.abs(aheadSeconds) > CLOCK_SKEW_SECONDS)
        return `its answer is not valid at this time: ${describeSkew(aheadSeconds)}`;
      return `the member ${claim} of its answer is not as documented`;
    }
    return `its answer is not a JWT as documented (${error.code})`;
  }
}

/** @param aheadSeconds how far the clock of the service is ahead */
export function describeSkew(aheadSeconds: number): string {
  return `its clock is ${Math.abs(Math.round(aheadSeconds))} seconds ${aheadSeconds < 0 ? 'behind' : 'ahead'}`;
}

function buildAnswerCheck(proof: HttpSettings['proof'], { clock, fetchKeys }: MessageParts): AnswerCheck {
  if (proof.kind === 'secret') {
    const secret = Buffer.from(proof.secret);
    return (answer, options) => jwtVerify(answer, secret, { ...options, algorithms: ['HS256'] });
  }
  const keys = new PublishedKeys(clock, fetchKeys);
  return (answer, options) => keys.verify(answer, options);
}
