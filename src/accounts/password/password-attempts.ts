/**
 * Verifies a username and a password within the limits on guessing, where the password is kept: here, or at a user source. An unknown
 * name, a disabled account, an account without a password and a wrong password run the same statements, hash, calls to the sources and
 * counting and get the same answer; a known device or session waits for no source.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { TELEMETRY_OFF, Telemetry } from '../../telemetry/telemetry.js';
import { toAccount, type Account, type AccountFields } from '../account/account.js';
import { factorCounts, type FactorCounts } from '../account/factor-counts.js';
import { lockProvenSql, type ProvenValues } from '../account/password-version.js';
import { usernameKey } from '../account/username.js';
import { toNetwork } from '../audit/network.js';
import type { SourceLink } from '../identities/source-accounts.js';
import { Attempts, type Checked, type Wait } from '../limits/attempts.js';
import { findCandidate, type Candidate, type Lookup } from './candidate.js';
import { HasherBusy, PasswordHasher } from './hasher.js';
import { SourceSignIn, type SourceProblem } from './source-sign-in.js';

export interface PasswordAttempt {
  username: string;
  password: string;
  /** Address of the client; the gateway has already applied the trusted proxies. */
  address: string;
  /** Secret of the known-device cookie, if present. */
  device: string | null;
  requestId: string;
}

/** What a right password proves. `account` was read before the hash was computed; `CONFIRM` reads it again. */
export interface ProvenPassword {
  account: Account;
  /** False if `KnownDevices` should remember this browser: it is new to the account, or half of its lifetime is over. */
  isDeviceStored: boolean;
  /** This browser's device is known to some account; undefined if that was not looked at. */
  isOwnedDevice: boolean | undefined;
  /** The version of a password that is kept here; see `account/password-version.ts`. A sign-in with it ends when it is replaced. */
  passwordVersion?: string | undefined;
  /** The stamp of the account, where a source has verified the password; see `account/security-stamp.ts`. */
  securityStamp?: string | undefined;
  /** The person at the source that verified the password. */
  link?: SourceLink;
}

interface Failure {
  verdict: Refused;
  /** It counts against the limits. */
  counts: boolean;
}

/** A typed password, with the account that its name finds. */
interface TypedPassword extends Lookup {
  attempt: PasswordAttempt;
  /** The person is signed in and shows the password once more. */
  isSignedIn: boolean;
  /** The username against which failures are counted. */
  counted: string;
}

type Refused = { kind: 'refused' } | { kind: 'busy' } | SourceProblem;

/** With the second factors that are set up. */
type Confirmed = ProvenPassword & { factors: FactorCounts };

export type PasswordVerdict = (Confirmed & { kind: 'proven' }) | Refused | Wait;

/**
 * Checks that the password still counts: it may have been replaced, or the account disabled, while the hash was computed. Reads the
 * account and its factors as they are now.
 */
const CONFIRM = new Statement<
  ProvenValues & Record<'source' | 'person', string | null>,
  AccountFields & { factors: FactorCounts }
>('sign-in.confirm', (placeholders) => {
  const { param } = placeholders;
  return sql`
    with ${lockProvenSql(placeholders)},
      link as (
        select s.account_id from source_account s
        where s.account_id = ${param('account')} and s.source = ${param('source')}::text and s.subject = ${param('person')}::text
        for share
      )
    select proven.*, ${factorCounts(sql.ref('proven.id'))} as factors from proven
    where ${param('source')}::text is null or exists (select from link)`;
});

const REHASH = new Statement<{ account: string; old: string; new: string }, never>(
  'sign-in.rehash',
  ({ param }) => sql`
    update password_credential set hash = ${param('new')} where account_id = ${param('account')} and hash = ${param('old')}`,
);

@Injectable()
export class PasswordAttempts {
  constructor(
    private readonly database: Database,
    private readonly hasher: PasswordHasher,
    private readonly sources: SourceSignIn,
    private readonly attempts: Attempts,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login'>,
    private readonly telemetry: Telemetry = TELEMETRY_OFF,
  ) {}

  /** The password of a sign-in. */
  async attempt(attempt: PasswordAttempt): Promise<PasswordVerdict> {
    const verdict = await this.#judge(attempt, false);
    this.telemetry.count('foyer.login.attempts', {
      'foyer.login.method': 'password',
      'foyer.login.result': verdict.kind,
    });
    return verdict;
  }

  /** The password of a signed-in person, who confirms a change with it. */
  async prove(attempt: PasswordAttempt): Promise<PasswordVerdict> {
    const verdict = await this.#judge(attempt, true);
    this.telemetry.count('foyer.proof.attempts', { 'foyer.proof.result': verdict.kind });
    return verdict;
  }

  async #judge(attempt: PasswordAttempt, isSignedIn: boolean): Promise<PasswordVerdict> {
    const { username, device, address, requestId } = attempt;
    const first = await findCandidate(attempt, this.config.login, this.database);
    // What the full queue would refuse is refused before it costs more statements: they would keep waiting who is known here.
    if (this.hasher.isFull({ isPreferred: isPreferred({ ...first, attempt, isSignedIn }) })) {
      this.telemetry.count('foyer.hash.refused', {});
      return { kind: 'busy' };
    }
    // At a user source a person may have several names; failures at any of them count against the username of the account. Every name
    // is looked up there, so that the time does not reveal which accounts exist.
    const atSource = await this.sources.findCountedName(username);
    const counted = first.candidate?.username ?? atSource ?? username;
    const accountId = first.candidate?.id ?? null;
    const knownDevice =
      device !== null && accountId !== null && first.candidate?.device_known === true ? { secret: device, accountId } : null;
    const countedAttempt = { username: counted, accountId, device: knownDevice, address, requestId };
    const judged = await this.attempts.judge<Confirmed, Refused>(countedAttempt, async ({ isStopped, hasWaited }) => {
      // After the wait for other attempts at the name the account may be another one. A stopped name gets the same statements.
      const current = hasWaited ? await findCandidate(attempt, this.config.login, this.database) : first;
      if (isStopped) return this.#refuseWithSameWork(attempt);
      return this.#check({ ...current, attempt, isSignedIn, counted });
    });
    if (judged.kind !== 'proven') return judged.kind === 'refused' ? judged.refusal : judged;
    return { kind: 'proven', ...judged.proof };
  }

  async #check(typed: TypedPassword): Promise<Checked<Confirmed, Refused>> {
    const { candidate, attempt } = typed;
    try {
      const proven = await this.#verify(typed);
      if ('verdict' in proven) return { kind: 'refused', refusal: proven.verdict, counts: proven.counts };
      const confirmed = await this.#confirm(proven);
      if (!confirmed) return { kind: 'refused', refusal: { kind: 'refused' }, counts: true };
      if (candidate?.id === proven.account.id && proven.passwordVersion !== undefined)
        await this.#renewHash(candidate, attempt.password);
      return { kind: 'proven', proof: confirmed, isCountedAccount: isCountedFor(proven.account, typed) };
    } catch (error) {
      if (!(error instanceof HasherBusy)) throw error;
      return { kind: 'refused', refusal: { kind: 'busy' }, counts: false };
    }
  }

  /** A password that is kept here is never sent to a source. @throws HasherBusy */
  async #verify({ candidate, attempt, isSignedIn, lookedUpAt }: TypedPassword): Promise<ProvenPassword | Failure> {
    const { username, password } = attempt;
    // A flood of passwords from strangers keeps nobody waiting who is known here.
    const urgency = { isPreferred: isPreferred({ candidate, attempt, isSignedIn }) };
    if (candidate?.hash && candidate.source === null) {
      const isRight =
        candidate.status === 'active'
          ? await this.hasher.verify(candidate.hash, password, urgency)
          : await this.hasher.verifyDummy(password, urgency);
      if (isRight) return toProven(candidate);
      // In their own session or browser people know that their password is kept here: they wait for no source.
      if (isSignedIn || candidate.device_known) return { verdict: { kind: 'refused' }, counts: true };
      // While a source is down, show its error for names that are kept here too: a different one would reveal them.
      return { verdict: (await this.sources.refuseWithSameWork(username)) ?? { kind: 'refused' }, counts: true };
    }
    const verdict = await this.sources.prove({ ...attempt, isSignedIn, lookedUpAt }, candidate);
    if (verdict.kind === 'proven') {
      const { kind: _, ...proven } = verdict;
      return { ...proven, ...toDevices(candidate) };
    }
    const counts = verdict.kind === 'refused';
    try {
      await this.hasher.verifyDummy(password, urgency);
      return { verdict, counts };
    } catch (error) {
      if (!(error instanceof HasherBusy) || this.sources.isEmpty) throw error;
      // A source has checked the password: not counted, it could be guessed without limit while the hasher is busy.
      return { verdict: { kind: 'busy' }, counts };
    }
  }

  /** For a name that is refused whatever its password is: the same work, and the answer that people of a source get. */
  async #refuseWithSameWork({ username, password }: PasswordAttempt): Promise<Checked<Confirmed, Refused>> {
    try {
      const problem = await this.sources.refuseWithSameWork(username);
      await this.hasher.verifyDummy(password);
      return { kind: 'refused', refusal: problem ?? { kind: 'refused' }, counts: true };
    } catch (error) {
      if (!(error instanceof HasherBusy)) throw error;
      return { kind: 'refused', refusal: { kind: 'busy' }, counts: false };
    }
  }

  /** @returns null if what was proven does not count any more */
  async #confirm(proven: ProvenPassword): Promise<Confirmed | null> {
    const { account, passwordVersion, securityStamp, link } = proven;
    const [row] = await this.database.run(CONFIRM, {
      account: account.id,
      version: passwordVersion ?? null,
      securityStamp: securityStamp ?? null,
      source: link?.source ?? null,
      person: link?.subject ?? null,
    });
    return row ? { ...proven, account: toAccount(row), factors: row.factors } : null;
  }

  /** A hash can be renewed only while its password is known. If the hasher is busy, the next sign-in does it. */
  async #renewHash({ id, hash }: Candidate, password: string): Promise<void> {
    if (hash === null || !this.hasher.needsRehash(hash)) return;
    try {
      const renewed = await this.hasher.hash(password);
      await this.database.run(REHASH, { account: id, old: hash, new: renewed });
    } catch (error) {
      if (!(error instanceof HasherBusy)) throw error;
    }
  }
}

/** A password that was right has a hash, and so a version. */
function toProven(candidate: Candidate): ProvenPassword {
  return { account: toAccount(candidate), ...toDevices(candidate), passwordVersion: candidate.password_version ?? '' };
}

/** A session, a known device, or a network where the account signed in within the last day; the network changes nothing else. */
function isPreferred({ candidate, attempt, isSignedIn }: Pick<TypedPassword, 'candidate' | 'attempt' | 'isSignedIn'>): boolean {
  if (isSignedIn || candidate?.device_known === true) return true;
  const network = toNetwork(attempt.address);
  return candidate?.recent_addresses.some((address) => toNetwork(address) === network) ?? false;
}

/** Nothing is known of a name that is not an account's. */
function toDevices(candidate: Candidate | null): Pick<ProvenPassword, 'isDeviceStored' | 'isOwnedDevice'> {
  return { isDeviceStored: candidate?.device_stored ?? false, isOwnedDevice: candidate?.device_owned };
}

/**
 * Whether the account that was proven is the one against which failures are counted: a user source may prove another person than
 * the one whose username was typed. If that cleared the failures, an attacker could guess without a limit.
 */
function isCountedFor(
  { id, username }: ProvenPassword['account'],
  { candidate, counted, attempt }: { candidate: Candidate | null; counted: string; attempt: PasswordAttempt },
): boolean {
  const isOfNobody = candidate === null && counted === attempt.username;
  return isOfNobody || candidate?.id === id || usernameKey(counted) === usernameKey(username);
}
