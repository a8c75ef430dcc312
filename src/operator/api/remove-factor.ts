/** Removes one second factor or passkey of an account. */
import { Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/account.js';
import { CredentialFreeze, CredentialsFrozen } from '../../accounts/account/credential-freeze.js';
import type { Factor, RemoveRequest } from '../../mfa/factor.port.js';
import { FactorRegistry } from '../../mfa/registry.js';
import type { FactorRemovedAnswer } from '../wire.js';
import type { OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';

@Injectable()
export class RemoveFactor {
  constructor(
    private readonly registry: FactorRegistry,
    private readonly freeze: CredentialFreeze,
  ) {}

  /** @throws OperatorFault 404, 409 for faults that can be found before the factor is removed */
  async check({ id }: Account, { factor }: { factor: string }): Promise<void> {
    await this.#get(id, factor);
    if (await this.freeze.find(id)) throw buildFrozen();
  }

  /** @param body with the id of the factor, or its kind if it has none @throws OperatorFault 404, 409 */
  async run(
    { id: accountId }: Account,
    { factor }: { factor: string },
    auditContext: OperatorContext,
  ): Promise<FactorRemovedAnswer> {
    const { kind, entry } = await this.#get(accountId, factor);
    if (await this.#remove(kind, { accountId, auditContext, mayBeLast: true }, entry)) return { removed: 1 };
    throw buildNotFound();
  }

  async #remove(kind: Factor, request: RemoveRequest, entry: string): Promise<boolean> {
    try {
      return await kind.remove(request, entry);
    } catch (error) {
      throw error instanceof CredentialsFrozen ? buildFrozen() : error;
    }
  }

  /**
   * Looks the factor up, because a kind that an account can have only once would ignore the id and remove its factor.
   * @throws OperatorFault 404
   */
  async #get(accountId: string, factor: string): Promise<{ kind: Factor; entry: string }> {
    for (const kind of this.registry.factors) {
      const entries = await kind.list(accountId);
      const foundEntry = entries.find((entry) => (entry.id ?? kind.kind.name) === factor);
      if (foundEntry) return { kind, entry: foundEntry.id ?? '' };
    }
    throw buildNotFound();
  }
}

function buildFrozen(): OperatorFault {
  const message = 'The credentials of this account are frozen after "That was not me": end the freeze first.';
  return new OperatorFault(409, 'credentials_frozen', message);
}

function buildNotFound(): OperatorFault {
  return new OperatorFault(404, 'factor_not_found', 'The account has no such factor.');
}
