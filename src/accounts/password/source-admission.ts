/**
 * Whether somebody whose account belongs to a user source may still sign in without a password: a credential that is kept
 * here does not know who has left there or was disabled, so the source is asked each time.
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
import { SourceAccounts, isIssuer } from '../identities/source-accounts.js';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import type { SourceProblem } from './source-sign-in.js';

export type Admitted = { kind: 'admitted'; account: Account; securityStamp: string };

interface Asked {
  by: AuditContext;
  /** When the account was looked up, before the source was asked; by the time of the database. */
  lookedUpAt: Date;
}

const OF_SOURCE = new Statement<{ account: string }, LinkedCandidate & { looked_up_at: Date }>(
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

  /** A provider is not asked, because it says who somebody is at a sign-in there only: its people sign in there. */
  async admit(candidate: LinkedCandidate, asked: Asked): Promise<Admitted | SourceProblem> {
    const { source, source_subject: subject } = candidate;
    if (source === null || subject === null) return toAdmitted(candidate);
    if (isIssuer(source)) return this.#refuse('provider', candidate, asked);
    const person = await this.sources.describe(source, subject).catch(unavailable);
    if (person === 'unavailable') return { kind: 'source', problem: 'unavailable' };
    if (!person?.isActive) return this.#refuse(person ? 'disabled' : 'gone', candidate, asked);
    if (candidate.frozen) return this.#refuse('frozen', candidate, asked);
    if (candidate.source_profile === this.accounts.toProfile(person)) return toAdmitted(candidate);
    const entered = await this.accounts.enterKnown({ source, person, by: asked.by, askedAt: asked.lookedUpAt });
    // Taken from the source meanwhile: another try finds the account as it is now.
    if (entered?.account.id !== candidate.id) return { kind: 'source', problem: 'unavailable' };
    return { kind: 'admitted', account: entered.account, securityStamp: entered.securityStamp };
  }

  /** Whether a service that knows the account by its id may sign it in; only accounts of a user source are asked about. */
  async mayEnter(accountId: string, by: AuditContext): Promise<boolean> {
    const [candidate] = await this.database.run(OF_SOURCE, { account: accountId });
    if (!candidate || candidate.source === null || isIssuer(candidate.source)) return true;
    return (await this.admit(candidate, { by, lookedUpAt: candidate.looked_up_at })).kind === 'admitted';
  }

  async #refuse(reason: string, { id: accountId, source }: LinkedCandidate, { by }: Asked): Promise<SourceProblem> {
    await this.audit.record({ ...by, kind: 'source.refused', accountId, detail: { source: source ?? '', reason } });
    return { kind: 'source', problem: 'not-allowed' };
  }
}

function toAdmitted(candidate: LinkedCandidate): Admitted {
  return { kind: 'admitted', account: toAccount(candidate), securityStamp: candidate.security_stamp };
}

function unavailable(error: unknown): 'unavailable' {
  if (!(error instanceof SourceUnavailable)) throw error;
  return 'unavailable';
}
