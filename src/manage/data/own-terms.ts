/** Lists the terms that the person has accepted, and withdraws the acceptance, which needs a fresh proof. */
import { Injectable } from '@nestjs/common';
import { TermsAcceptances } from '../../accounts/terms/terms-acceptances.js';
import type { AcceptedTermsState } from '../../contract/manage-data-state.js';
import type { ManageContext } from '../session/manage-session.js';
import { ProvenChange } from '../session/proven-change.js';

/** The list has only the latest acceptances, because it contains their texts; the download contains all. */
const MAX_SHOWN_ACCEPTANCES = 20;

@Injectable()
export class OwnTerms {
  constructor(
    private readonly acceptances: TermsAcceptances,
    private readonly provenChange: ProvenChange,
  ) {}

  async list({ account }: ManageContext): Promise<AcceptedTermsState[]> {
    const latestAcceptances = await this.acceptances.list(account.id, MAX_SHOWN_ACCEPTANCES);
    return latestAcceptances.map(({ terms: id, version, text, locale: language, acceptedAt, withdrawnAt }) => {
      const times = { accepted_at: acceptedAt.toISOString(), withdrawn_at: withdrawnAt?.toISOString() ?? null };
      return { id, version, text, language, ...times };
    });
  }

  /**
   * @returns false if the terms were not accepted, or the acceptance was withdrawn before
   * @throws ProofRequired, CallFailed, AccountDisabled
   */
  async withdraw(termsId: string, manageContext: ManageContext): Promise<boolean> {
    const { account, auditContext } = manageContext;
    return this.provenChange.run(manageContext, (manageSession) =>
      this.acceptances.withdraw(account.id, termsId, { ...auditContext, manageSession }),
    );
  }
}
