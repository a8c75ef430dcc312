/**
 * Checks names and passwords with all user sources, in the order of `USER_SOURCES`. A failed check has asked every source for the
 * name, and every source that answers has done the work of one password check, so that neither the answer nor its duration reveals
 * which source knows a name. An address of a domain of a source is the exception: that source alone is asked, whoever has the
 * address.
 */
import type { Logger } from 'pino';
import { findTypedDomain } from '../config/domains.js';
import { TELEMETRY_OFF, type Telemetry } from '../telemetry/telemetry.js';
import { SeveralPeople, SourceUnavailable } from './source.errors.js';
import type { FoundPerson, PersonKey, SourcePerson, SourceVerdict, UserSource } from './user-source.port.js';

export interface SourceCheck {
  /** The name that was typed. */
  identifier: string;
  /** If null, no password is checked, but the sources do the same work. */
  password: string | null;
  /** The source of the account with this name. If that source knows the person, other sources that do not answer are ignored. */
  ownSource?: string | undefined;
  /**
   * Id of the account's person at `ownSource`. That source is asked for the id, because it may not know the name that was typed.
   */
  subject?: string | undefined;
}

export type SourceCheckResult =
  | { kind: 'proven'; source: string; person: SourcePerson }
  /** No source knows the name, or no password was checked: none was given, it cannot be sent, or several people have the name. */
  | { kind: 'unknown' }
  | (Exclude<SourceVerdict, { kind: 'proven' }> & { source: string })
  /** The source does not answer, or is no longer configured. It may know the name. */
  | { kind: 'unavailable'; source: string };

/** The result of `find` at one source. */
type FindResult = FoundPerson | null | SeveralPeople | SourceUnavailable;

export class UserSources {
  constructor(
    readonly list: readonly UserSource[],
    private readonly log: Logger,
    private readonly telemetry: Telemetry = TELEMETRY_OFF,
  ) {}

  get isEmpty(): boolean {
    return this.list.length === 0;
  }

  /** Whether a person may sign in with a name that is not the username of the account. */
  get haveSeveralNames(): boolean {
    return this.list.some(({ hasSeveralNames }) => hasSeveralNames);
  }

  /** @returns undefined for a source that is no longer configured */
  find(id: string): UserSource | undefined {
    return this.list.find((source) => source.id === id);
  }

  /** Whether one source alone is asked for this name, because it has the domain of the address. */
  hasDomain(identifier: string): boolean {
    return this.#findByDomain(identifier) !== undefined;
  }

  async check({ identifier, password, ownSource, subject }: SourceCheck): Promise<SourceCheckResult> {
    const list = this.#listSources(identifier);
    const toKey = ({ id }: UserSource): PersonKey => (id === ownSource && subject !== undefined ? { subject } : { identifier });
    const results = list.map((source) => this.#find(source, toKey(source)));
    // The promises are awaited one after the other. Without a handler, an early rejection would end the process.
    for (const result of results) result.catch(() => undefined);
    const position = await findSourcePosition(results, results[list.findIndex(({ id }) => id === ownSource)]);
    const source = position === undefined ? undefined : list[position];
    const findResult = position === undefined ? null : await results[position];
    const attempt =
      source && isPerson(findResult) && password !== null && canBeSent(password) ? { source, findResult, password } : null;
    const dummyChecks = list.flatMap((one, index) => (one === attempt?.source ? [] : [verifyDummy(one, results[index])]));
    const verdict = attempt ? await this.#verify(attempt) : ({ kind: 'unknown' } as const);
    if (verdict.kind === 'proven') return verdict;
    await Promise.all(dummyChecks);
    return source && isDown(findResult) ? { kind: 'unavailable', source: source.id } : verdict;
  }

  /** Checks a password of the person to whom an account belongs. */
  async verify({ source: id, subject }: { source: string; subject: string }, password: string): Promise<SourceCheckResult> {
    const source = this.find(id);
    const findResult = source ? await this.#find(source, { subject }) : null;
    if (!source || isDown(findResult)) return { kind: 'unavailable', source: id };
    return isPerson(findResult) && canBeSent(password) ? this.#verify({ source, findResult, password }) : { kind: 'unknown' };
  }

  /**
   * Describes the person of an account that belongs to the source.
   * @returns null if the source does not know the person
   * @throws SourceUnavailable, also if the source is not configured or has several people with the id
   */
  async describe(id: string, subject: string): Promise<SourcePerson | null> {
    const source = this.find(id);
    if (!source) throw new SourceUnavailable(id, 'it is not in USER_SOURCES');
    const findResult = await this.#find(source, { subject });
    if (isDown(findResult)) throw findResult;
    if (findResult instanceof SeveralPeople) throw new SourceUnavailable(id, 'more than one person has the same id');
    return findResult && source.describe(findResult);
  }

  /**
   * Checks whether a name belongs to an earlier source. An earlier source receives the passwords that are typed for a name, so a
   * later source must not take the name. If the name is an address of a domain of a source, only that source counts, and it always
   * counts as earlier than other sources.
   * @param id a source; for the issuer of a provider, all sources count as earlier
   * @returns the first earlier source that knows the name; null if there is none
   * @throws SourceUnavailable if an earlier source does not answer
   */
  async findEarlierSource(id: string, identifier: string): Promise<string | null> {
    const sources = this.#listSources(identifier);
    const position = sources.findIndex((source) => source.id === id);
    for (const source of position === -1 ? sources : sources.slice(0, position)) {
      const findResult = await this.#find(source, { identifier });
      if (isDown(findResult)) throw findResult;
      if (findResult) return source.id;
    }
    return null;
  }

  /**
   * @param ownPerson the person who may have the name
   * @returns whether a source knows another person with the name
   * @throws SourceUnavailable if a source does not answer
   */
  async isNameTaken(identifier: string, ownPerson?: { source: string; subject: string }): Promise<boolean> {
    for (const source of this.list) {
      const findResult = await this.#find(source, { identifier });
      if (isDown(findResult)) throw findResult;
      const isOwn = isPerson(findResult) && source.id === ownPerson?.source && findResult.subject === ownPerson.subject;
      if (findResult && !isOwn) return true;
    }
    return false;
  }

  /** @returns whether this person, and no other, has the name at the source @throws SourceUnavailable */
  async hasName({ source: id, subject }: { source: string; subject: string }, identifier: string): Promise<boolean> {
    const source = this.find(id);
    const findResult = source ? await this.#find(source, { identifier }) : null;
    if (isDown(findResult)) throw findResult;
    return isPerson(findResult) && findResult.subject === subject;
  }

  async close(): Promise<void> {
    await Promise.all(this.list.map((source) => source.close()));
  }

  /** @returns the sources that are asked for a typed name: the one that has its domain, or all */
  #listSources(identifier: string): readonly UserSource[] {
    const owner = this.#findByDomain(identifier);
    return owner ? [owner] : this.list;
  }

  #findByDomain(identifier: string): UserSource | undefined {
    if (this.list.every(({ domains }) => domains.length === 0)) return undefined;
    const domain = findTypedDomain(identifier);
    return domain === null ? undefined : this.list.find(({ domains }) => domains.includes(domain));
  }

  async #verify({
    source,
    findResult,
    password,
  }: {
    source: UserSource;
    findResult: FoundPerson;
    password: string;
  }): Promise<SourceCheckResult> {
    try {
      const verdict = await source.verify(findResult, password);
      this.telemetry.count('foyer.source.answers', { 'foyer.source': source.id, 'foyer.source.result': verdict.kind });
      if (verdict.kind !== 'proven')
        this.log.info(
          { source: source.id, reason: verdict.reason },
          'a password check at a user source did not prove the person',
        );
      return { ...verdict, source: source.id };
    } catch (error) {
      this.#logUnavailable(source, error);
      return { kind: 'unavailable', source: source.id };
    }
  }

  async #find(source: UserSource, key: PersonKey): Promise<FindResult> {
    try {
      const findResult = await source.find(key);
      // A directory may accept two spellings of an id, but an account belongs to exactly one spelling.
      if (findResult && 'subject' in key && findResult.subject !== key.subject)
        throw new SourceUnavailable(source.id, 'it answers for another id');
      if (!findResult)
        this.telemetry.count('foyer.source.answers', { 'foyer.source': source.id, 'foyer.source.result': 'unknown' });
      return findResult;
    } catch (error) {
      if (!(error instanceof SeveralPeople)) return this.#logUnavailable(source, error);
      this.log.warn(
        { source: source.id },
        'a name or id belongs to more than one person in a user source: none of them can sign in with it',
      );
      return error;
    }
  }

  /** Logs that a source is unavailable. Rethrows other errors, which are defects in Foyer. */
  #logUnavailable(source: UserSource, error: unknown): SourceUnavailable {
    if (!(error instanceof SourceUnavailable)) throw error;
    this.telemetry.count('foyer.source.answers', { 'foyer.source': source.id, 'foyer.source.result': 'unavailable' });
    this.log.warn({ source: source.id, reason: error.reason }, 'a user source does not answer');
    return error;
  }
}

/**
 * Finds the first source that knows the name or does not answer; the requests to the other sources continue. If the account's own
 * source knows the person, sources that do not answer are skipped.
 * @returns the position of the source; undefined if there is none
 */
async function findSourcePosition(
  results: readonly Promise<FindResult>[],
  ownResult?: Promise<FindResult>,
): Promise<number | undefined> {
  const isKnown = isPerson(await ownResult);
  for (const [index, result] of results.entries()) {
    const findResult = await result;
    if (findResult !== null && !(isKnown && isDown(findResult))) return index;
  }
  return undefined;
}

/**
 * An empty password would be an unauthenticated bind, which succeeds for anyone (RFC 4513, section 5.1.2). A server that reads
 * texts up to the first NUL would treat a password that begins with NUL as empty.
 */
function canBeSent(password: string): boolean {
  return password !== '' && !password.includes('\u0000');
}

/** Never throws. */
async function verifyDummy(source: UserSource, result: Promise<FindResult> | undefined): Promise<void> {
  try {
    if (!isDown(await result)) await source.verifyDummy();
  } catch {
    // A dummy check that fails does not change the result of the check.
  }
}

function isPerson(result: FindResult | undefined): result is FoundPerson {
  return !!result && !(result instanceof Error);
}

function isDown(result: FindResult | undefined): result is SourceUnavailable {
  return result instanceof SourceUnavailable;
}
