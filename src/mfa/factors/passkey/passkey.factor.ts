/**
 * Passkeys (WebAuthn): registration, and verification for a known account. `passkeys/passkey-sign-in.ts` verifies a passkey that
 * signs a person in. Each challenge is valid for one response, in one slot.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import type { Account } from '../../../accounts/account/account.js';
import type { AuditContext } from '../../../accounts/audit/audit-log.js';
import { SourceAccounts } from '../../../accounts/identities/source-accounts.js';
import { isProvider } from '../../../config/stored-sources.js';
import { FactorAttempts, type FactorFault, type Spend } from '../../../accounts/limits/factor-attempts.js';
import { OneTimeSecrets } from '../../../accounts/secrets/one-time-secrets.js';
import type { Config } from '../../../config/config.js';
import { CONFIG } from '../../../config/config.token.js';
import { randomToken } from '../../../config/keys.js';
import type { Amr } from '../../../contract/authentication.js';
import type { FactorEntryState } from '../../../contract/mfa-state.js';
import type { AcceptedPasskeysState } from '../../../contract/passkey-state.js';
import type { AssertionOptionsAnswer, InitPasskeyAnswer } from '../../../contract/rpc.js';
import type { Schema } from '../../../database/schema.js';
import { parseClientData } from '../../../webauthn/client-data.js';
import { AssertionBody, CredentialBody } from '../../credential.bodies.js';
import { parseAssertion, parseRegistration } from '../../../webauthn/credential-json.js';
import { removeCredential, removeCredentials, renameCredential } from '../../../webauthn/credential-rows.js';
import { toKeyName } from '../../../webauthn/key-name.js';
import {
  type SetUpResult,
  type BeginResult,
  type Factor,
  type FactorAnswer,
  type FactorSlot,
  type FactorVerdict,
  type Proof,
  type RemoveRequest,
  type SetUp,
} from '../../factor.port.js';
import { toTimesState } from '../../factor-times.js';
import { Factors } from '../../factors.js';
import { toCount } from '../../held-factors.js';
import { findDefaultName } from '../../../passkeys/default-name.js';
import {
  verifyPasskeyAssertion,
  buildCreationOptions,
  isCopied,
  toParty,
  verifyPasskeyRegistration,
  buildRequestOptions,
  type PasskeyParty,
} from '../../../passkeys/ceremony.js';
import { PASSKEY } from './passkey.kind.js';
import { Passkeys, type Passkey } from '../../../passkeys/passkeys.js';

/** Lifetime of a pending set-up: longer than browsers wait for the person. */
export const SETUP_SECONDS = 900;
const PROOF_SECONDS = 300;
const MAX_PASSKEYS = 20;

interface PendingSetUp {
  /** Base64url. */
  challenge: string;
  unasked: boolean;
}

type RefusedSetUp = Extract<BeginResult, { kind: 'refused' }>;

interface VerifiedAssertion {
  methods: readonly Amr[];
  spend: Spend;
}

@Injectable()
export class PasskeyFactor implements Factor {
  static readonly kind = PASSKEY;
  static readonly providers = [];
  readonly kind = PASSKEY;
  readonly bodies = { confirm: CredentialBody, proof: AssertionBody };
  /** A passkey is bound to the relying party id of the installation. */
  readonly transfer = null;
  readonly #party: PasskeyParty;

  constructor(
    private readonly records: Passkeys,
    private readonly factors: Factors,
    private readonly attempts: FactorAttempts,
    private readonly secrets: OneTimeSecrets,
    private readonly people: SourceAccounts,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.#party = toParty(config);
  }

  /**
   * Begins a set-up, unless the account cannot have passkeys. Discards a pending set-up of the same slot.
   * @param options `unasked`: the browser may create the passkey without asking the person
   */
  async begin(
    { account, boundTo }: FactorSlot,
    _auditContext?: AuditContext,
    options: FactorAnswer = {},
  ): Promise<{ kind: 'begun'; state: InitPasskeyAnswer } | RefusedSetUp> {
    if (!(await this.isAvailableFor(account.id))) return { kind: 'refused', code: 'factor unavailable' };
    const pending: PendingSetUp = { challenge: randomToken(), unasked: options['unasked'] === true };
    const [passkeys, handle] = await Promise.all([this.records.list(account.id), this.records.ensureHandle(account.id)]);
    const sessionId = await this.secrets.replace({
      purpose: `factor-setup:${PASSKEY.name}`,
      accountId: account.id,
      boundTo,
      payload: JSON.stringify(pending),
      lifetimeSeconds: SETUP_SECONDS,
    });
    const publicKey = await buildCreationOptions(this.#party, { account, handle, ...pending, passkeys });
    return { kind: 'begun', state: { sessionId, publicKey } };
  }

  /** People of a provider cannot have passkeys: only a sign-in at the provider shows whether they may still sign in. */
  async isAvailableFor(accountId: string): Promise<boolean> {
    const link = await this.people.find(accountId);
    return link === null || !isProvider(link.source);
  }

  /** Always null, because a set-up is begun and finished by calls. */
  async resume(): Promise<null> {
    return null;
  }

  async confirm(
    { account, boundTo, onlyFirst, manageSession, signedIn, auditContext }: SetUp,
    answer: FactorAnswer,
  ): Promise<SetUpResult> {
    const pending = await this.secrets.consume(`factor-setup:${PASSKEY.name}`, toText(answer['sessionId']), boundTo);
    if (!pending?.payload || pending.accountId !== account.id) return { kind: 'refused', code: 'session expired' };
    const response = parseRegistration(answer['credentialJson']);
    const registration =
      response && (await verifyPasskeyRegistration(this.#party, JSON.parse(pending.payload) as PendingSetUp, response));
    if (!registration) return { kind: 'refused', code: PASSKEY.codes.refused };
    const { passkey, methods } = registration;
    const otherNames = (await this.records.list(account.id)).map((other) => other.name);
    const name = toKeyName(toText(answer['name'])) || findDefaultName(passkey.aaguid, otherNames);
    const addition = { accountId: account.id, factor: PASSKEY, onlyFirst, manageSession, signedIn, auditContext, name };
    const result = await this.factors.add(addition, async (trx, counts) => {
      if (toCount(counts, PASSKEY) >= MAX_PASSKEYS) return 'too many keys';
      return (await this.records.insert(account.id, { ...passkey, name }, trx)) ? null : PASSKEY.codes.registered;
    });
    return result.kind === 'added' ? { ...result, methods } : result;
  }

  /** @returns null if the account has no passkey */
  async beginProof({ account, boundTo }: Pick<FactorSlot, 'boundTo'> & { account: { id: string } }): Promise<{
    kind: 'begun';
    state: AssertionOptionsAnswer;
  } | null> {
    const passkeys = await this.records.list(account.id);
    if (passkeys.length === 0) return null;
    const challenge = await this.secrets.replace({
      purpose: `factor-proof:${PASSKEY.name}`,
      accountId: account.id,
      boundTo,
      lifetimeSeconds: PROOF_SECONDS,
    });
    return { kind: 'begun', state: { publicKey: buildRequestOptions(this.#party, challenge, passkeys) } };
  }

  /** Always null, because a call returns the challenge. */
  async findProofState(): Promise<null> {
    return null;
  }

  async verify(proof: Proof): Promise<FactorVerdict> {
    const { accountId, auditContext } = proof;
    const passkeys = await this.records.list(accountId);
    if (passkeys.length === 0) return { kind: 'missing' };
    let methods: readonly Amr[] = [];
    const verdict = await this.attempts.judge({ accountId, factor: PASSKEY.counters[0], auditContext }, async () => {
      const assertion = await this.#check(proof, passkeys);
      if (typeof assertion === 'string') return assertion;
      ({ methods } = assertion);
      return assertion.spend;
    });
    return verdict.kind === 'proven' ? { kind: 'proven', methods } : verdict;
  }

  async list(accountId: string): Promise<(FactorEntryState & { id: string; name: string })[]> {
    const passkeys = await this.records.list(accountId);
    return passkeys.map(({ id, name, backupEligible: synced, ...times }) => ({ id, name, synced, ...toTimesState(times) }));
  }

  /**
   * @returns the account's accepted passkeys, which browsers compare with theirs (WebAuthn Level 3, section 5.1.10); null if
   * passkeys are turned off, or if the account never had a passkey and nobody has begun to set one up
   */
  async findAcceptedState({ id, username, displayName }: Account): Promise<AcceptedPasskeysState | null> {
    if (this.config.passkeys.mode === 'off') return null;
    const [handle, passkeys] = await Promise.all([this.records.findHandle(id), this.records.list(id)]);
    if (handle === null) return null;
    const credentialIds = passkeys.map(({ credentialId }) => credentialId);
    return { rp_id: this.#party.id, user_id: handle, accepted: credentialIds, name: username, display_name: displayName };
  }

  /** Always null: a person removes a passkey and adds another one. */
  async findReplaceable(): Promise<null> {
    return null;
  }

  async rename(
    { accountId, auditContext }: Pick<RemoveRequest, 'accountId' | 'auditContext'>,
    { id, name }: { id: string; name: string },
  ): Promise<boolean> {
    const entry = { accountId, id, name: toKeyName(name) || (await this.#findDefaultName(accountId, id)) };
    return this.factors.rename({ accountId, factor: PASSKEY, auditContext }, (trx) => renameCredential('passkey', entry, trx));
  }

  /** @param id of the passkey that receives a default name */
  async #findDefaultName(accountId: string, id: string): Promise<string> {
    const passkeys = await this.records.list(accountId);
    const aaguid = passkeys.find((passkey) => passkey.id === id)?.aaguid ?? '';
    return findDefaultName(
      aaguid,
      passkeys.flatMap((passkey) => (passkey.id === id ? [] : passkey.name)),
    );
  }

  async remove(request: RemoveRequest, id: string): Promise<boolean> {
    const { accountId } = request;
    return this.factors.remove({ ...request, factor: PASSKEY }, (trx) => removeCredential('passkey', { accountId, id }, trx));
  }

  async removeAll(accountId: string, trx: Transaction<Schema>): Promise<void> {
    await removeCredentials('passkey', accountId, trx);
  }

  /** A response consumes the challenge that it names, whether or not the response is valid. */
  async #check({ accountId, boundTo, answer }: Proof, passkeys: readonly Passkey[]): Promise<VerifiedAssertion | FactorFault> {
    const response = parseAssertion(answer);
    const challenge = response && parseClientData(response.response.clientDataJSON)?.challenge;
    if (!challenge) return 'response';
    const secret = await this.secrets.consume(`factor-proof:${PASSKEY.name}`, challenge, boundTo);
    if (secret?.accountId !== accountId) return 'challenge';
    const passkey = passkeys.find(({ credentialId }) => credentialId === response.id);
    const { userHandle } = response.response;
    if (!passkey || (userHandle !== undefined && userHandle !== (await this.records.findHandle(accountId)))) return 'response';
    const assertion = await verifyPasskeyAssertion(this.#party, { challenge, passkey }, response);
    if (assertion === null) return 'response';
    const { counter, backedUp, methods } = assertion;
    if (isCopied(counter, passkey.counter)) return 'counter';
    return { methods, spend: { inOneStatement: (proof) => this.records.take({ id: passkey.id, counter, backedUp }, proof) } };
  }
}

function toText(member: unknown): string {
  return typeof member === 'string' ? member : '';
}
