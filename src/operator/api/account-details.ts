/** Reads an account with its factors, and with what the person has to do at the next sign-in. */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/account.js';
import { CredentialFreeze } from '../../accounts/account/credential-freeze.js';
import { findMissingFields, findRequiredEmailProof, toDeadline, type Deadline } from '../../accounts/account/required-details.js';
import { findUnacceptedTerms } from '../../accounts/terms/open-terms.js';
import { Clock } from '../../config/clock.js';
import type { Config, OperatorRights, Terms } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { canVerify } from '../../mfa/held-factors.js';
import { FactorRegistry, type HeldFactor } from '../../mfa/registry.js';
import type { AccountDetailAnswer, AccountTaskAnswer } from '../wire.js';
import { AccountLookup } from './account-lookup.js';
import { toAccountDetailAnswer } from './answers.js';

@Injectable()
export class AccountDetails {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly factors: FactorRegistry,
    private readonly freeze: CredentialFreeze,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mfa' | 'passkeys' | 'tasks' | 'terms'>,
  ) {}

  /** @param rights the rights of the reader @throws AccountNotFound, also for a malformed id */
  async get(id: string, rights: readonly OperatorRights[]): Promise<AccountDetailAnswer> {
    const account = await this.lookup.get(id);
    const [factors, freeze, relatedData] = await Promise.all([
      this.factors.describe(account.id),
      this.freeze.find(account.id),
      this.lookup.findRelatedData(account, rights),
    ]);
    return toAccountDetailAnswer(account, { factors, freeze, tasks: this.#findTasks(account, factors), ...relatedData });
  }

  /** Includes the terms of all clients, because it is not known to which client the person signs in next. */
  #findTasks(account: Account, factors: readonly HeldFactor[]): AccountTaskAnswer[] {
    const { tasks, terms } = this.config;
    const now = this.clock.now();
    const proof = findRequiredEmailProof(account, tasks, now);
    const fields = findMissingFields(account, tasks).map(({ name }) => name);
    return [
      ...findUnacceptedTerms(account, { terms, now }).map((unacceptedTerms) => toTermsTask(unacceptedTerms, now)),
      ...(account.requiredPassword ? [toTask('password')] : []),
      ...(proof ? [toTask('email', proof)] : []),
      ...(fields.length > 0 ? [{ ...toTask('fields'), fields }] : []),
      ...this.#findFactorTask(account, factors, now),
    ];
  }

  #findFactorTask({ secondFactor }: Account, factors: readonly HeldFactor[], now: Date): AccountTaskAnswer[] {
    const { mfa, passkeys } = this.config;
    const { policy, requiredFrom } = mfa;
    const counts = Object.fromEntries(factors.map(({ kind, count }) => [kind.folder, count]));
    const isRequired = policy === 'required' && requiredFrom !== undefined && secondFactor !== 'optional';
    return isRequired && !canVerify(counts, passkeys.mode !== 'off') ? [toTask('factor', toDeadline(requiredFrom, now))] : [];
  }
}

function toTermsTask({ id, version, clients, laterUntil }: Terms, now: Date): AccountTaskAnswer {
  const client_ids = clients === undefined ? null : [...clients];
  return { ...toTask('terms', toDeadline(laterUntil, now)), terms: id, version, client_ids };
}

function toTask(kind: AccountTaskAnswer['kind'], { laterUntil }: Deadline = {}): AccountTaskAnswer {
  return { kind, terms: null, version: null, client_ids: null, fields: [], later_until: laterUntil?.toISOString() ?? null };
}
