/**
 * Verifies a username and a password. An unknown name, a disabled account, an account without a password and a wrong
 * password run the same statements, hash and counting and get the same answer.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { fingerprint } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { TELEMETRY_OFF, Telemetry } from '../../telemetry/telemetry.js';
import { ACCOUNT_COLUMNS, toAccount } from '../account/account.js';
import type { Account, AccountFields } from '../account/account.js';
import { factorCounts } from '../account/factor-counts.js';
import type { FactorCounts } from '../account/factor-counts.js';
import { Attempts } from '../limits/attempts.js';
import type { Reservation } from '../limits/attempts.js';
import { FRESH_DEVICE } from '../sessions/known-devices.js';
import { HasherBusy, PasswordHasher } from './hasher.js';
import { PASSWORD_VERSION } from '../account/password-version.js';
import { usernameKey } from '../account/username.js';

export interface PasswordAttempt {
  username: string;
  password: string;
  /** Address of the client; the gateway has already applied the trusted proxies. */
  address: string;
  /** Secret of the known-device cookie, if present. */
  device: string | null;
  requestId: string;
}

export type PasswordVerdict =
  | {
      kind: 'proven';
      account: Account;
      /**
       * False if `KnownDevices` should remember this browser: it is new to the account, or half of its lifetime is
       * over.
       */
      deviceRemembered: boolean;
      /** Second factors that are set up. */
      factors: FactorCounts;
      /** What begins by this proof names it: see `password-version.ts`. */
      passwordVersion: string;
    }
  | { kind: 'refused' }
  | { kind: 'limited'; retryAfterSeconds: number }
  | { kind: 'busy' };

interface Candidate extends AccountFields {
  hash: string | null;
  device_known: boolean;
  device_fresh: boolean;
  password_version: string | null;
}

interface CurrentFactors {
  factors: FactorCounts;
  version: string;
}

const LOOK_UP = new Statement<{ key: string | null; device: string | null }, Candidate>(
  'sign-in.look-up',
  ({ param, now }) => sql`
    select ${sql.join(ACCOUNT_COLUMNS.map((column) => sql.ref(`a.${column}`)))}, p.hash, ${PASSWORD_VERSION} as password_version,
      coalesce(d.expires_at > ${now}, false) as device_known,
      coalesce(d.expires_at > ${now} + ${FRESH_DEVICE}, false) as device_fresh
    from account a
      left join password_credential p on p.account_id = a.id
      left join known_device d on d.account_id = a.id and d.device_hash = ${param('device')}
    where a.username_key = ${param('key')}`,
);

/** Read after the password check: a factor or a new password may have been set while the attempt waited. */
const CURRENT_FACTORS = new Statement<{ account: string; version: string | null }, CurrentFactors>(
  'sign-in.current-factors',
  ({ param }) => sql`
    select ${factorCounts(sql.ref('p.account_id'))} as factors, ${PASSWORD_VERSION} as version
    from password_credential p
    where p.account_id = ${param('account')} and ${PASSWORD_VERSION} = ${param('version')}`,
);

const REHASH = new Statement<{ account: string; old: string; new: string }, never>(
  'sign-in.rehash',
  ({ param }) => sql`
    update password_credential set hash = ${param('new')} where account_id = ${param('account')} and hash = ${param('old')}`,
);

@Injectable()
export class PasswordSignIn {
  constructor(
    private readonly database: Database,
    private readonly hasher: PasswordHasher,
    private readonly attempts: Attempts,
    private readonly telemetry: Telemetry = TELEMETRY_OFF,
  ) {}

  async attempt(attempt: PasswordAttempt): Promise<PasswordVerdict> {
    const verdict = await this.#attempt(attempt);
    const [method, result] = ['password', verdict.kind] as const;
    this.telemetry.count('foyer.login.attempts', { 'foyer.login.method': method, 'foyer.login.result': result });
    return verdict;
  }

  /** The same for a signed-in person. */
  async prove(attempt: PasswordAttempt): Promise<PasswordVerdict> {
    const verdict = await this.#attempt(attempt);
    this.telemetry.count('foyer.proof.attempts', { 'foyer.proof.result': verdict.kind });
    return verdict;
  }

  async #attempt({ username, password, address, device, requestId }: PasswordAttempt): Promise<PasswordVerdict> {
    const key = usernameKey(username);
    const [candidate] = await this.database.run(LOOK_UP, { key, device: device === null ? null : fingerprint(device) });
    const admission = await this.attempts.admit({
      username,
      accountId: candidate?.id ?? null,
      device: candidate?.device_known && device !== null ? { secret: device, accountId: candidate.id } : null,
      address,
      requestId,
    });
    switch (admission.kind) {
      case 'admitted':
        return this.#judge(candidate, password, admission.reservation);
      case 'stopped':
        return this.#refuse(password, admission.refuse);
      default:
        return admission;
    }
  }

  async #judge(candidate: Candidate | undefined, password: string, reservation: Reservation): Promise<PasswordVerdict> {
    let currentFactors: CurrentFactors | undefined;
    try {
      if (await this.#verify(candidate, password)) currentFactors = await this.#currentFactors(candidate);
    } catch (error) {
      await reservation.giveBack();
      if (error instanceof HasherBusy) return { kind: 'busy' };
      throw error;
    }
    if (!candidate || !currentFactors) {
      await reservation.fail();
      return { kind: 'refused' };
    }
    if (!(await reservation.succeed())) return { kind: 'refused' };
    await this.#renewHash(candidate, password);
    const { factors, version: passwordVersion } = currentFactors;
    const { device_fresh: deviceRemembered } = candidate;
    return { kind: 'proven', account: toAccount(candidate), deviceRemembered, factors, passwordVersion };
  }

  async #currentFactors(candidate: Candidate | undefined): Promise<CurrentFactors | undefined> {
    if (!candidate) return undefined;
    const { id: account, password_version: version } = candidate;
    return (await this.database.run(CURRENT_FACTORS, { account, version }))[0];
  }

  async #verify(candidate: Candidate | undefined, password: string): Promise<boolean> {
    if (!candidate || candidate.hash === null || candidate.status !== 'active') return this.hasher.verifyDummy(password);
    return this.hasher.verify(candidate.hash, password);
  }

  async #refuse(password: string, refuse: () => Promise<void>): Promise<PasswordVerdict> {
    try {
      await this.hasher.verifyDummy(password);
    } catch (error) {
      if (error instanceof HasherBusy) return { kind: 'busy' };
      throw error;
    }
    await refuse();
    return { kind: 'refused' };
  }

  /** The password is known only here. If the hasher is busy, the next sign-in does it. */
  async #renewHash({ id, hash }: Candidate, password: string): Promise<void> {
    if (hash === null || !this.hasher.needsRehash(hash)) return;
    try {
      await this.database.run(REHASH, { account: id, old: hash, new: await this.hasher.hash(password) });
    } catch (error) {
      if (!(error instanceof HasherBusy)) throw error;
    }
  }
}
