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
  override domains: readonly string[] = [];
  /** The calls, in the order in which they were made. */
  readonly calls: ('find' | 'verify' | 'describe' | 'verify-dummy')[] = [];

  constructor(
    readonly id: string,
    readonly passwordUrl?: string,
    readonly name = id,
  ) {
    super();
  }

  async find(key: PersonKey): Promise<FoundPerson | null> {
    this.#recordCall('find');
    const isSame = (person: FakePerson): boolean =>
      'subject' in key ? person.subject === key.subject : [person.username, person.email].includes(key.identifier.toLowerCase());
    const [person, ...otherPeople] = this.people.filter(isSame);
    if (otherPeople.length > 0) throw new SeveralPeople(this.id);
    return person ? { subject: person.subject } : null;
  }

  async verify(foundPerson: FoundPerson, password: string): Promise<SourceVerdict> {
    this.#recordCall('verify');
    const person = this.#findPerson(foundPerson);
    if (person?.password !== password) return { kind: 'refused', reason: 'wrong password' };
    const { verdict = { kind: 'proven' as const } } = person;
    const isDescribed = verdict.kind === 'proven' || (verdict.kind === 'password-change' && this.migrates);
    return isDescribed ? { ...verdict, person: toSourcePerson(person) } : verdict;
  }

  async describe(foundPerson: FoundPerson): Promise<SourcePerson> {
    this.#recordCall('describe');
    const person = this.#findPerson(foundPerson);
    if (!person) throw new SourceUnavailable(this.id, 'no person has the subject');
    return toSourcePerson(person);
  }

  async verifyDummy(): Promise<void> {
    this.#recordCall('verify-dummy');
  }

  async inspect(limit: number): Promise<SourceInspection> {
    const usernames = this.people.map(({ username }) => username).slice(0, limit);
    const server = { address: this.id, encryption: 'TLS', ...(this.isDown ? { fault: 'it is down' } : {}) };
    return { servers: [server], search: { people: this.people.length, isComplete: true }, usernames };
  }

  async close(): Promise<void> {}

  #findPerson({ subject }: FoundPerson): FakePerson | undefined {
    return this.people.find((person) => person.subject === subject);
  }

  #recordCall(call: (typeof this.calls)[number]): void {
    this.calls.push(call);
    if (this.isDown) throw new SourceUnavailable(this.id, 'it is down');
  }
}

function toSourcePerson({ password: _, verdict: __, ...person }: FakePerson): SourcePerson {
  return { ...person, names: [person.username, ...(person.email === undefined ? [] : [person.email])] };
}
