/**
 * Verifies a username and a password, in Foyer or at a user source, within the limits on guessing. An unknown name, a disabled account, an
 * account without a password and a wrong password all lead to the same statements, hash, calls to the sources, counting and answer. If
 * Foyer stores the password, a known device or a signed-in person does not wait for a source.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { TELEMETRY_OFF, Telemetry } from '../../telemetry/telemetry.js';
import { toAccount, type Account, type AccountFields } from '../account/account.js';
import { countFactorsSql, type FactorCounts } from '../account/factor-counts.js';
import { lockProvenSql, type ProvenValues } from '../account/password-version.js';
import { toUsernameKey } from '../account/username.js';
import { toNetwork } from '../audit/network.js';
import type { SourceLink } from '../identities/source-accounts.js';
import { hasPasswordHere } from '../../config/stored-sources.js';
import { Attempts, type CheckOutcome, type RefusalReason, type Wait } from '../limits/attempts.js';
import { findCandidate, type Candidate, type Lookup } from './candidate.js';
import { HasherBusy, PasswordHasher } from './hasher.js';
import { SourceSignIn, type SourceProblem } from './source-sign-in.js';

export interface PasswordAttempt {
  username: string;
  password: string;
  /** Network address from which the request comes, after the gateway has applied the trusted proxies. */
  address: string;
  /** Secret of the known-device cookie; null if the browser has no such cookie. */
  device: string | null;
  requestId: string;
}

/** The proof by a correct password. `account` may be outdated until `CONFIRM` has read it again. */
export interface ProvenPassword {
  account: Account;
  /** False if `KnownDevices` should remember this browser, because it is new to the account or half of its lifetime is over. */
  isDeviceStored: boolean;
  /** Whether the browser is a known device of any account; undefined if no account has the typed name. */
  isOwnedDevice: boolean | undefined;
  /**
   * The version of a password that Foyer stores; see `account/password-version.ts`. A sign-in with this password ends when the
   * password is replaced.
   */
  passwordVersion?: string | undefined;
  /** The stamp of the account if a source has verified the password; see `account/security-stamp.ts`. */
  securityStamp?: string | undefined;
  /** The person at the source that verified the password. */
  link?: SourceLink;
}

interface Failure {
  verdict: Refusal;
  /** Whether the failure counts against the limits. */
  counts: boolean;
}

/** A typed password, with the account to which the typed name belongs. */
interface TypedPassword extends Lookup {
  attempt: PasswordAttempt;
  /** Whether the person is signed in and types the password again as a fresh proof. */
  isSignedIn: boolean;
  /** The username against which failures are counted. */
  countedName: string;
}

type Refusal = { kind: 'refused' } | { kind: 'busy' } | SourceProblem;

/** A proof that is still valid, with the factors of the account: second factors, recovery codes and passkeys. */
type ConfirmedPassword = ProvenPassword & { factors: FactorCounts };

export type PasswordVerdict = (ConfirmedPassword & { kind: 'proven' }) | Refusal | Wait;

/**
 * Checks that the proof is still valid: the password may have been replaced, or the account disabled, while the password was verified.
 * Reads the current account and its current factors.
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
    select proven.*, ${countFactorsSql(sql.ref('proven.id'))} as factors from proven
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
    @Inject(CONFIG) private readonly config: Pick<Config, 'login' | 'scim'>,
    private readonly telemetry: Telemetry = TELEMETRY_OFF,
  ) {}

  /** Verifies the password of a sign-in. */
  async attempt(attempt: PasswordAttempt): Promise<PasswordVerdict> {
    const verdict = await this.#judge(attempt, false);
    this.telemetry.count('foyer.login.attempts', {
      'foyer.login.method': 'password',
      'foyer.login.result': verdict.kind,
    });
    return verdict;
  }

  /** Verifies the password with which a signed-in person confirms a change. */
  async prove(attempt: PasswordAttempt): Promise<PasswordVerdict> {
    const verdict = await this.#judge(attempt, true);
    this.telemetry.count('foyer.proof.attempts', { 'foyer.proof.result': verdict.kind });
    return verdict;
  }

  async #judge(attempt: PasswordAttempt, isSignedIn: boolean): Promise<PasswordVerdict> {
    const { username, device, address, requestId } = attempt;
    const firstLookup = await findCandidate(attempt, this.config.login, this.database);
    // If the full queue would refuse the password, it is refused before further statements, which would delay preferred attempts.
    if (this.hasher.isFull({ isPreferred: isPreferred({ ...firstLookup, attempt, isSignedIn }) })) {
      this.telemetry.count('foyer.hash.refused', {});
      return { kind: 'busy' };
    }
    // A person may have several names at a user source; failures with any of them count against the username of the account. Every
    // typed name is looked up, so that the time does not reveal which accounts exist.
    const sourceName = await this.sources.findCountedName(username);
    const countedName = firstLookup.candidate?.username ?? sourceName ?? username;
    const accountId = firstLookup.candidate?.id ?? null;
    const knownDevice =
      device !== null && accountId !== null && firstLookup.candidate?.device_known === true
        ? { secret: device, accountId }
        : null;
    const countedAttempt = { username: countedName, accountId, device: knownDevice, address, requestId };
    const outcome = await this.attempts.judge<ConfirmedPassword, Refusal>(countedAttempt, async ({ isStopped, hasWaited }) => {
      // After a wait for other attempts, the name may belong to another account. A stopped attempt runs the same statements.
      const currentLookup = hasWaited ? await findCandidate(attempt, this.config.login, this.database) : firstLookup;
      if (isStopped) return this.#refuseWithSameWork(attempt);
      return this.#check({ ...currentLookup, attempt, isSignedIn, countedName });
    });
    if (outcome.kind !== 'proven') return outcome.kind === 'refused' ? outcome.refusal : outcome;
    return { kind: 'proven', ...outcome.proof };
  }

  async #check(typedPassword: TypedPassword): Promise<CheckOutcome<ConfirmedPassword, Refusal>> {
    const { candidate } = typedPassword;
    try {
      const result = await this.#verify(typedPassword);
      if ('verdict' in result)
        return { kind: 'refused', refusal: result.verdict, counts: result.counts, reason: this.#toReason(candidate) };
      const confirmedProof = await this.#confirm(result);
      if (!confirmedProof) return { kind: 'refused', refusal: { kind: 'refused' }, counts: true, reason: 'replaced' };
      if (candidate?.id === result.account.id && result.passwordVersion !== undefined)
        await this.#renewHash(candidate, typedPassword);
      return { kind: 'proven', proof: confirmedProof, isCountedAccount: isCountedAccount(result.account, typedPassword) };
    } catch (error) {
      if (!(error instanceof HasherBusy)) throw error;
      return { kind: 'refused', refusal: { kind: 'busy' }, counts: false, reason: this.#toReason(candidate) };
    }
  }

  /**
   * If the typed name belongs to an account whose password Foyer stores, the password is not sent to a source.
   * @throws HasherBusy
   */
  async #verify({ candidate, attempt, isSignedIn, lookedUpAt }: TypedPassword): Promise<ProvenPassword | Failure> {
    const { username, password } = attempt;
    // A flood of passwords from strangers must not delay signed-in people, known devices and known networks.
    const urgency = { isPreferred: isPreferred({ candidate, attempt, isSignedIn }) };
    if (candidate?.hash && hasPasswordHere(candidate.source, this.config)) {
      const isRight =
        candidate.status === 'active'
          ? await this.hasher.verify(candidate.hash, password, { ...urgency, accountId: candidate.id })
          : await this.hasher.verifyDummy(password, urgency);
      if (isRight) return toProof(candidate);
      // A signed-in person or a known device may learn that Foyer stores the password, so no source is queried.
      if (isSignedIn || candidate.device_known) return { verdict: { kind: 'refused' }, counts: true };
      // While a source is down, its error is also shown for accounts whose password Foyer stores: another answer would reveal them.
      return { verdict: (await this.sources.refuseWithSameWork(username)) ?? { kind: 'refused' }, counts: true };
    }
    const verdict = await this.sources.prove({ ...attempt, ...urgency, isSignedIn, lookedUpAt }, candidate);
    if (verdict.kind === 'proven') {
      const { kind: _, ...proof } = verdict;
      return { ...proof, ...toDevices(candidate) };
    }
    const counts = verdict.kind === 'refused';
    try {
      await this.hasher.verifyDummy(password, urgency);
      return { verdict, counts };
    } catch (error) {
      if (!(error instanceof HasherBusy) || this.sources.isEmpty) throw error;
      // A source has checked the password. If the failure did not count, passwords could be guessed without limit while the hasher is busy.
      return { verdict: { kind: 'busy' }, counts };
    }
  }

  /** Refuses a name regardless of its password, with the same work and the answer that people of a source get. */
  async #refuseWithSameWork({ username, password }: PasswordAttempt): Promise<CheckOutcome<ConfirmedPassword, Refusal>> {
    try {
      const problem = await this.sources.refuseWithSameWork(username);
      await this.hasher.verifyDummy(password);
      return { kind: 'refused', refusal: problem ?? { kind: 'refused' }, counts: true, reason: 'stopped' };
    } catch (error) {
      if (!(error instanceof HasherBusy)) throw error;
      return { kind: 'refused', refusal: { kind: 'busy' }, counts: false, reason: 'stopped' };
    }
  }

  /** @param candidate the account whose name was typed, and whose password was refused */
  #toReason(candidate: Candidate | null): RefusalReason {
    if (candidate === null) return 'unknown-name';
    if (candidate.status !== 'active') return 'disabled';
    if (!hasPasswordHere(candidate.source, this.config)) return 'source';
    return candidate.hash === null ? 'no-password' : 'wrong-password';
  }

  /** @returns null if the proof is no longer valid */
  async #confirm(provenPassword: ProvenPassword): Promise<ConfirmedPassword | null> {
    const { account, passwordVersion, securityStamp, link } = provenPassword;
    const [row] = await this.database.run(CONFIRM, {
      account: account.id,
      version: passwordVersion ?? null,
      securityStamp: securityStamp ?? null,
      source: link?.source ?? null,
      person: link?.subject ?? null,
    });
    return row ? { ...provenPassword, account: toAccount(row), factors: row.factors } : null;
  }

  /** A hash can be renewed only while its password is known. If the hasher is busy, the next sign-in renews it. */
  async #renewHash({ id, hash }: Candidate, typedPassword: TypedPassword): Promise<void> {
    if (hash === null || !this.hasher.needsRehash(hash)) return;
    try {
      const newHash = await this.hasher.hash(typedPassword.attempt.password, { isPreferred: isPreferred(typedPassword) });
      await this.database.run(REHASH, { account: id, old: hash, new: newHash });
    } catch (error) {
      if (!(error instanceof HasherBusy)) throw error;
    }
  }
}

/** A correct password has a hash, and therefore a version. */
function toProof(candidate: Candidate): ProvenPassword {
  return { account: toAccount(candidate), ...toDevices(candidate), passwordVersion: candidate.password_version ?? '' };
}

/** True for a session, a known device, or a network from which the account signed in within a day. The network has no other effect. */
function isPreferred({ candidate, attempt, isSignedIn }: Pick<TypedPassword, 'candidate' | 'attempt' | 'isSignedIn'>): boolean {
  if (isSignedIn || candidate?.device_known === true) return true;
  const network = toNetwork(attempt.address);
  return candidate?.recent_addresses.some((address) => toNetwork(address) === network) ?? false;
}

/** Without an account, nothing is known about the device. */
function toDevices(candidate: Candidate | null): Pick<ProvenPassword, 'isDeviceStored' | 'isOwnedDevice'> {
  return { isDeviceStored: candidate?.device_stored ?? false, isOwnedDevice: candidate?.device_owned };
}

/**
 * Whether the proven account is the account against which failures are counted: a user source may prove a person other than
 * the person whose username was typed. If that cleared the failures, an attacker could guess without limit.
 */
function isCountedAccount(
  { id, username }: ProvenPassword['account'],
  { candidate, countedName, attempt }: { candidate: Candidate | null; countedName: string; attempt: PasswordAttempt },
): boolean {
  const isUnknownName = candidate === null && countedName === attempt.username;
  return isUnknownName || candidate?.id === id || toUsernameKey(countedName) === toUsernameKey(username);
}
