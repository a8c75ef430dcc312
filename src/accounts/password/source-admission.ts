/**
 * Decides whether a person whose account belongs to a user source may still sign in without a password. A credential that Foyer
 * stores cannot show that the person has left the source or was disabled there, so the source is queried each time.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { SourceUnavailable } from '../../sources/source.errors.js';
import { UserSources } from '../../sources/user-sources.js';
import { accountColumns, toAccount, type Account } from '../account/account.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import type { LinkedCandidate } from '../account/linked-source.js';
import { SourceAccounts } from '../identities/source-accounts.js';
import { findScimId, isNeverQueried } from '../../config/stored-sources.js';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import type { SourceProblem } from './source-sign-in.js';

export type Admission = { kind: 'admitted'; account: Account; securityStamp: string };

interface AdmissionContext {
  auditContext: AuditContext;
  /** When the account was looked up, before the source was queried, by the clock of the database. */
  lookedUpAt: Date;
}

const FIND_CANDIDATE = new Statement<{ account: string }, LinkedCandidate & { looked_up_at: Date }>(
  'source-admission.of-source',
  ({ param, now }) => sql`
    select ${accountColumns('a')}, ${SECURITY_STAMP} as security_stamp, s.source, s.subject as source_subject,
      s.profile as source_profile, false as frozen, ${now} as looked_up_at
    from account a join source_account s on s.account_id = a.id
    where a.id = ${param('account')}::uuid`,
);

@Injectable()
export class SourceAdmission {
  constructor(
    private readonly database: Database,
    private readonly sources: UserSources,
    private readonly accounts: SourceAccounts,
    private readonly audit: AuditLog,
  ) {}

  /** Refuses accounts of a provider, which cannot be queried: a provider vouches for a person only when the person signs in there. */
  async admit(candidate: LinkedCandidate, context: AdmissionContext): Promise<Admission | SourceProblem> {
    const { source, source_subject: subject } = candidate;
    // A SCIM source disables the accounts of people who have left.
    if (source === null || subject === null || findScimId(source) !== null) return toAdmission(candidate);
    if (isNeverQueried(source)) return this.#refuse('provider', candidate, context);
    const person = await this.sources.describe(source, subject).catch(toUnavailable);
    if (person === 'unavailable') return { kind: 'source', problem: 'unavailable' };
    if (!person?.isActive) return this.#refuse(person ? 'disabled' : 'gone', candidate, context);
    if (candidate.frozen) return this.#refuse('frozen', candidate, context);
    if (candidate.source_profile === this.accounts.toProfile(person)) return toAdmission(candidate);
    const provenAccount = await this.accounts.updateKnown({
      source,
      person,
      auditContext: context.auditContext,
      askedAt: context.lookedUpAt,
    });
    // The link of the account was changed concurrently. Another attempt finds the new link.
    if (provenAccount?.account.id !== candidate.id) return { kind: 'source', problem: 'unavailable' };
    return { kind: 'admitted', account: provenAccount.account, securityStamp: provenAccount.securityStamp };
  }

  /** Whether a service that knows the account by its id may sign the person in. Only a user source is queried. */
  async maySignIn(accountId: string, auditContext: AuditContext): Promise<boolean> {
    const [candidate] = await this.database.run(FIND_CANDIDATE, { account: accountId });
    if (!candidate || candidate.source === null || isNeverQueried(candidate.source)) return true;
    return (await this.admit(candidate, { auditContext, lookedUpAt: candidate.looked_up_at })).kind === 'admitted';
  }

  async #refuse(
    reason: string,
    { id: accountId, source }: LinkedCandidate,
    { auditContext }: AdmissionContext,
  ): Promise<SourceProblem> {
    await this.audit.record({ ...auditContext, kind: 'source.refused', accountId, detail: { source: source ?? '', reason } });
    return { kind: 'source', problem: 'not-allowed' };
  }
}

function toAdmission(candidate: LinkedCandidate): Admission {
  return { kind: 'admitted', account: toAccount(candidate), securityStamp: candidate.security_stamp };
}

function toUnavailable(error: unknown): 'unavailable' {
  if (!(error instanceof SourceUnavailable)) throw error;
  return 'unavailable';
}
