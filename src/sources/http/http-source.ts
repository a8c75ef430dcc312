/** A user source over HTTP: a service of the operator, which answers two signed calls (docs/people.md). */
import type { JWTPayload } from 'jose';
import type { Logger } from 'pino';
import type { Clock } from '../../config/clock.js';
import { randomToken, type Keys } from '../../config/keys.js';
import { KeysUnavailable } from '../../config/published-keys.js';
import type { HttpSettings } from '../../config/source-settings.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import { Slots, SlotsFull } from '../slots.js';
import { SourceUnavailable } from '../source.errors.js';
import { UserSource, type PersonKey, type SourceInspection, type SourcePerson, type SourceVerdict } from '../user-source.port.js';
import { HttpCalls, NoAnswer, type HttpAnswer } from './http-calls.js';
import { readPerson, type FoundHttpPerson } from './http-person.js';
import { AnswerRefused, CLOCK_SKEW_SECONDS, SourceMessages, describeSkew, type QuestionContent } from './source-messages.js';

export interface HttpSourceParts {
  clock: Clock;
  log: Logger;
  keys: Keys;
  publicUrl: string;
  telemetry?: Telemetry | undefined;
}

const MESSAGE_TYPE = 'application/jwt';
const KEY_SET_TYPE = 'application/jwk-set+json';
const KEY_SET_TYPES: readonly string[] = [KEY_SET_TYPE, 'application/json'];
const MAX_IDENTIFIER_LENGTH = 256;
/**
 * Limits of the dummy checks, which are made for unknown names: fewer than the connections, so that an attacker who tries many unknown
 * names cannot keep out people with the correct password.
 */
const DUMMY_SLOTS = { maxRunning: 32, maxWaiting: 1024 };

const VERDICTS: Readonly<Record<string, Exclude<SourceVerdict, { kind: 'proven' }>>> = {
  wrong: { kind: 'refused', reason: 'wrong password' },
  locked: { kind: 'refused', reason: 'the account is locked' },
  disabled: { kind: 'not-allowed', reason: 'the account is disabled' },
  must_change: { kind: 'password-change', reason: 'the password has to be changed' },
};

export class HttpSource extends UserSource {
  readonly id: string;
  readonly name: string;
  readonly passwordUrl: string | undefined;
  override readonly canMigrate = true;
  override readonly migrates: boolean;
  override readonly domains: readonly string[];
  readonly #calls: HttpCalls;
  readonly #messages: SourceMessages;
  readonly #dummySlots = new Slots(DUMMY_SLOTS);

  constructor(
    private readonly settings: HttpSettings,
    private readonly parts: HttpSourceParts,
  ) {
    super();
    this.id = settings.id;
    this.name = settings.name ?? settings.id;
    this.passwordUrl = settings.passwordUrl;
    this.migrates = settings.migrate;
    this.domains = settings.domains ?? [];
    this.#calls = new HttpCalls(settings, parts.clock, parts.telemetry);
    this.#messages = new SourceMessages(settings, { ...parts, fetchKeys: () => this.#fetchKeys() });
  }

  async find(key: PersonKey): Promise<FoundHttpPerson | null> {
    const identifier = 'identifier' in key ? key.identifier.trim() : null;
    const lookupValue = 'identifier' in key ? key.identifier.trim() : key.subject;
    if (lookupValue === '' || lookupValue.length > MAX_IDENTIFIER_LENGTH || /\p{Cc}/u.test(lookupValue)) return null;
    const content = identifier === null ? { sub: lookupValue } : { identifier };
    const answer = await this.#ask({ call: 'lookup', ...content });
    if (answer['result'] === 'nobody') return null;
    if (answer['result'] !== 'found') throw this.#buildUnavailable('the result of lookup is not as documented');
    const foundPerson = await this.#translateErrors(() => readPerson(answer['person'], this.settings, identifier));
    if (foundPerson && identifier === null && foundPerson.subject !== lookupValue)
      throw this.#buildUnavailable('it answers for another person');
    return foundPerson;
  }

  async verify(foundPerson: FoundHttpPerson, password: string): Promise<SourceVerdict> {
    if (password === '') throw new RangeError('An empty password must not be sent to a user source.');
    const answer = await this.#ask({ call: 'verify', sub: foundPerson.subject, password });
    if (answer.sub !== foundPerson.subject) throw this.#buildUnavailable('it answers for another person');
    const verdict = answer['result'] === 'proven' ? ({ kind: 'proven' } as const) : this.#toVerdict(answer);
    const isChangedHere = verdict.kind === 'password-change' && this.migrates;
    if (verdict.kind !== 'proven' && !isChangedHere) return verdict;
    if (!foundPerson.person.isActive) return { kind: 'not-allowed', reason: 'the account is closed' };
    return { ...verdict, person: await this.describe(foundPerson) };
  }

  async describe({ person, isCut }: FoundHttpPerson): Promise<SourcePerson> {
    if (isCut)
      this.parts.log.warn(
        { source: this.id },
        'a person has more groups in a user source than Foyer stores: the rest is left out',
      );
    return person;
  }

  /** Sends no `sub`; the service then computes a hash as it does for a known person. */
  async verifyDummy(): Promise<void> {
    const answer = await this.#translateErrors(() =>
      this.#dummySlots.run(() => this.#ask({ call: 'verify', password: randomToken(16) })),
    );
    if (answer['result'] !== 'wrong') throw this.#buildUnavailable('the result of verify without sub is not "wrong"');
  }

  /**
   * Looks up a random id and checks a random password. This shows whether each side accepts the signatures of the other, and reveals a
   * service that accepts everything.
   */
  async inspect(): Promise<SourceInspection> {
    const { url } = this.settings;
    const server = { address: url, encryption: url.startsWith('https:') ? 'TLS' : 'none' };
    try {
      const foundPerson = await this.find({ subject: `nobody-${randomToken(16)}` });
      if (foundPerson) throw this.#buildUnavailable('it found a person for a random sub');
      await this.verifyDummy();
      return { servers: [server], search: 'not-listed', usernames: [] };
    } catch (error) {
      const fault = error instanceof SourceUnavailable ? error.reason : 'an unexpected error';
      return { servers: [{ ...server, fault }], usernames: [] };
    }
  }

  async close(): Promise<void> {
    this.#calls.close();
  }

  #toVerdict(answer: JWTPayload): Exclude<SourceVerdict, { kind: 'proven' }> {
    const { result } = answer;
    const verdict = typeof result === 'string' && Object.hasOwn(VERDICTS, result) ? VERDICTS[result] : undefined;
    if (!verdict) throw this.#buildUnavailable('the result of verify is not as documented');
    return verdict;
  }

  async #ask(content: QuestionContent): Promise<JWTPayload> {
    return this.#translateErrors(async () => {
      let question = { token: '', id: '' };
      const answer = await this.#calls.post(`${this.settings.url}/${content.call}`, MESSAGE_TYPE, async () => {
        question = await this.#messages.sign(content);
        return question.token;
      });
      return this.#messages.verify(toBody(answer, [MESSAGE_TYPE]), question);
    });
  }

  async #fetchKeys(): Promise<unknown> {
    const { proof } = this.settings;
    if (proof.kind === 'secret') throw new Error('This source has a shared secret and no key set.');
    const text = toBody(await this.#calls.get(proof.url, KEY_SET_TYPE), KEY_SET_TYPES);
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // The parser's message contains a part of the text.
      throw new AnswerRefused('not JSON');
    }
  }

  async #translateErrors<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SlotsFull) throw this.#buildUnavailable('too many requests at once');
      const isKnown = error instanceof NoAnswer || error instanceof AnswerRefused || error instanceof KeysUnavailable;
      throw isKnown ? this.#buildUnavailable(error.message) : error;
    }
  }

  #buildUnavailable(reason: string): SourceUnavailable {
    return new SourceUnavailable(this.id, reason);
  }
}

/** @throws AnswerRefused */
function toBody({ status, type, body, aheadSeconds }: HttpAnswer, types: readonly string[]): string {
  if (status !== 200) {
    const isSkewed = aheadSeconds !== null && Math.abs(aheadSeconds) > CLOCK_SKEW_SECONDS;
    const problem = status === 401 ? 'it refuses the request' : 'it fails';
    throw new AnswerRefused(`${problem} (HTTP ${status})${isSkewed ? `: ${describeSkew(aheadSeconds)}` : ''}`);
  }
  if (body === null) throw new AnswerRefused('its answer is too large');
  if (!types.includes(type)) throw new AnswerRefused(`the content type of its answer is not ${types.join(' or ')}`);
  return body;
}
