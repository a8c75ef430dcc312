/**
 * Sensitive changes need a fresh proof (MAN-14, ASVS 7.5.1) and credentials that are not frozen; sessions, trusted browsers, apps
 * and activity need a sign-in. The use cases check this, so that no form or call can omit it.
 */
import { Inject, Injectable } from '@nestjs/common';
import { maskEmail } from '../../accounts/account/masked-email.js';
import type { FactorCounts } from '../../accounts/account/factor-counts.js';
import { CredentialFreeze, CredentialsFrozen } from '../../accounts/account/credential-freeze.js';
import { PasswordProof } from '../../accounts/password/proof.js';
import { ProofCodes } from '../../accounts/secrets/proof-codes.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { ManageConfirmState } from '../../contract/manage-state.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { Factors } from '../../mfa/factors.js';
import { hasFactor, isSecondFactor } from '../../mfa/held-factors.js';
import { FactorRegistry } from '../../mfa/registry.js';
import { toProofSlot, type ManageContext } from './manage-session.js';

export type ProofMethods = Pick<ManageConfirmState, 'methods' | 'mail'>;

/** A change needs a fresh proof, or a page needs a sign-in, and the session does not have it. */
export class ProofRequired extends CallFailed {
  constructor(readonly proofMethods: ProofMethods) {
    super('proof required', { detail: { methods: proofMethods.methods } });
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
   * Finds the proofs that the person can give. If Foyer can send mail to the account, a mailed code is offered in two cases: the
   * person can prove nothing else, or passkeys are the only method and the address is verified, because the device with the passkey
   * may be lost.
   */
  async findMethods({ account, session }: ManageContext): Promise<ProofMethods> {
    const { id: accountId, email, emailVerified } = account;
    const [isSet, counts] = await Promise.all([this.passwords.isSet(accountId), this.factors.readCounts(accountId)]);
    const isEnough = isSet && this.#isPasswordEnough(session, counts);
    const methods = [...(isEnough ? ['password'] : []), ...this.factors.findUsableKinds(counts).map(({ name }) => name)];
    const mayMail = methods.length === 0 || (emailVerified && this.#hasPasskey(counts));
    if (!mayMail || hasFactor(counts) || email === undefined || !this.config.mail.server) return { methods };
    const isSent = await this.codes.isWaiting({ accountId, sessionId: session.sessionId });
    return { methods: [...methods, 'mail'], mail: { address: maskEmail(email), sent: isSent } };
  }

  /** Whether a password is a fresh proof in this session, if the account has one. */
  async acceptsPassword({ account, session }: ManageContext): Promise<boolean> {
    return this.#isPasswordEnough(session, await this.factors.readCounts(account.id));
  }

  /**
   * @param wantedMethod name of a method
   * @returns the wanted method if it is offered, otherwise the first offered method, or `password` if none is offered; `factor` is
   * the state of the method if it is a factor and needs a state
   */
  async chooseMethod(
    manageContext: ManageContext,
    { methods }: ProofMethods,
    wantedMethod: string | null | undefined,
  ): Promise<Pick<ManageConfirmState, 'method' | 'factor'>> {
    const method = methods.find((name) => name === wantedMethod) ?? methods[0] ?? 'password';
    const factor = await this.registry.find(method)?.findProofState(toProofSlot(manageContext));
    return { method, ...(factor ? { factor } : {}) };
  }

  /**
   * Requires a fresh proof and credentials that are not frozen. A set-up during a sign-in has the proof of that sign-in.
   * @throws ProofRequired, CallFailed
   */
  async require(manageContext: ManageContext): Promise<void> {
    const { session } = manageContext;
    if (session.scope === 'enrol') return;
    await this.requireNotFrozen(manageContext);
    if (!session.isFresh) throw new ProofRequired(await this.findMethods(manageContext));
  }

  /**
   * Requires any proof in this session, however old, or a sign-in in its browser. An access token alone must not be enough to
   * show or end sessions. @throws ProofRequired
   */
  async requireSignIn(manageContext: ManageContext): Promise<void> {
    if (!manageContext.session.isSignedIn) throw new ProofRequired(await this.findMethods(manageContext));
  }

  /**
   * For a change that includes the current password: requires credentials that are not frozen and, unless the password itself is a
   * proof, a fresh proof.
   * @throws ProofRequired, CallFailed
   */
  async requireWithPassword(manageContext: ManageContext): Promise<void> {
    await this.requireNotFrozen(manageContext);
    if (!manageContext.session.isFresh && !(await this.acceptsPassword(manageContext)))
      throw new ProofRequired(await this.findMethods(manageContext));
  }

  /** @throws CallFailed */
  async requireNotFrozen({ session }: ManageContext): Promise<void> {
    const freeze = await this.freeze.find(session.accountId);
    if (freeze) throw new CallFailed('credentials frozen', { retryAfterSeconds: freeze.seconds });
  }

  /**
   * Runs a change whose transaction checks for frozen credentials again, because they may be frozen after `require`.
   * @throws CallFailed in place of CredentialsFrozen, and the other errors of `change`
   */
  async runUnfrozen<Result>(manageContext: ManageContext, change: () => Promise<Result>): Promise<Result> {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof CredentialsFrozen)) throw error;
      await this.requireNotFrozen(manageContext);
      // The freeze has ended in the meantime, so the change can be repeated at once.
      throw new CallFailed('credentials frozen', { retryAfterSeconds: 1 });
    }
  }

  /**
   * Whether a password is a fresh proof. If the account has a second factor, the password is a proof only in a session in which a
   * factor was proven: otherwise, anyone who knows the password could remove the factor. While passkeys are turned on, the password
   * is not a proof for an account with a passkey, because anyone who knows the password could replace the passkey.
   */
  #isPasswordEnough({ hasProvenFactor }: ManageContext['session'], counts: FactorCounts): boolean {
    return (hasProvenFactor || !hasFactor(counts)) && !this.#hasPasskey(counts);
  }

  /** Whether the account has a passkey, if the installation uses passkeys. */
  #hasPasskey(counts: FactorCounts): boolean {
    return this.factors.findUsableKinds(counts).some((kind) => !isSecondFactor(kind));
  }
}
