/**
 * Lets an operator link an existing account to a person of a user source or provider, or unlink it. Except for an
 * account that an operator has offered to a SCIM source (`scim-offers.ts`), nothing else links an existing account to a person of a source.
 */
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { violatesUnique } from '../../database/failures.js';
import { AccountNotFound } from '../account/account.errors.js';
import { lockAccount } from '../account/lock.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { Outbox } from '../queue/outbox.js';
import { canSignIn, type OfferedMethods } from './sign-in-methods.js';
import { PASSWORD_RESETS, discardSecrets } from '../secrets/one-time-secrets.js';
import { endAllSessions } from '../sessions/browser-sessions.js';
import { PersonMigrated, insertIdentity, insertLink } from './identity-rows.js';
import type { SourceLink } from './source-accounts.js';

export interface NewLink extends SourceLink {
  accountId: string;
  /** Name of the source in the notice. */
  name: string;
  /** Id of the provider, if the source is a provider. */
  provider?: string;
  auditContext: AuditContext;
}

/**
 * `linked`: the account already has a source. `person`: the person has another account. `other`: see
 * `ExternalIdentities.connect`.
 */
export type LinkOutcome = 'done' | 'linked' | 'person' | 'other';

interface LinkRemoval {
  accountId: string;
  auditContext: AuditContext;
  /** Name of a source in the notice. */
  toName(source: string): string;
  findProvider(source: string): string | undefined;
}

/** Rolls the transaction back. */
class LinkRefused extends Error {
  constructor(readonly outcome: LinkOutcome) {
    super(outcome);
  }
}

@Injectable()
export class AccountLinks {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
  ) {}

  /** Removes the password and ends all sessions, because the source proves the person from now on. @throws AccountNotFound */
  async link(link: NewLink): Promise<LinkOutcome> {
    try {
      await this.#link(link);
      return 'done';
    } catch (error) {
      if (error instanceof LinkRefused) return error.outcome;
      if (error instanceof PersonMigrated) return 'person';
      if (violatesUnique(error, 'source_account_pkey')) return 'linked';
      if (violatesUnique(error, 'source_account_person')) return 'person';
      throw error;
    }
  }

  /**
   * Removes the link and the identity at the provider, and ends all sessions. A SCIM source no longer sees the account, and its groups
   * lose a member.
   * @param removal `findProvider`: id of the provider at which people of the source sign in, if the source is not itself a provider
   * @returns the former link; null if there was none
   * @throws AccountNotFound
   */
  async unlink({ accountId, auditContext, toName, findProvider }: LinkRemoval) {
    return this.database.transaction(async (trx): Promise<SourceLink | null> => {
      const { audit, outbox } = this;
      const now = this.database.now();
      if (!(await lockAccount(accountId, trx))) throw new AccountNotFound();
      const deletion = trx.deleteFrom('source_account').where('account_id', '=', accountId).returning(['source', 'subject']);
      const link = await deletion.executeTakeFirst();
      if (!link) return null;
      await trx.deleteFrom('scim_user').where('account_id', '=', accountId).execute();
      await trx.deleteFrom('scim_group_member').where('account_id', '=', accountId).execute();
      const identityDeletion = trx.deleteFrom('external_identity').where('account_id', '=', accountId);
      await identityDeletion.where('issuer', '=', link.source).where('subject', '=', link.subject).execute();
      const provider = findProvider(link.source);
      if (provider !== undefined)
        await trx.deleteFrom('external_identity').where('account_id', '=', accountId).where('provider', '=', provider).execute();
      // If these names stayed, wrong passwords for the person of the source would count against this account.
      await trx.deleteFrom('source_name').where('account_id', '=', accountId).execute();
      await endAllSessions({ accountId, now, upstream: 'sessions' }, trx);
      await audit.record({ ...auditContext, kind: 'source.disconnected', accountId, detail: { source: link.source } }, trx);
      const values = { provider: toName(link.source) };
      await outbox.queueNotice({ kind: 'provider-disconnected', accountId, values, auditContext }, trx);
      return link;
    });
  }

  async canSignIn(accountId: string, offeredMethods: OfferedMethods): Promise<boolean> {
    return this.database.transaction((trx) => canSignIn(accountId, offeredMethods, trx));
  }

  async #link({ accountId, source, subject, name, provider, auditContext }: NewLink): Promise<void> {
    const { database, audit, outbox } = this;
    const now = database.now();
    await database.transaction(async (trx) => {
      if (!(await lockAccount(accountId, trx))) throw new AccountNotFound();
      await auditContext.condition?.require(trx);
      // The profile is empty, so that the next sign-in takes over all values.
      await insertLink({ accountId, source, subject, profile: '', connected_at: now, seen_at: now }, trx);
      // The account belongs to the source again. The next sign-in may take the password over once more.
      await trx.deleteFrom('migrated_account').where('account_id', '=', accountId).execute();
      if (provider !== undefined) {
        await trx
          .deleteFrom('external_identity')
          .where('account_id', '=', accountId)
          .where('issuer', '=', source)
          .where('subject', '=', subject)
          .execute();
        const isNew = await insertIdentity({ accountId, provider, issuer: source, subject, label: null, now }, trx);
        if (!isNew) throw new LinkRefused('other');
      }
      await trx.deleteFrom('password_credential').where('account_id', '=', accountId).execute();
      await discardSecrets({ accountId, purposes: PASSWORD_RESETS }, trx);
      await endAllSessions({ accountId, now, upstream: 'sessions' }, trx);
      await audit.record({ ...auditContext, kind: 'source.connected', accountId, detail: { source } }, trx);
      await outbox.queueNotice({ kind: 'provider-connected', accountId, values: { provider: name }, auditContext }, trx);
    });
  }
}
