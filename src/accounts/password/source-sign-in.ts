/**
 * Verifies a password at a user source (`src/sources`). The limits on guessing are applied by `Attempts`. If the typed name belongs to an
 * account whose password Foyer stores, the password is never sent to a source.
 */
import { Injectable } from '@nestjs/common';
import type { SourcePerson } from '../../sources/user-source.port.js';
import { UserSources, type SourceCheckResult } from '../../sources/user-sources.js';
import { toAccount, type Account } from '../account/account.js';
import { toUsernameKey } from '../account/username.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import type { LinkedCandidate } from '../account/linked-source.js';
import { MigratedAccounts, type MigratedAccount } from '../identities/migrated-accounts.js';
import { SourceAccounts, type ProvenAccount, type SourceLink } from '../identities/source-accounts.js';
import { isNeverQueried } from '../../config/stored-sources.js';
import { SourceNames } from '../identities/source-names.js';
import { PasswordHasher } from './hasher.js';
import { toPasswordBytes } from './text.js';
import { defined } from '../../config/defined.js';

/** The sign-in failed for a reason other than a wrong password. */
export interface SourceProblem {
  kind: 'source';
  /**
   * `unavailable`: a source gives no usable answer, or the source of the account was changed concurrently. The other problems occur only
   * after a correct password or another valid credential. `password-change`: the password has to be changed at the source. `not-allowed`:
   * the source or this installation does not let the person sign in.
   */
  problem: 'unavailable' | 'password-change' | 'not-allowed';
  /** Where the person can change the password. */
  passwordUrl?: string;
}

/**
 * The account, and the values to which a sign-in with this password is bound: the security stamp and the person at the source, or the
 * version of the password if it was taken over from the source and Foyer now stores it.
 */
export type ProvenBySource = { kind: 'proven'; account: Account } & (
  | { securityStamp: string; link: SourceLink }
  | { passwordVersion: string }
);

export type SourceSignInVerdict = ProvenBySource | { kind: 'refused' } | SourceProblem;

export interface SourceAttempt {
  username: string;
  password: string;
  address: string;
  requestId: string;
  /**
   * Whether a signed-in person types the password again. Then the source is queried for the person of the account, not for a
   * name.
   */
  isSignedIn: boolean;
  /** Whether the password is hashed and verified before the passwords of strangers. */
  isPreferred: boolean;
  /** When the account was looked up, before any source was queried. */
  lookedUpAt: Date;
}

interface PersonAtSource {
  source: string;
  person: SourcePerson;
  /** The password is right, but has to be changed. */
  hasToChange: boolean;
}

@Injectable()
export class SourceSignIn {
  constructor(
    private readonly sources: UserSources,
    private readonly accounts: SourceAccounts,
    private readonly names: SourceNames,
    private readonly migratedAccounts: MigratedAccounts,
    private readonly hasher: PasswordHasher,
    private readonly audit: AuditLog,
  ) {}

  get isEmpty(): boolean {
    return this.sources.isEmpty;
  }

  /** @returns the username against which failures count; null if it is the typed name itself */
  findCountedName(typedName: string): Promise<string | null> {
    return this.names.findCountedName(typedName);
  }

  /**
   * Queries the sources for a name without its password: Foyer has refused the password, or accepts none for this name at present. The
   * sources do the same work as for a password, so that the time reveals nothing.
   * @returns the problem that people of a source would get now; null if there is none
   */
  async refuseWithSameWork(username: string): Promise<SourceProblem | null> {
    if (this.sources.isEmpty) return null;
    const result = await this.sources.check({ identifier: username, password: null });
    return result.kind === 'unavailable' ? { kind: 'source', problem: 'unavailable' } : null;
  }

  /** @throws HasherBusy if the password has to be hashed, or verified in Foyer */
  async prove(attempt: SourceAttempt, candidate: LinkedCandidate | null): Promise<SourceSignInVerdict> {
    if (this.sources.isEmpty) return { kind: 'refused' };
    const result = await this.#check(attempt, candidate);
    if (result.kind === 'proven') return this.#proveWithAccount({ ...result, hasToChange: false }, attempt, candidate);
    if (result.kind === 'password-change' && result.person && this.#canTakeOver(result.source, attempt.password))
      return this.#proveWithAccount({ source: result.source, person: result.person, hasToChange: true }, attempt, candidate);
    return this.#refuse(result, attempt, candidate);
  }

  async #check(attempt: SourceAttempt, candidate: LinkedCandidate | null): Promise<SourceCheckResult> {
    const link = buildLink(candidate);
    // The sources are also queried for an account that may not sign in, but without the password.
    const canSignIn = !candidate || (candidate.status === 'active' && !(link && candidate.frozen));
    const password = canSignIn ? attempt.password : null;
    if (attempt.isSignedIn && link && password !== null) return this.sources.verify(link, password);
    // The typed name is a verified address, which the source may not know.
    const wasAddressTyped = link !== null && toUsernameKey(attempt.username) !== toUsernameKey(candidate?.username ?? '');
    const subject = wasAddressTyped ? link.subject : undefined;
    return this.sources.check({ identifier: attempt.username, password, ownSource: link?.source, subject });
  }

  async #proveWithAccount(
    { source, person, hasToChange }: PersonAtSource,
    attempt: SourceAttempt,
    candidate: LinkedCandidate | null,
  ): Promise<SourceSignInVerdict> {
    const { password, address, requestId, lookedUpAt, isPreferred } = attempt;
    const link = { source, subject: person.subject };
    const isSame = candidate?.source === source && candidate.source_subject === person.subject;
    const shouldTakeOver = this.#canTakeOver(source, password);
    if (isSame && !shouldTakeOver && candidate.source_profile === this.accounts.toProfile(person)) {
      return { kind: 'proven', account: toAccount(candidate), securityStamp: candidate.security_stamp, link };
    }
    const migratedAccount = isSame || !this.sources.find(source)?.canMigrate ? null : await this.migratedAccounts.find(link);
    if (migratedAccount) return this.#proveHere(migratedAccount, attempt);
    const auditContext: AuditContext = { actor: 'person', address, requestId };
    const hash = shouldTakeOver ? await this.hasher.hash(password, { isPreferred }) : undefined;
    const provenAccount = await this.accounts.createOrUpdate({
      source,
      person,
      auditContext,
      askedAt: lookedUpAt,
      hash,
      hasToChange,
    });
    if ('isMigrated' in provenAccount) return this.#proveHere(await this.migratedAccounts.find(link), attempt);
    if ('reason' in provenAccount) {
      if (provenAccount.isTemporary) return this.#buildProblem('unavailable');
      await this.#recordRefusal({ source, subject: person.subject, reason: provenAccount.reason }, auditContext, null);
      return this.#buildProblem('not-allowed', source);
    }
    if (hasToChange) return this.#buildProblem('password-change', source);
    return toVerdict(provenAccount, link);
  }

  /** Whether Foyer takes the password over from the source. A password that Foyer cannot hash stays at the source. */
  #canTakeOver(source: string, password: string): boolean {
    return this.sources.find(source)?.migrates === true && toPasswordBytes(password) !== null;
  }

  /**
   * Verifies a password that was taken over. It may have been changed in Foyer since, so the verdict of the source proves nothing.
   * @throws HasherBusy
   */
  async #proveHere(
    migratedAccount: MigratedAccount | null,
    { password, isPreferred }: SourceAttempt,
  ): Promise<SourceSignInVerdict> {
    if (migratedAccount?.account.status !== 'active' || migratedAccount.hash === null || migratedAccount.passwordVersion === null)
      return { kind: 'refused' };
    const { account, hash, passwordVersion } = migratedAccount;
    const isRight = await this.hasher.verify(hash, password, { accountId: account.id, isPreferred });
    return isRight ? { kind: 'proven', account, passwordVersion } : { kind: 'refused' };
  }

  async #refuse(
    result: Exclude<SourceCheckResult, { kind: 'proven' }>,
    { address, requestId }: SourceAttempt,
    candidate: LinkedCandidate | null,
  ): Promise<SourceSignInVerdict> {
    if (result.kind === 'unavailable') return this.#buildProblem('unavailable');
    if (result.kind === 'unknown' || result.kind === 'refused') return { kind: 'refused' };
    const { kind, source, reason } = result;
    await this.#recordRefusal({ source, reason }, { actor: 'person', address, requestId }, candidate);
    return this.#buildProblem(kind, source);
  }

  #buildProblem(problem: SourceProblem['problem'], source?: string): SourceProblem {
    const passwordUrl = source === undefined ? undefined : this.sources.find(source)?.passwordUrl;
    return { kind: 'source', problem, ...defined({ passwordUrl }) };
  }

  async #recordRefusal(
    detail: Record<string, string>,
    auditContext: AuditContext,
    candidate: LinkedCandidate | null,
  ): Promise<void> {
    const owner = candidate ? { accountId: candidate.id } : {};
    await this.audit.record({ ...auditContext, kind: 'source.refused', ...owner, detail });
  }
}

function toVerdict({ account, securityStamp, isFrozen }: ProvenAccount, link: SourceLink): SourceSignInVerdict {
  if (account.status !== 'active' || isFrozen) return { kind: 'refused' };
  return { kind: 'proven', account, securityStamp, link };
}

function buildLink(candidate: LinkedCandidate | null): SourceLink | null {
  if (!candidate || candidate.source === null || candidate.source_subject === null || isNeverQueried(candidate.source))
    return null;
  return { source: candidate.source, subject: candidate.source_subject };
}
