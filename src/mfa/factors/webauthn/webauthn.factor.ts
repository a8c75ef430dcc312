/** Security keys (WebAuthn): registration and verification. Each challenge is valid for one response, in one slot. */
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { FactorAttempts, type FactorFault, type Spend } from '../../../accounts/limits/factor-attempts.js';
import { OneTimeSecrets } from '../../../accounts/secrets/one-time-secrets.js';
import type { Config } from '../../../config/config.js';
import { CONFIG } from '../../../config/config.token.js';
import { randomToken } from '../../../config/keys.js';
import type { Amr } from '../../../contract/authentication.js';
import type { FactorEntryState } from '../../../contract/mfa-state.js';
import type { AssertionOptionsAnswer, InitFido2Answer } from '../../../contract/rpc.js';
import type { Schema } from '../../../database/schema.js';
import {
  type SetUpResult,
  type Factor,
  type FactorAnswer,
  type FactorSlot,
  type FactorVerdict,
  type Proof,
  type RemoveRequest,
  type ReplacedFactor,
  type SetUp,
} from '../../factor.port.js';
import { toTimesState } from '../../factor-times.js';
import { Factors } from '../../factors.js';
import { toCount } from '../../held-factors.js';
import { parseClientData } from '../../../webauthn/client-data.js';
import { parseAssertion, parseRegistration } from '../../../webauthn/credential-json.js';
import { removeCredential, removeCredentials, renameCredential } from '../../../webauthn/credential-rows.js';
import { toKeyName } from '../../../webauthn/key-name.js';
import {
  verifyKeyAssertion,
  buildAssertionOptions,
  type RelyingParty,
  verifyKeyRegistration,
  buildRegistrationOptions,
  toUserHandle,
} from './ceremony.js';
import { SecurityKeys, type SecurityKey } from './security-keys.records.js';
import { WEBAUTHN_BODIES } from './webauthn.bodies.js';
import { WEBAUTHN } from './webauthn.kind.js';

const CHALLENGE_SECONDS = 300;
const MAX_KEYS = 10;

interface VerifiedAssertion {
  methods: readonly Amr[];
  spend: Spend;
}

@Injectable()
export class WebAuthnFactor implements Factor {
  static readonly kind = WEBAUTHN;
  static readonly providers = [SecurityKeys];
  readonly kind = WEBAUTHN;
  readonly bodies = WEBAUTHN_BODIES;
  /** A key is bound to the address of the installation. */
  readonly transfer = null;
  readonly #party: RelyingParty;

  constructor(
    private readonly records: SecurityKeys,
    private readonly factors: Factors,
    private readonly attempts: FactorAttempts,
    private readonly secrets: OneTimeSecrets,
    @Inject(CONFIG) { publicUrl, app }: Config,
  ) {
    const { hostname, origin } = new URL(publicUrl);
    this.#party = { id: hostname, name: app.name, origin };
  }

  /** Begins a set-up that is valid for five minutes. Discards a pending set-up of the same slot. */
  async begin({ account, boundTo }: FactorSlot): Promise<{ kind: 'begun'; state: InitFido2Answer }> {
    const challenge = randomToken();
    const keys = await this.records.list(account.id);
    const sessionId = await this.secrets.replace({
      purpose: 'factor-setup:fido2',
      accountId: account.id,
      boundTo,
      payload: challenge,
      lifetimeSeconds: CHALLENGE_SECONDS,
    });
    const userId = Buffer.from(toUserHandle(account.id), 'base64url').toString('base64');
    const state = {
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
      publicKey: await buildRegistrationOptions(this.#party, { account, challenge, keys }),
    };
    return { kind: 'begun', state };
  }

  /** Always null, because a set-up is begun and finished by calls. */
  async resume(): Promise<null> {
    return null;
  }

  async confirm({ account, boundTo, onlyFirst, manageSession, auditContext }: SetUp, answer: FactorAnswer): Promise<SetUpResult> {
    const replaces = toText(answer['replaces']);
    const pending = await this.secrets.consume('factor-setup:fido2', toText(answer['sessionId']) ?? '', boundTo);
    if (!pending?.payload || pending.accountId !== account.id) return { kind: 'refused', code: 'session expired' };
    const response = parseRegistration(answer['credentialJson']);
    const registration = response && (await verifyKeyRegistration(this.#party, pending.payload, response));
    if (!registration) return { kind: 'refused', code: WEBAUTHN.codes.refused };
    const name = toKeyName(toText(answer['name']) ?? '');
    const addition = { accountId: account.id, factor: WEBAUTHN, onlyFirst, manageSession, auditContext, name };
    const { key, methods } = registration;
    const result = await this.factors.add(addition, async (trx, counts) => {
      if (replaces === undefined && toCount(counts, WEBAUTHN) >= MAX_KEYS) return 'too many keys';
      const replacedName =
        replaces === undefined ? null : await removeCredential('security_key', { accountId: account.id, id: replaces }, trx);
      if (replaces !== undefined && replacedName === null) return WEBAUTHN.codes.missing;
      if (!(await this.records.insert(account.id, { ...key, name }, trx))) return WEBAUTHN.codes.registered;
      return replacedName === null ? null : { replaced: replacedName };
    });
    return result.kind === 'added' ? { ...result, methods } : result;
  }

  /** @returns null if the account has no key */
  async beginProof({
    account,
    boundTo,
    verifiesUser,
  }: Pick<FactorSlot, 'boundTo' | 'verifiesUser'> & { account: { id: string } }): Promise<{
    kind: 'begun';
    state: AssertionOptionsAnswer;
  } | null> {
    const keys = await this.records.list(account.id);
    if (keys.length === 0) return null;
    const challenge = await this.secrets.replace({
      purpose: 'factor-proof:fido2',
      accountId: account.id,
      boundTo,
      lifetimeSeconds: CHALLENGE_SECONDS,
    });
    return { kind: 'begun', state: { publicKey: await buildAssertionOptions(this.#party, challenge, { keys, verifiesUser }) } };
  }

  /** Always null, because a call returns the challenge. */
  async findProofState(): Promise<null> {
    return null;
  }

  async verify(proof: Proof): Promise<FactorVerdict> {
    const { accountId, auditContext } = proof;
    const keys = await this.records.list(accountId);
    if (keys.length === 0) return { kind: 'missing' };
    let methods: readonly Amr[] = [];
    const verdict = await this.attempts.judge({ accountId, factor: WEBAUTHN.counters[0], auditContext }, async () => {
      const assertion = await this.#check(proof, keys);
      if (typeof assertion === 'string') return assertion;
      ({ methods } = assertion);
      return assertion.spend;
    });
    return verdict.kind === 'proven' ? { kind: 'proven', methods } : verdict;
  }

  async list(accountId: string): Promise<(FactorEntryState & { id: string; name: string })[]> {
    const keys = await this.records.list(accountId);
    return keys.map(({ id, name, ...times }) => ({ id, name, ...toTimesState(times) }));
  }

  /** Null unless the account has exactly one key. With several keys, a person removes one and adds another. */
  async findReplaceable(accountId: string): Promise<ReplacedFactor | null> {
    const [key, secondKey] = await this.records.list(accountId);
    return key && !secondKey ? key.id : null;
  }

  async rename(
    { accountId, auditContext }: Pick<RemoveRequest, 'accountId' | 'auditContext'>,
    { id, name }: { id: string; name: string },
  ): Promise<boolean> {
    const entry = { accountId, id, name: toKeyName(name) };
    return this.factors.rename({ accountId, factor: WEBAUTHN, auditContext }, (trx) =>
      renameCredential('security_key', entry, trx),
    );
  }

  async remove(request: RemoveRequest, id: string): Promise<boolean> {
    const { accountId } = request;
    return this.factors.remove({ ...request, factor: WEBAUTHN }, (trx) =>
      removeCredential('security_key', { accountId, id }, trx),
    );
  }

  async removeAll(accountId: string, trx: Transaction<Schema>): Promise<void> {
    await removeCredentials('security_key', accountId, trx);
  }

  /** A response consumes the challenge that it names, whether or not the response is valid. */
  async #check({ accountId, boundTo, answer }: Proof, keys: readonly SecurityKey[]): Promise<VerifiedAssertion | FactorFault> {
    const response = parseAssertion(answer);
    const challenge = response && parseClientData(response.response.clientDataJSON)?.challenge;
    if (!challenge) return 'response';
    const secret = await this.secrets.consume('factor-proof:fido2', challenge, boundTo);
    if (secret?.accountId !== accountId) return 'challenge';
    const key = keys.find(({ credentialId }) => credentialId === response.id);
    const { userHandle = toUserHandle(accountId) } = response.response;
    if (!key || userHandle !== toUserHandle(accountId)) return 'response';
    const assertion = await verifyKeyAssertion(this.#party, { challenge, key }, response);
    if (assertion === null) return 'response';
    const { counter, methods } = assertion;
    // A counter that does not increase means that the key may have been copied (WebAuthn, section 6.1.1).
    if (counter <= key.counter && (counter > 0 || key.counter > 0)) return 'counter';
    return { methods, spend: { inOneStatement: (proof) => this.records.take({ id: key.id, counter }, proof) } };
  }
}

/** @returns undefined for an empty text or another type */
function toText(member: unknown): string | undefined {
  return typeof member === 'string' && member !== '' ? member : undefined;
}
