/** The people of one sequence of actions: those with an account, and those who have only an address yet. */
import type { Person } from './sign-in.facts.js';
import type { SignInModel } from './sign-in.model.js';
import type { RealPerson, SignInWorld } from './sign-in.world.js';

/** Somebody who had no account at first. */
export interface NewPerson {
  person: Person;
  address: string;
}

/** A new address, the one that was used last, or the one of the person with this index. */
export interface ChosenAddress {
  address: 'new' | 'again' | 'known';
  person: number;
}

export class People {
  readonly #newPeople: NewPerson[] = [];

  /** @param real the people of `model` who have an account, in the same order */
  constructor(
    private readonly world: SignInWorld,
    private readonly model: SignInModel,
    private readonly real: RealPerson[],
  ) {}

  /** @returns who has the address that is entered: somebody without an account, or a person */
  choose({ address, person: number }: ChosenAddress): NewPerson {
    const index = number % this.real.length;
    const [person, email] = [this.model.people[index], this.real[index]?.account.email];
    if (address === 'known' && person && email) return { person, address: email };
    const last = this.#newPeople.at(-1);
    if (address === 'again' && last) return last;
    const newPerson = {
      person: { ...toPerson(null, 0), hasPassword: true, hasAddress: true },
      address: this.world.createAddress(),
    };
    this.#newPeople.push(newPerson);
    return newPerson;
  }

  find(person: Person | undefined): NewPerson | null {
    return this.#newPeople.find((one) => one.person === person) ?? null;
  }

  /** @returns the person, who takes part from now on; null if no account was created, or it existed before */
  async addCreated({ person, address }: NewPerson, password: string): Promise<RealPerson | null> {
    if (this.model.people.includes(person)) return null;
    const found = await this.world.findByAddress(address);
    if (found === null) return null;
    const created = { ...found, password };
    Object.assign(person, { name: created.account.id, createdAt: (this.model.count += 1) });
    this.real.push(created);
    this.model.people.push(person);
    return created;
  }
}

/** @param person null for a person who is about to register and whose name is not known yet */
export function toPerson(person: RealPerson | null, createdAt: number): Person {
  return {
    name: person?.account.id ?? '',
    isActive: true,
    hasApp: person?.app !== null && person !== null,
    hasPasskey: person?.passkey !== null && person !== null,
    hasPassword: person !== null,
    hasAddress: person?.account.email !== undefined,
    needsPassword: false,
    acceptedTerms: new Set(),
    createdAt,
    endedAt: 0,
  };
}
