/**
 * All sources in the order of `USER_SOURCES`, and how they are asked for a name and a password. Every check that fails asks
 * every source for the name and lets it do the work of one password, whoever knows the name: neither the answer nor the time
 * it takes says where a name is known.
 */
import type { Logger } from 'pino';
import { TELEMETRY_OFF } from '../telemetry/telemetry.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { SourceUnavailable } from './source.errors.js';
import type { FoundPerson, PersonKey, SourcePerson, SourceVerdict, UserSource } from './user-source.port.js';

export interface SourceCheck {
  /** Typed. */
  identifier: string;
  /** Null: nobody's password is checked, and the sources have the same work. */
  password: string | null;
  /** The source that the account of this name belongs to: asked first, and answered for without the others. */
  first?: string | undefined;
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
type Finding = FoundPerson | null | SourceUnavailable;

export class UserSources {
  constructor(
    readonly list: readonly UserSource[],
    private readonly log: Logger,
    private readonly telemetry: Telemetry = TELEMETRY_OFF,
  ) {}

  get isEmpty(): boolean {
    return this.list.length === 0;
  }

  /** @returns undefined for a source that is no longer configured */
  find(id: string): UserSource | undefined {
    return this.list.find((source) => source.id === id);
  }

  async check({ identifier, password, first, subject }: SourceCheck): Promise<CheckedBySources> {
    const order = this.list.toSorted((one, other) => Number(other.id === first) - Number(one.id === first));
    const keyFor = ({ id }: UserSource): PersonKey => (id === first && subject !== undefined ? { subject } : { identifier });
    const findings = order.map((source) => this.#found(source, keyFor(source)));
    const at = await firstAnswer(findings);
    const source = at === undefined ? undefined : order[at];
    const found = at === undefined ? null : await findings[at];
    const asked = source && found && !isDown(found) && password !== null && password !== '' ? { source, found, password } : null;
    const others = order.flatMap((one, index) => (one === asked?.source ? [] : [standIn(one, findings[index])]));
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
    return found && password !== '' ? this.#verified({ source, found, password }) : { kind: 'unknown' };
  }

  /** For somebody whose account belongs to the source. @throws SourceUnavailable */
  async describe(id: string, subject: string): Promise<SourcePerson | null> {
    const source = this.find(id);
    if (!source) throw new SourceUnavailable(id, 'USER_SOURCES does not name it');
    const found = await this.#found(source, { subject });
    if (isDown(found)) throw found;
    return found && source.describe(found);
  }

  async close(): Promise<void> {
    await Promise.all(this.list.map((source) => source.close()));
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
      if (!found) this.telemetry.count('foyer.source.answers', { 'foyer.source': source.id, 'foyer.source.result': 'unknown' });
      return found;
    } catch (error) {
      return this.#tell(source, error);
    }
  }

  /** A fault of this product is not told as one of the source. */
  #tell(source: UserSource, error: unknown): SourceUnavailable {
    if (!(error instanceof SourceUnavailable)) throw error;
    this.telemetry.count('foyer.source.answers', { 'foyer.source': source.id, 'foyer.source.result': 'unavailable' });
    this.log.warn({ source: source.id, reason: error.reason }, 'a source of people does not answer');
    return error;
  }
}

/** The first source, in their order, that knows the name or cannot say so; others may still be asked. */
async function firstAnswer(findings: readonly Promise<Finding>[]): Promise<number | undefined> {
  for (const [index, finding] of findings.entries()) {
    if ((await finding) !== null) return index;
  }
  return undefined;
}

/** Never throws: whoever waits for it learns nothing. */
async function standIn(source: UserSource, finding: Promise<Finding> | undefined): Promise<void> {
  try {
    if (!isDown(await finding)) await source.standIn();
  } catch {
    // The same fault comes with the finding.
  }
}

function isDown(finding: Finding | undefined): finding is SourceUnavailable {
  return finding instanceof SourceUnavailable;
}
