/**
 * Sensitive changes need a recent proof of a password or factor (MAN-14, ASVS 7.5.1) and credentials that are not
 * frozen. The use cases check both, so that no form or call can leave them out.
 */
import { Inject, Injectable } from '@nestjs/common';
import { maskedEmail } from '../../accounts/account/masked-email.js';
import { CredentialFreeze } from '../../accounts/account/credential-freeze.js';
import { PasswordProof } from '../../accounts/password/proof.js';
import { ProofCodes } from '../../accounts/secrets/proof-codes.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { ManageConfirmState } from '../../contract/manage-state.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { Factors } from '../../mfa/factors.js';
import { hasFactor } from '../../mfa/held-factors.js';
import { FactorRegistry } from '../../mfa/registry.js';
import { proofSlotOf } from './manage-session.js';
import type { ManageContext } from './manage-session.js';

export type ProofMethods = Pick<ManageConfirmState, 'methods' | 'mail'>;

/** The last proof is too old. */
export class ProofRequired extends CallFailed {
  constructor(readonly ways: ProofMethods) {
    super('proof required', { detail: { methods: ways.methods } });
  }
}

@Injectable()
export class FreshProof {
  constructor(
    private readonly factors: Factors,
    private readonly registry: FactorRegistry,
    private readonly passwords: PasswordProof,
    private readonly codes: ProofCodes,
    private readonly freeze: CredentialFreeze,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mail'>,
  ) {}

  /**
   * A mailed code is offered only if the account has no password and no factor; the password not where it was all that a
   * trusted browser asked for: it would prove no more.
   */
  async waysOf({ account, session }: ManageContext): Promise<ProofMethods> {
    const { id: accountId, email } = account;
    const [isSet, held] = await Promise.all([this.passwords.isSet(accountId), this.factors.status(accountId)]);
    const isEnough = !(session.isTrusted && hasFactor(held));
    const methods = [...(isSet && isEnough ? ['password'] : []), ...this.factors.heldKinds(held).map(({ name }) => name)];
    if (methods.length > 0 || hasFactor(held) || email === undefined || !this.config.mail.server) return { methods };
    const sent = await this.codes.isWaiting({ accountId, sessionId: session.sessionId });
    return { methods: ['mail'], mail: { address: maskedEmail(email), sent } };
  }

  /** @param wanted what was asked for; the first one where it is not there */
  async chosen(
    current: ManageContext,
    { methods }: ProofMethods,
    wanted: string | null | undefined,
  ): Promise<Pick<ManageConfirmState, 'method' | 'factor'>> {
    const method = methods.find((name) => name === wanted) ?? methods[0] ?? 'password';
    const factor = await this.registry.find(method)?.proofState?.(proofSlotOf(current));
    return { method, ...(factor ? { factor } : {}) };
  }

  /** A set-up during a sign-in comes with the proof of that sign-in. Throws ProofRequired, CallFailed */
  async require(current: ManageContext): Promise<void> {
    const { session } = current;
    if (session.scope === 'enrol') return;
    await this.requireNotFrozen(current);
    if (!session.isFresh) throw new ProofRequired(await this.waysOf(current));
  }

  /** For changes that include a proof of their own. @throws CallFailed */
  async requireNotFrozen({ session }: ManageContext): Promise<void> {
    const frozen = await this.freeze.find(session.accountId);
    if (frozen) throw new CallFailed('credentials frozen', { retryAfterSeconds: frozen.seconds });
  }
}
