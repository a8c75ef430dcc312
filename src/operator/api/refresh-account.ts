/**
 * Updates an account from its user source. If the person was removed or disabled there, the access here ends too: otherwise the sessions
 * would continue.
 */
import { Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/account.js';
import { MigratedAccounts } from '../../accounts/identities/migrated-accounts.js';
import { SourceAccounts } from '../../accounts/identities/source-accounts.js';
import { findScimId, isNeverQueried } from '../../config/stored-sources.js';
import { SourceUnavailable } from '../../sources/source.errors.js';
import { UserSources } from '../../sources/user-sources.js';
import { EndAccess } from './end-access.js';
import type { OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import type { UpstreamOutcome } from '../wire.js';

export interface RefreshedAccount {
  account: Account;
  source: string;
  state: 'active' | 'disabled' | 'gone';
  /** Null if no session had to be ended. */
  upstream: UpstreamOutcome | null;
}

@Injectable()
export class RefreshAccount {
  constructor(
    private readonly links: SourceAccounts,
    private readonly migratedAccounts: MigratedAccounts,
    private readonly sources: UserSources,
    private readonly endAccess: EndAccess,
  ) {}

  /** @throws OperatorFault */
  async refresh(account: Account, auditContext: OperatorContext): Promise<RefreshedAccount> {
    const link = await this.links.find(account.id);
    if (!link) throw new OperatorFault(409, 'no_source', await this.#findReason(account.id));
    const { source, subject, readAt } = link;
    if (isNeverQueried(source)) {
      const reason =
        findScimId(source) === null
          ? 'The account belongs to an OpenID provider, which describes a person only when the person signs in.'
          : 'The account belongs to a SCIM source, which sends its changes itself and cannot be queried.';
      throw new OperatorFault(409, 'no_source', reason);
    }
    const person = await this.sources.describe(source, subject).catch(throwUnavailable);
    if (!person?.isActive) {
      const state = person ? 'disabled' : 'gone';
      const outcome = await this.endAccess.disable(account, auditContext, { source, state });
      return { ...outcome, source, state };
    }
    const entry = await this.links
      .updateKnown({ source, person, auditContext, askedAt: readAt, writesUnchanged: true })
      .catch(throwUnavailable);
    return { account: entry?.account ?? account, source, state: 'active', upstream: null };
  }

  async #findReason(accountId: string): Promise<string> {
    const source = await this.migratedAccounts.findSource(accountId);
    if (source === null) return 'The account does not belong to a user source.';
    return `The password of the account was copied from the source ${source}, and the source is no longer queried.`;
  }
}

/** @throws OperatorFault for a source that does not answer; other errors are rethrown */
export function throwUnavailable(error: unknown): never {
  if (!(error instanceof SourceUnavailable)) throw error;
  throw new OperatorFault(503, 'source_unavailable', `The source ${error.source} does not answer (${error.reason}).`, {
    headers: { 'Retry-After': '30' },
  });
}
