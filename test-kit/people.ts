/** People for tests: accounts at Foyer with their credentials. */
import { randomBytes } from 'node:crypto';
import type { Locale } from '../src/contract/locale.js';
import { Authenticator, type Time } from './authenticator.js';
import type { OperatorApi } from './operator-api.js';
import { SyntheticKey } from './synthetic-key.js';

export interface PersonOptions {
  username: string;
  /** Default: a random password. */
  password?: string;
  /** The e-mail address, which is marked as verified. */
  email?: string;
  displayName?: string;
  language?: Locale;
  groupName?: string;
  /** The factor to set up: an authenticator app, or a security key. */
  secondFactor?: 'totp' | 'fido2';
}

export interface Person {
  /** The `sub` that apps receive. */
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
  /** Signs the person in once; the security key is set up during this sign-in. */
  enrol: (person: Person) => Promise<void>;
}

export class People {
  constructor(private readonly parts: PeopleParts) {}

  /**
   * @throws KitError if Foyer refuses the account (for example because the name is taken, or because the password breaks the rules) or the
   * sign-in that sets up a security key
   */
  async create(options: PersonOptions): Promise<Person> {
    const { username, email, displayName = username, language, groupName, ...credentials } = options;
    const { operator, time, foyerUrl, enrol } = this.parts;
    const password = credentials.password ?? `Kit-1${randomBytes(12).toString('base64url')}`;
    const totp = credentials.secondFactor === 'totp' ? Authenticator.createRandom(time) : null;
    const id = await operator.createAccount({
      username,
      password,
      display_name: displayName,
      ...(email === undefined ? {} : { email, email_verified: true }),
      ...(language === undefined ? {} : { language }),
      ...(groupName === undefined ? {} : { group_name: groupName }),
      ...(totp ? { totp_secret: totp.seed } : {}),
      ...(credentials.secondFactor === 'fido2' ? { second_factor: 'required' } : {}),
    });
    const person = { id, username, password, ...(email === undefined ? {} : { email }), ...(totp ? { totp } : {}) };
    if (credentials.secondFactor !== 'fido2') return person;
    const { origin, hostname } = new URL(foyerUrl);
    const holder = { ...person, securityKey: new SyntheticKey({ origin, rpId: hostname, counter: 1 }) };
    await enrol(holder);
    return holder;
  }
}
