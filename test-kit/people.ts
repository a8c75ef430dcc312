/** People for tests: accounts at Foyer, with what they sign in with in the test's hands. */
import { randomBytes } from 'node:crypto';
import type { Locale } from '../src/contract/locale.js';
import { Authenticator } from './authenticator.js';
import type { Time } from './authenticator.js';
import type { OperatorApi } from './operator-api.js';
import { SyntheticKey } from './synthetic-key.js';

export interface PersonOptions {
  username: string;
  /** Drawn when left out. */
  password?: string;
  /** Counts as proven. */
  email?: string;
  displayName?: string;
  language?: Locale;
  groupName?: string;
  /** What is set up: an authenticator app, or a security key. */
  secondFactor?: 'totp' | 'fido2';
}

export interface Person {
  /** What apps see as `sub`. */
  id: string;
  username: string;
  password: string;
  email?: string;
  totp?: Authenticator;
  securityKey?: SyntheticKey;
}

interface PeopleParts {
  operator: OperatorApi;
  time: Time;
  foyerUrl: string;
  /** Signs a person in once, which sets the key up on the way. */
  enrol: (person: Person) => Promise<void>;
}

export class People {
  constructor(private readonly parts: PeopleParts) {}

  /** @throws KitError when the name is taken or the password does not follow the rules */
  async create({ username, email, displayName = username, language, groupName, ...given }: PersonOptions): Promise<Person> {
    const { operator, time, foyerUrl, enrol } = this.parts;
    const password = given.password ?? `Kit-1${randomBytes(12).toString('base64url')}`;
    const totp = given.secondFactor === 'totp' ? Authenticator.draw(time) : null;
    const id = await operator.createAccount({
      username,
      password,
      display_name: displayName,
      ...(email === undefined ? {} : { email, email_verified: true }),
      ...(language === undefined ? {} : { language }),
      ...(groupName === undefined ? {} : { group_name: groupName }),
      ...(totp ? { totp_secret: totp.seed } : {}),
      ...(given.secondFactor === 'fido2' ? { second_factor: 'required' } : {}),
    });
    const person = { id, username, password, ...(email === undefined ? {} : { email }), ...(totp ? { totp } : {}) };
    if (given.secondFactor !== 'fido2') return person;
    const { origin, hostname } = new URL(foyerUrl);
    const holder = { ...person, securityKey: new SyntheticKey({ origin, rpId: hostname, counter: 1 }) };
    await enrol(holder);
    return holder;
  }
}
