/**
 * All sources in the order of `USER_SOURCES`, and how they are asked for a name and a password. Every check that fails asks
 * every source for the name and lets it do the work of one password, whoever knows the name: neither the answer nor the time
 * it takes says where a name is known.
 */
import type { Logger } from 'pino';
import { TELEMETRY_OFF, type Telemetry } from '../telemetry/telemetry.js';
import { SeveralPeople, SourceUnavailable } from './source.errors.js';
import type { FoundPerson, PersonKey, SourcePerson, SourceVerdict, UserSource } from './user-source.port.js';

export interface SourceCheck {
  /** Typed. */
  identifier: string;
  /** Null: nobody's password is checked, and the sources have the same work. */
  password: string | null;
  /** The source that the account of this name belongs to. If it knows the person, no other one has to be there. */
  own?: string | undefined;
  /** Its person is asked for there, where the name that was typed is only known here. */
  subject?: string | undefined;
}

export type CheckedBySources =
  | { kind: 'proven'; source: string; person: SourcePerson }
  /** No source knows the name. */
  | { kind: 'unknown' }
  | (Exclude<SourceVerdict, { kind: 'proven' }> & { source: string })
  /** A source that may know the name does not answer. */
  | { kind: 'unavailable'; source: string };

/** `find` of one source. */
type Finding = FoundPerson | null | SeveralPeople | SourceUnavailable;

export class UserSources {
  constructor(
    readonly list: readonly UserSource[],
    private readonly log: Logger,
    private readonly telemetry: Telemetry = TELEMETRY_OFF,
  ) {}

  get isEmpty(): boolean {
    return this.list.length === 0;
  }

  /** A person may sign in under another name than the username of the account. */
  get haveSeveralNames(): boolean {
    return this.list.some(({ hasSeveralNames }) => hasSeveralNames);
  }

  /** @returns undefined for a source that is no longer configured */
  find(id: string): UserSource | undefined {
    return this.list.find((source) => source.id === id);
  }

  async check({ identifier, password, own, subject }: SourceCheck): Promise<CheckedBySources> {
    const { list } = this;
    const keyFor = ({ id }: UserSource): PersonKey => (id === own && subject !== undefined ? { subject } : { identifier });
    const findings = list.map((source) => this.#found(source, keyFor(source)));
    // They are awaited one after the other: a fault of a later one would be unhandled until then, which ends the process.
    for (const finding of findings) finding.catch(() => undefined);
    const at = await firstAnswer(findings, findings[this.#toPosition(own)]);
    const source = at === undefined ? undefined : list[at];
    const found = at === undefined ? null : await findings[at];
    const asked = source && isPerson(found) && password !== null && canBeSent(password) ? { source, found, password } : null;
    const others = list.flatMap((one, index) => (one === asked?.source ? [] : [standIn(one, findings[index])]));
    const checked = asked ? await this.#verified(asked) : ({ kind: 'unknown' } as const);
    if (checked.kind === 'proven') return checked;
    await Promise.all(others);
    return source && isDown(found) ? { kind: 'unavailable', source: source.id } : checked;
  }

  /** The password of the person to whom an account belongs. */
  async verify({ source: id, subject }: { source: string; subject: string }, password: string): Promise<CheckedBySources> {
    const source = this.find(id);
    const found = source ? await this.#found(source, { subject }) : null;
    if (!source || isDown(found)) return { kind: 'unavailable', source: id };
    return isPerson(found) && canBeSent(password) ? this.#verified({ source, found, password }) : { kind: 'unknown' };
  }

  /** For somebody whose account belongs to the source. @throws SourceUnavailable */
  async describe(id: string, subject: string): Promise<SourcePerson | null> {
    const source = this.find(id);
    if (!source) throw new SourceUnavailable(id, 'USER_SOURCES does not name it');
    const found = await this.#found(source, { subject });
    if (isDown(found)) throw found;
    if (found instanceof SeveralPeople) throw new SourceUnavailable(id, 'more than one person has the same id');
    return found && source.describe(found);
  }

  /**
   * Whoever has the account of a name gets the passwords that are typed for it, so no later source may take the name.
   * @returns the first source before the given one that knows the name @throws SourceUnavailable if one of them cannot say
   */
  async knownBefore(id: string, identifier: string): Promise<string | null> {
    const position = this.#toPosition(id);
    for (const source of position === -1 ? this.list : this.list.slice(0, position)) {
      const found = await this.#found(source, { identifier });
      if (isDown(found)) throw found;
      if (found) return source.id;
    }
    return null;
  }

  /** @param own whoever may have the name @returns whether a source knows somebody else by it @throws SourceUnavailable if one cannot say */
  async isNameOfOthers(identifier: string, own?: { source: string; subject: string }): Promise<boolean> {
    for (const source of this.list) {
      const found = await this.#found(source, { identifier });
      if (isDown(found)) throw found;
      const isOwn = isPerson(found) && source.id === own?.source && found.subject === own.subject;
      if (found && !isOwn) return true;
    }
    return false;
  }

  /** @returns whether the source knows this person by the name, and nobody else @throws SourceUnavailable */
  async isNameOf({ source: id, subject }: { source: string; subject: string }, identifier: string): Promise<boolean> {
    const source = this.find(id);
    const found = source ? await this.#found(source, { identifier }) : null;
    if (isDown(found)) throw found;
    return isPerson(found) && found.subject === subject;
  }

  async close(): Promise<void> {
    await Promise.all(this.list.map((source) => source.close()));
  }

  #toPosition(id: string | undefined): number {
    return this.list.findIndex((source) => source.id === id);
  }

  async #verified({
    source,
    found,
    password,
  }: {
    source: UserSource;
    found: FoundPerson;
    password: string;
  }): Promise<CheckedBySources> {
    try {
      const verdict = await source.verify(found, password);
      this.telemetry.count('foyer.source.answers', { 'foyer.source': source.id, 'foyer.source.result': verdict.kind });
      if (verdict.kind !== 'proven') this.log.info({ source: source.id, reason: verdict.reason }, 'a source refused a sign-in');
      return { ...verdict, source: source.id };
    } catch (error) {
      this.#tell(source, error);
      return { kind: 'unavailable', source: source.id };
    }
  }

  async #found(source: UserSource, key: PersonKey): Promise<Finding> {
    try {
      const found = await source.find(key);
      // A directory may take two spellings for one id; the account is that of exactly this one.
      if (found && 'subject' in key && found.subject !== key.subject)
        throw new SourceUnavailable(source.id, 'it answers for another id');
      if (!found) this.telemetry.count('foyer.source.answers', { 'foyer.source': source.id, 'foyer.source.result': 'unknown' });
      return found;
    } catch (error) {
      if (!(error instanceof SeveralPeople)) return this.#tell(source, error);
      this.log.warn({ source: source.id }, 'a name belongs to more than one person in a source, so nobody is signed in by it');
      return error;
    }
  }

  /** A fault of this product is not told as one of the source. */
  #tell(source: UserSource, error: unknown): SourceUnavailable {
    if (!(error instanceof SourceUnavailable)) throw error;
    this.telemetry.count('foyer.source.answers', { 'foyer.source': source.id, 'foyer.source.result': 'unavailable' });
    this.log.warn({ source: source.id, reason: error.reason }, 'a user source does not answer');
    return error;
  }
}

/**
 * The first source, in their order, that knows the name or cannot say so; others may still be asked. An account that its own
 * source knows waits for no source that is down.
 */
async function firstAnswer(findings: readonly Promise<Finding>[], own?: Promise<Finding>): Promise<number | undefined> {
  const isKnown = isPerson(await own);
  for (const [index, finding] of findings.entries()) {
    const found = await finding;
    if (found !== null && !(isKnown && isDown(found))) return index;
  }
  return undefined;
}

/**
 * An empty password would be an unauthenticated bind, which succeeds for everybody (RFC 4513, section 5.1.2), and so would one
 * with a NUL for a server that reads texts up to it.
 */
function canBeSent(password: string): boolean {
  return password !== '' && !password.includes('\u0000');
}

/** Never throws: whoever waits for it learns nothing. */
async function standIn(source: UserSource, finding: Promise<Finding> | undefined): Promise<void> {
  try {
    if (!isDown(await finding)) await source.standIn();
  } catch {
    // The same fault comes with the finding.
  }
}

function isPerson(finding: Finding | undefined): finding is FoundPerson {
  return !!finding && !(finding instanceof Error);
}

function isDown(finding: Finding | undefined): finding is SourceUnavailable {
  return finding instanceof SourceUnavailable;
}
