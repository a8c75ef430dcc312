/**
 * Verifies a username and a password within the limits on guessing. An unknown name, a disabled account, an account without a
 * password and a wrong password run the same statements, hash, calls to the sources and counting and get the same answer.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { TELEMETRY_OFF, Telemetry } from '../../telemetry/telemetry.js';
import { factorCounts, type FactorCounts } from '../account/factor-counts.js';
import { lockPasswordSql } from '../account/password-version.js';
import { lockOwnerSql } from '../account/security-stamp.js';
import { usernameKey } from '../account/username.js';
import { Attempts, type Checked, type Wait } from '../limits/attempts.js';
import { findCandidate, type Candidate } from './candidate.js';
import { HasherBusy } from './hasher.js';
import type { SourceProblem } from './source-sign-in.js';
import { VerifyPassword, type PasswordAttempt, type ProvenPassword } from './verify-password.js';

export type { PasswordAttempt, ProvenPassword } from './verify-password.js';

type Refused = { kind: 'refused' } | { kind: 'busy' } | SourceProblem;

export type PasswordVerdict =
  | (ProvenPassword & {
      kind: 'proven';
      /** Second factors that are set up. */
      factors: FactorCounts;
    })
  | Refused
  | Wait;

type Verified = ProvenPassword & { factors: FactorCounts };

/**
 * Checks that the proof still counts: the password may have been replaced, or the account disabled, while the hash was computed. The
 * locks wait for a transaction that does so at this moment.
 */
const CONFIRM = new Statement<
  Record<'version' | 'securityStamp' | 'source' | 'person', string | null> & { account: string },
  { factors: FactorCounts }
>(
  'sign-in.confirm',
  ({ param }) => sql`
    with owner as (${lockOwnerSql({ account: param('account'), securityStamp: param('securityStamp') })}),
      password as (${lockPasswordSql({ account: param('account'), version: param('version') })}),
      link as (
        select s.account_id from source_account s
        where s.account_id = ${param('account')} and s.source = ${param('source')}::text and s.subject = ${param('person')}::text
        for share
      )
    select ${factorCounts(sql.ref('owner.id'))} as factors from owner
    where (${param('version')}::text is null or exists (select from password))
      and (${param('source')}::text is null or exists (select from link))`,
);

const REHASH = new Statement<{ account: string; old: string; new: string }, never>(
  'sign-in.rehash',
  ({ param }) => sql`
    update password_credential set hash = ${param('new')} where account_id = ${param('account')} and hash = ${param('old')}`,
);

@Injectable()
export class PasswordAttempts {
  constructor(
    private readonly database: Database,
    private readonly verifier: VerifyPassword,
    private readonly attempts: Attempts,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login'>,
    private readonly telemetry: Telemetry = TELEMETRY_OFF,
  ) {}

  /** The password of a sign-in. */
  async attempt(typed: PasswordAttempt): Promise<PasswordVerdict> {
    const verdict = await this.#judge(typed, false);
    this.telemetry.count('foyer.login.attempts', {
      'foyer.login.method': 'password',
      'foyer.login.result': verdict.kind,
    });
    return verdict;
  }

  /** The password alone, of a signed-in person. */
  async prove(typed: PasswordAttempt): Promise<PasswordVerdict> {
    const verdict = await this.#judge(typed, true);
    this.telemetry.count('foyer.proof.attempts', { 'foyer.proof.result': verdict.kind });
    return verdict;
  }

  /** @param isSignedIn the person is signed in and types the password once more */
  async #judge(typed: PasswordAttempt, isSignedIn: boolean): Promise<PasswordVerdict> {
    const { username, device, address, requestId } = typed;
    const first = await findCandidate(typed, this.config.login, this.database);
    // At a user source a person may have several names; failures at any of them count against the username of the account. It is looked
    // up for every name, so that the time does not reveal whose account exists.
    const atSource = await this.verifier.findCountedName(username);
    const counted = first.candidate?.username ?? atSource ?? username;
    const accountId = first.candidate?.id ?? null;
    const knownDevice =
      device !== null && accountId !== null && first.candidate?.device_known === true ? { secret: device, accountId } : null;
    const attempt = { username: counted, accountId, device: knownDevice, address, requestId };
    const judged = await this.attempts.judge<Verified, Refused>(attempt, async ({ isStopped, hasWaited }) => {
      // After the wait for other attempts at the name the account may be another one.
      const { candidate, lookedUpAt } = hasWaited ? await findCandidate(typed, this.config.login, this.database) : first;
      if (isStopped) return this.#refuseWithSameWork(typed);
      return this.#check({ candidate, attempt: typed, isSignedIn, lookedUpAt, counted });
    });
    if (judged.kind !== 'proven') return judged.kind === 'refused' ? judged.refusal : judged;
    return { kind: 'proven', ...judged.proof };
  }

  async #check(typed: {
    candidate: Candidate | null;
    attempt: PasswordAttempt;
    isSignedIn: boolean;
    lookedUpAt: Date;
    counted: string;
  }): Promise<Checked<Verified, Refused>> {
    const { candidate, attempt } = typed;
    try {
      const proof = await this.verifier.verify(typed);
      if ('verdict' in proof) return { kind: 'refused', refusal: proof.verdict, counts: proof.counts };
      const factors = await this.#confirm(proof);
      if (factors === null) return { kind: 'refused', refusal: { kind: 'refused' }, counts: true };
      if (candidate && proof.passwordVersion !== undefined) await this.#renewHash(candidate, attempt.password);
      return { kind: 'proven', proof: { ...proof, factors }, isCountedAccount: isCountedFor(proof.account, typed) };
    } catch (error) {
      if (!(error instanceof HasherBusy)) throw error;
      return { kind: 'refused', refusal: { kind: 'busy' }, counts: false };
    }
  }

  /** For a name that is refused whatever its password is: the same work, and the answer that people of a source get. */
  async #refuseWithSameWork(typed: PasswordAttempt): Promise<Checked<Verified, Refused>> {
    try {
      const problem = await this.verifier.refuseWithSameWork(typed);
      return { kind: 'refused', refusal: problem ?? { kind: 'refused' }, counts: true };
    } catch (error) {
      if (!(error instanceof HasherBusy)) throw error;
      return { kind: 'refused', refusal: { kind: 'busy' }, counts: false };
    }
  }

  /** @returns the second factors of the account; null if what was proven does not count any more */
  async #confirm({ account, passwordVersion, securityStamp, link }: ProvenPassword): Promise<FactorCounts | null> {
    const [row] = await this.database.run(CONFIRM, {
      account: account.id,
      version: passwordVersion ?? null,
      securityStamp: securityStamp ?? null,
      source: link?.source ?? null,
      person: link?.subject ?? null,
    });
    return row?.factors ?? null;
  }

  /** The password is known only here. If the hasher is busy, the next sign-in does it. */
  async #renewHash({ id, hash }: Candidate, password: string): Promise<void> {
    if (hash === null) return;
    try {
      const renewed = await this.verifier.renewHash(hash, password);
      if (renewed !== null) await this.database.run(REHASH, { account: id, old: hash, new: renewed });
    } catch (error) {
      if (!(error instanceof HasherBusy)) throw error;
    }
  }
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
