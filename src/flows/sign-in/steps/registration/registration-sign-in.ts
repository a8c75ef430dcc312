/** Creates or finds the account that the registration service names, once, and signs the person in to it. */
import { Injectable } from '@nestjs/common';
import { AccountFieldInvalid, AttributeInvalid, EmailTaken, UsernameTaken } from '../../../../accounts/account/account.errors.js';
import { Accounts, type Account, type NewAccount } from '../../../../accounts/account/accounts.js';
import type { AuditContext } from '../../../../accounts/audit/audit-log.js';
import { SourceAdmission } from '../../../../accounts/password/source-admission.js';
import { Factors } from '../../../../mfa/factors.js';
import {
  TicketExpired,
  RegistrationTickets,
  type RegistrationResult,
} from '../../../../accounts/secrets/registration-tickets.js';
import { redirect, type Outcome } from '../../../../gateway/page/outcome.js';
import { toPerson, type RequestContext } from '../../../../gateway/http/request-context.js';
import type { LoginRequest } from '../../../../hydra/hydra.port.js';
import { toWireName } from '../../../../providers/registration/registration-answer.js';
import { Dispatch } from '../../dispatch.js';
import type { SignIn } from '../../sign-in.js';
import type { AcceptedAnswer } from './answer-verification.js';
import { StartRegistrationFlow } from './start.flow.js';
import type { RegistrationStatus } from './screens.js';
import { toLoginUrl } from '../../login-url.js';

interface VerifiedAccount {
  account: Account;
  /** A session that starts with this proof has to present the stamp; see `accounts/account/security-stamp.ts`. */
  securityStamp: string;
}

/** The ticket that was answered, and the time of the answer by the service's clock. */
interface AnswerSource {
  handle: string;
  issuedAt: Date;
}

@Injectable()
export class RegistrationSignIn {
  constructor(
    private readonly tickets: RegistrationTickets,
    private readonly accounts: Accounts,
    private readonly factors: Factors,
    private readonly dispatch: Dispatch,
    private readonly startRegistration: StartRegistrationFlow,
    private readonly sources: SourceAdmission,
  ) {}

  /**
   * @returns where the browser goes: on with the sign-in, to the login page, or back to the service, which has to correct its
   * answer; or the status to show if the sign-in cannot continue
   */
  async signIn(signIn: SignIn, acceptedAnswer: AcceptedAnswer, context: RequestContext): Promise<Outcome | RegistrationStatus> {
    try {
      const verifiedAccount = await this.#verifyAccount(acceptedAnswer, context);
      return verifiedAccount ? await this.#dispatch(signIn, verifiedAccount, context) : 'error';
    } catch (error) {
      if (error instanceof TicketExpired) return 'error-token';
      if (error instanceof UsernameTaken || error instanceof EmailTaken || error instanceof AccountFieldInvalid) {
        return this.#sendBack(signIn.request, acceptedAnswer, { error, context });
      }
      throw error;
    }
  }

  /**
   * The first accepted answer to a ticket decides; a later answer signs in to the same account.
   * @returns null if the account may not sign in
   */
  async #verifyAccount(acceptedAnswer: AcceptedAnswer, context: RequestContext): Promise<VerifiedAccount | null> {
    const { answer, key } = acceptedAnswer;
    const source = { handle: key.handle, issuedAt: answer.issuedAt };
    const auditContext = toPerson(context);
    const registration = await this.#findRegistration(acceptedAnswer, source, auditContext);
    if (!registration) return null;
    return this.#findActive(await this.tickets.settle(key, registration, auditContext), source);
  }

  /**
   * @returns the account to create, or the id of the account that an earlier answer settled or this answer names; null if that account
   * may not sign in
   */
  async #findRegistration(
    { answer, ticket }: AcceptedAnswer,
    source: AnswerSource,
    auditContext: AuditContext,
  ): Promise<RegistrationResult | null> {
    if (ticket.accountId === null && answer.kind === 'new') {
      // Every field is validated when the account is created.
      const account = answer.person as NewAccount;
      await this.accounts.requireUnknownToSources(account.username);
      return { account };
    }
    const accountId = ticket.accountId ?? (answer.kind === 'existing' ? answer.accountId : null);
    const verifiedAccount = accountId === null ? null : await this.#findActive(accountId, source);
    // The service does not know whether the person has left a user source, which may also happen between two answers.
    if (!verifiedAccount || !(await this.sources.maySignIn(verifiedAccount.account.id, auditContext))) return null;
    return { accountId: verifiedAccount.account.id };
  }

  /** @returns null if the account does not exist, is disabled, or its access has ended since (`findSecurityStamp`) */
  async #findActive(id: string, source: AnswerSource): Promise<VerifiedAccount | null> {
    const securityStamp = await this.tickets.findSecurityStamp(id, source);
    const account = securityStamp === null ? null : await this.accounts.find(id);
    return account?.status === 'active' && securityStamp !== null ? { account, securityStamp } : null;
  }

  /** The service proves the identity (`fed`); a second factor is required as after a password. */
  async #dispatch(
    signIn: SignIn,
    { account, securityStamp }: VerifiedAccount,
    context: RequestContext,
  ): Promise<Outcome | RegistrationStatus> {
    const factors = await this.factors.readCounts(account.id);
    const proof = { account, factors, amr: ['fed'] as const, credential: { securityStamp } };
    const browser = { remember: this.dispatch.remembers(undefined), isDeviceStored: false };
    const result = await this.dispatch.afterProof(signIn, { proof, browser }, context);
    if (result.kind === 'answer') return result.answer;
    switch (result.refusal) {
      case 'ended':
        return 'error';
      // The login page of the same request asks for the password.
      case 'own-proof':
      case 'no-set-up':
      case 'new-proof':
        return redirect(toLoginUrl(signIn.challenge));
      // The account exists, but the waiting sign-in has been finished elsewhere or abandoned.
      case 'missing':
      case 'expired':
      case 'used':
      case 'foreign':
      case 'no-cookies':
        return 'success';
    }
  }

  /** The form belongs to the service, so errors that a person can correct are sent back there. */
  async #sendBack(
    request: LoginRequest,
    { key, ticket: { hints } }: AcceptedAnswer,
    { error, context }: { error: UsernameTaken | EmailTaken | AccountFieldInvalid; context: RequestContext },
  ): Promise<Outcome | RegistrationStatus> {
    if (!(await this.tickets.refuse(key))) return 'error';
    const pointer = error instanceof AttributeInvalid ? { pointer: error.pointer } : {};
    const refusedField = { code: error.code, field: toWireName(error.field), ...pointer };
    return this.startRegistration.send(request, { handle: key.handle, hints, refused: refusedField }, context);
  }
}
