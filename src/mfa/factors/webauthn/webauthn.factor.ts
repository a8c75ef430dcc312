/** Security keys (WebAuthn): registering one, proving oneself by one. Each challenge is good for one answer, at one place. */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../../accounts/account/account.js';
import type { AuditContext } from '../../../accounts/audit/audit-log.js';
import { FactorAttempts } from '../../../accounts/limits/factor-attempts.js';
import type { FactorFault, Spend } from '../../../accounts/limits/factor-attempts.js';
import { Factors } from '../../../accounts/factors/factors.js';
import { OneTimeSecrets } from '../../../accounts/secrets/one-time-secrets.js';
import { SecurityKeys } from '../../../accounts/factors/security-keys.js';
import type { SecurityKey } from '../../../accounts/factors/security-keys.js';
import { CONFIG } from '../../../config/config.token.js';
import type { Config } from '../../../config/config.js';
import { randomToken } from '../../../config/keys.js';
import type { SecurityKeyState } from '../../../contract/manage-state.js';
import type { AssertionOptionsAnswer, InitFido2Answer } from '../../../contract/rpc.js';
import { assertionOf, registrationOf } from './credential-json.js';
import type { Added, FactorVerdict, Removed, SetUp } from '../../factor.js';
import { assertedCounter, assertionOptions, clientDataOf } from './ceremony.js';
import { registeredKey, registrationOptions, userHandleOf } from './ceremony.js';
import type { RelyingParty } from './ceremony.js';
import { keyName } from './key-name.js';

const CHALLENGE_SECONDS = 300;
const MOST_KEYS = 10;

export interface FinishedRegistration extends SetUp {
  sessionId: string;
  /** As the browser sent it: an object, or its JSON. */
  credential: unknown;
  name?: string;
  /** Id of a key that goes when this one has come. */
  replaces?: string;
}

export interface PresentedAssertion {
  accountId: string;
  boundTo: string;
  credential: unknown;
  by: AuditContext;
}

@Injectable()
export class WebAuthnFactor {
  readonly #party: RelyingParty;

  constructor(
    private readonly storage: SecurityKeys,
    private readonly factors: Factors,
    private readonly attempts: FactorAttempts,
    private readonly secrets: OneTimeSecrets,
    @Inject(CONFIG) { publicUrl, app }: Config,
  ) {
    const { hostname, origin } = new URL(publicUrl);
    this.#party = { id: hostname, name: app.name, origin };
  }

  /** Good for five minutes; one that waited at the same place is gone. */
  async beginRegistration(account: Account, boundTo: string): Promise<InitFido2Answer> {
    const challenge = randomToken();
    const keys = await this.storage.list(account.id);
    const sessionId = await this.secrets.replace({
      purpose: 'fido2-registration',
      accountId: account.id,
      boundTo,
      payload: challenge,
      lifetimeSeconds: CHALLENGE_SECONDS,
    });
    const userId = Buffer.from(userHandleOf(account.id), 'base64url').toString('base64');
    return {
      relyingPartyId: this.#party.id,
      relyingPartyName: this.#party.name,
      userId,
      base64EncodedUserId: userId,
      icon: account.picture ?? '',
      username: account.username,
      displayName: account.displayName,
      challenge,
      existingCredentialIds: keys.map(({ credentialId }) => credentialId),
      sessionId,
      publicKey: await registrationOptions(this.#party, { account, challenge, keys }),
    };
  }

  async finishRegistration(given: FinishedRegistration): Promise<Added> {
    const { account, boundTo, sessionId, onlyFirst, manageSession, by } = given;
    const begun = await this.secrets.consume('fido2-registration', sessionId, boundTo);
    if (!begun?.payload || begun.accountId !== account.id) return { kind: 'refused', code: 'session expired' };
    const response = registrationOf(given.credential);
    const key = response && (await registeredKey(this.#party, begun.payload, response));
    if (!key) return { kind: 'refused', code: 'fido2 failed' };
    const name = keyName(given.name ?? '');
    const addition = { accountId: account.id, factor: 'fido2', onlyFirst, manageSession, by, name } as const;
    return this.factors.add(addition, async (trx, held) => {
      if (given.replaces === undefined && held.keys >= MOST_KEYS) return 'too many keys';
      const replaced = given.replaces === undefined ? null : await this.storage.remove(account.id, given.replaces, trx);
      if (given.replaces !== undefined && replaced === null) return 'fido2 not found';
      if (!(await this.storage.insert(account.id, { ...key, name }, trx))) return 'fido2 already registered';
      return replaced === null ? null : { replaced };
    });
  }

  /** @returns null when the account has no key */
  async beginAssertion(accountId: string, boundTo: string): Promise<AssertionOptionsAnswer | null> {
    const keys = await this.storage.list(accountId);
    if (keys.length === 0) return null;
    const challenge = await this.secrets.replace({
      purpose: 'fido2-assertion',
      accountId,
      boundTo,
      lifetimeSeconds: CHALLENGE_SECONDS,
    });
    return { publicKey: await assertionOptions(this.#party, challenge, keys) };
  }

  async finishAssertion({ accountId, boundTo, credential, by }: PresentedAssertion): Promise<FactorVerdict> {
    const keys = await this.storage.list(accountId);
    if (keys.length === 0) return { kind: 'missing' };
    return this.attempts.judge({ accountId, factor: 'fido2', by }, () => this.#check({ accountId, boundTo, credential }, keys));
  }

  /** The oldest first. */
  async list(accountId: string): Promise<SecurityKeyState[]> {
    const keys = await this.storage.list(accountId);
    return keys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      created_at: createdAt.toISOString(),
      last_used_at: lastUsedAt?.toISOString() ?? null,
    }));
  }

  /** @returns false when the account has no such key */
  async rename(
    { accountId, by }: Pick<Removed, 'accountId' | 'by'>,
    { id, name }: { id: string; name: string },
  ): Promise<boolean> {
    const named = { accountId, id, name: keyName(name) };
    return this.factors.renameKey({ accountId, by }, (trx) => this.storage.rename(named, trx));
  }

  /** @returns false when the account has no such key */
  async remove(keyId: string, removed: Removed): Promise<boolean> {
    return this.factors.remove({ ...removed, factor: 'fido2' }, (trx) => this.storage.remove(removed.accountId, keyId, trx));
  }

  /** The challenge is spent by the answer that names it, whatever that one proves. */
  async #check(
    { accountId, boundTo, credential }: Omit<PresentedAssertion, 'by'>,
    keys: readonly SecurityKey[],
  ): Promise<Spend | FactorFault> {
    const response = assertionOf(credential);
    const challenge = response && clientDataOf(response.response.clientDataJSON)?.challenge;
    if (!challenge) return 'response';
    const begun = await this.secrets.consume('fido2-assertion', challenge, boundTo);
    if (begun?.accountId !== accountId) return 'challenge';
    const key = keys.find(({ credentialId }) => credentialId === response.id);
    const { userHandle = userHandleOf(accountId) } = response.response;
    if (!key || userHandle !== userHandleOf(accountId)) return 'response';
    const counter = await assertedCounter(this.#party, { challenge, key }, response);
    if (counter === null) return 'response';
    // Two keys that answer as one: it may have been copied (WebAuthn, section 6.1.1).
    if (counter <= key.counter && (counter > 0 || key.counter > 0)) return 'counter';
    return (trx) => this.storage.take({ accountId, id: key.id, counter }, trx);
  }
}
