/** Stores attributes that an account lacks, as its owner enters them during a sign-in. Attributes that it has are not changed. */
import { Injectable } from '@nestjs/common';
import { AttributeInvalid, ProofOutdated } from '../account/account.errors.js';
import { Accounts } from '../account/accounts.js';
import { findSource } from '../account/linked-source.js';
import { lockActive, type SessionCondition } from '../account/lock.js';
import type { AuditContext } from '../audit/audit-log.js';
import { toAttributeFault, type DetailFault } from './sign-up.js';

@Injectable()
export class MissingDetails {
  constructor(private readonly accounts: Accounts) {}

  /**
   * @param texts attributes by name, as a form has sent them
   * @returns the fault of an attribute that does not satisfy the schema; null if the attributes are stored, or none was missing.
   * Attributes that the account has are not judged. If the attributes together exceed the limits of an account, or do not satisfy
   * the schema together, the field of the fault is not one of the texts
   * @throws ProofOutdated if the sign-in is over, the account is not active, or a source or provider owns it
   */
  async write(
    accountId: string,
    texts: Readonly<Record<string, string>>,
    { signIn, ...auditContext }: AuditContext & { signIn: SessionCondition },
  ): Promise<DetailFault | null> {
    try {
      await this.accounts.transact(async (trx) => {
        if (!(await lockActive(accountId, trx)) || (await findSource(accountId, trx)) !== null) throw new ProofOutdated();
        await signIn.require(trx);
        const query = trx.selectFrom('account').select('attributes').where('id', '=', accountId);
        const { attributes: storedAttributes } = await query.executeTakeFirstOrThrow();
        const missingFields = Object.entries(texts).filter(([name]) => !Object.hasOwn(storedAttributes, name));
        if (missingFields.length === 0) return;
        const attributes = this.accounts.attributes.fromTexts(Object.fromEntries(missingFields));
        await this.accounts.updateWithin(trx, { id: accountId, patch: { attributes }, keepsInvalidOthers: true, auditContext });
      });
      return null;
    } catch (error) {
      if (!(error instanceof AttributeInvalid)) throw error;
      return toAttributeFault({ pointer: error.pointer, message: '' });
    }
  }
}
