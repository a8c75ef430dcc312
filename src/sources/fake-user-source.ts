/** A user source in memory, for tests. */
import { SeveralPeople, SourceUnavailable } from './source.errors.js';
import {
  UserSource,
  type FoundPerson,
  type PersonKey,
  type SourceInspection,
  type SourcePerson,
  type SourceVerdict,
} from './user-source.port.js';

export interface FakePerson extends SourcePerson {
  password: string;
  /** The verdict on the correct password, if the verdict is not `proven`. */
  verdict?: Exclude<SourceVerdict, { kind: 'proven' }>;
}

export class FakeUserSource extends UserSource {
  people: FakePerson[] = [];
  isDown = false;
  override canMigrate = true;
  override migrates = false;
  /** The calls, in the order in which they were made. */
  readonly calls: ('find' | 'verify' | 'describe' | 'stand-in')[] = [];

  constructor(
    readonly id: string,
    readonly passwordUrl?: string,
    readonly name = id,
  ) {
    super();
  }

  async find(key: PersonKey): Promise<FoundPerson | null> {
    this.#ask('find');
    const isSame = (person: FakePerson): boolean =>
      'subject' in key ? person.subject === key.subject : [person.username, person.email].includes(key.identifier.toLowerCase());
    const [found, ...others] = this.people.filter(isSame);
    if (others.length > 0) throw new SeveralPeople(this.id);
    return found ? { subject: found.subject } : null;
  }

  async verify(found: FoundPerson, password: string): Promise<SourceVerdict> {
    this.#ask('verify');
    const person = this.#findPerson(found);
    if (person?.password !== password) return { kind: 'refused', reason: 'wrong password' };
    return person.verdict ?? { kind: 'proven', person: toSourcePerson(person) };
  }

  async describe(found: FoundPerson): Promise<SourcePerson> {
    this.#ask('describe');
    const person = this.#findPerson(found);
    if (!person) throw new SourceUnavailable(this.id, 'nobody');
    return toSourcePerson(person);
  }

  async standIn(): Promise<void> {
    this.#ask('stand-in');
  }

  async inspect(most: number): Promise<SourceInspection> {
    const usernames = this.people.map(({ username }) => username).slice(0, most);
    const server = { address: this.id, encryption: 'TLS', ...(this.isDown ? { fault: 'it is down' } : {}) };
    return { servers: [server], search: { people: this.people.length, isComplete: true }, usernames };
  }

  async close(): Promise<void> {}

  #findPerson({ subject }: FoundPerson): FakePerson | undefined {
    return this.people.find((person) => person.subject === subject);
  }

  #ask(call: (typeof this.calls)[number]): void {
    this.calls.push(call);
    if (this.isDown) throw new SourceUnavailable(this.id, 'it is down');
  }
}

function toSourcePerson({ password: _, verdict: __, ...person }: FakePerson): SourcePerson {
  return { ...person, names: [person.username, ...(person.email === undefined ? [] : [person.email])] };
}
