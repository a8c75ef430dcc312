/** The kinds of second factor as tests use them: with what a person types or a key answers. */
import type { Account } from '../../src/accounts/account/account.js';
import type { AuditContext } from '../../src/accounts/audit/audit-log.js';
import type { TotpFactor } from '../../src/mfa/factors/totp/totp.factor.js';
import type { WebAuthnFactor } from '../../src/mfa/factors/webauthn/webauthn.factor.js';
import type { SetUpResult, FactorAnswer, FactorVerdict, RemoveRequest, SetUp, SetUpSlot } from '../../src/mfa/factor.port.js';
import type { Factors } from '../../src/mfa/factors.js';
import type { RecoveryCodes } from '../../src/mfa/recovery-codes/recovery-codes.js';
import type { TotpSetupState } from '../../src/contract/mfa-state.js';
import type { InitFido2Answer } from '../../src/contract/rpc.js';

interface TypedCode {
  accountId: string;
  code: string;
  auditContext: AuditContext;
}

export class TotpUnderTest {
  constructor(private readonly factor: TotpFactor) {}

  /** @returns the set-up, or the code that explains why there is none */
  async begin(slot: SetUpSlot): Promise<TotpSetupState | string> {
    const begun = await this.factor.begin(slot);
    return begun.kind === 'begun' ? begun.state : begun.code;
  }

  resume(slot: SetUpSlot): Promise<TotpSetupState | null> {
    return this.factor.resume(slot);
  }

  confirm({ code, ...setUp }: SetUp & { code: string }): Promise<SetUpResult> {
    return this.factor.confirm(setUp, { code });
  }

  verify({ code, ...proof }: TypedCode): Promise<FactorVerdict> {
    return this.factor.verify({ ...proof, answer: { code } });
  }

  async describe(accountId: string) {
    const [entry = null] = await this.factor.list(accountId);
    return entry;
  }

  remove(request: RemoveRequest): Promise<boolean> {
    return this.factor.remove(request);
  }
}

export class KeysUnderTest {
  constructor(private readonly factor: WebAuthnFactor) {}

  async beginRegistration(account: Account, boundTo: string): Promise<InitFido2Answer> {
    return (await this.factor.begin({ account, boundTo })).state;
  }

  finishRegistration({
    sessionId,
    credential,
    name = '',
    ...setUp
  }: SetUp & { sessionId: string; credential: unknown; name?: string }): Promise<SetUpResult> {
    const { replaces } = setUp;
    return this.factor.confirm(setUp, { sessionId, credentialJson: credential, name, ...(replaces && { replaces }) });
  }

  async beginAssertion(accountId: string, boundTo: string) {
    return (await this.factor.beginProof({ account: { id: accountId }, boundTo }))?.state ?? null;
  }

  finishAssertion({
    credential,
    ...proof
  }: {
    accountId: string;
    boundTo: string;
    credential: unknown;
    auditContext: AuditContext;
  }): Promise<FactorVerdict> {
    return this.factor.verify({ ...proof, answer: credential as FactorAnswer });
  }

  list(accountId: string) {
    return this.factor.list(accountId);
  }

  rename(change: Pick<RemoveRequest, 'accountId' | 'auditContext'>, entry: { id: string; name: string }): Promise<boolean> {
    return this.factor.rename(change, entry);
  }

  remove(id: string, request: RemoveRequest): Promise<boolean> {
    return this.factor.remove(request, id);
  }
}

export class RecoveryCodesUnderTest {
  constructor(
    private readonly codes: RecoveryCodes,
    private readonly factors: Factors,
  ) {}

  verify({ code, ...proof }: TypedCode): Promise<FactorVerdict> {
    return this.codes.verify({ ...proof, answer: { code } });
  }

  renew(accountId: string, auditContext: AuditContext): Promise<string[]> {
    return this.factors.renewRecoveryCodes({ accountId, auditContext });
  }

  async countLeft(accountId: string): Promise<number> {
    return (await this.codes.countLeft(accountId)).left;
  }
}
