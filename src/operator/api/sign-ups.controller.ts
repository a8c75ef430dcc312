/** Lists and decides the sign-ups that wait for an operator (`REGISTRATION=own-with-approval`). */
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import { countCodePoints, isPrintable } from '../../accounts/account/written-text.js';
import { ApproveSignUp } from '../../accounts/changes/approve-sign-up.js';
import { isDomainAllowed } from '../../accounts/changes/sign-up.js';
import { SignUpApplications, type SignUpApplication } from '../../accounts/changes/sign-up-applications.js';
import { AccountRights } from '../../accounts/operators/account-rights.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { defined } from '../../config/defined.js';
import { OPERATOR_API, type AccountAnswer } from '../wire.js';
import type { SignUpAnswer, SignUpListAnswer, SignUpRefusedAnswer } from '../wire-sign-ups.js';
import { toAccountAnswer } from './answers.js';
import { ChangeAccount } from './change-account.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';
import { SignUpApprovalBody, SignUpListQuery, SignUpRefusalBody } from './sign-up-bodies.js';

const MAX_MESSAGE = 500;

@Controller(`${OPERATOR_API}/sign-ups`)
export class SignUpsController {
  constructor(
    private readonly applications: SignUpApplications,
    private readonly approveSignUp: ApproveSignUp,
    private readonly accounts: Accounts,
    private readonly changes: ChangeAccount,
    private readonly rights: AccountRights,
    @Inject(CONFIG) private readonly config: Pick<Config, 'registration'>,
  ) {}

  /**
   * Lists the people who signed up and wait for a decision. Those who have waited longest come first.
   * @throws 400 wrong_type
   */
  @Get()
  @Operation('signUps.list')
  async list(@Query() { cursor, limit }: SignUpListQuery): Promise<SignUpListAnswer> {
    const page = await this.applications.list({
      ...defined({ cursor }),
      ...(limit === undefined ? {} : { limit: Number(limit) }),
    });
    return { sign_ups: page.applications.map(toAnswer), ...defined({ next_cursor: page.nextCursor }) };
  }

  /**
   * Creates the account of a person who signed up, and informs the person by mail. The account has the details and the password that the
   * person has entered. If the username was taken in the meantime, another one can be given. A call that is refused changes nothing.
   * @throws 404 sign_up_not_found, 409 approval_required grants_right domain_excluded username_taken email_taken, 422 too_short too_long characters format reserved
   */
  @Post(':application/approve')
  @Operation('signUps.approve')
  @HttpCode(200)
  async approve(
    @Param('application') id: string,
    @Body() { username }: SignUpApprovalBody,
    @CurrentOperatorContext() auditContext: OperatorContext,
  ): Promise<AccountAnswer> {
    const { details } = await this.applications.get(id);
    this.#requireAllowed(details);
    return toAccountAnswer(await this.approveSignUp.approve(id, { username }, auditContext));
  }

  /** The settings may have changed since the person signed up. @throws OperatorFault */
  #requireAllowed({ email, attributes: texts }: SignUpApplication['details']): void {
    const { signUp } = this.config.registration;
    if (signUp && !isDomainAllowed(email, signUp)) {
      const message =
        'SIGN_UP_DOMAINS or SIGN_UP_DOMAINS_DENIED now excludes this address: refuse the sign-up, or invite the person.';
      throw new OperatorFault(409, 'domain_excluded', message, { field: 'email' });
    }
    const attributes = this.accounts.attributes.fromTexts(texts);
    this.changes.requireNoNewAdmin({ attributes });
    if (this.rights.findBySetting({ group_name: null, groups: [], attributes, of_scim: false }).length === 0) return;
    const message =
      'OPERATORS now gives a right to accounts with the attributes that the person has entered: refuse the sign-up, or invite the person.';
    throw new OperatorFault(409, 'grants_right', message, { field: 'attributes' });
  }

  /**
   * Refuses a person who signed up, deletes what the person had entered, and informs the person by mail.
   * @throws 404 sign_up_not_found, 422 too_long characters
   */
  @Post(':application/refuse')
  @Operation('signUps.refuse')
  @HttpCode(200)
  async refuse(
    @Param('application') id: string,
    @Body() { message }: SignUpRefusalBody,
    @CurrentOperatorContext() auditContext: OperatorContext,
  ): Promise<SignUpRefusedAnswer> {
    const words = message?.trim();
    if (words !== undefined) requireMailable(words);
    await this.applications.refuse(id, words === undefined || words === '' ? {} : { words }, auditContext);
    return { id };
  }
}

/** @throws OperatorFault */
function requireMailable(words: string): void {
  if (countCodePoints(words) > MAX_MESSAGE)
    throw new OperatorFault(422, 'too_long', `message must have at most ${MAX_MESSAGE} characters.`, { field: 'message' });
  if (isPrintable(words)) return;
  const message = 'message must not contain line breaks, control characters or direction marks.';
  throw new OperatorFault(422, 'characters', message, { field: 'message' });
}

function toAnswer({ id, details, client, askedAt, expiresAt }: SignUpApplication): SignUpAnswer {
  return {
    id,
    email: details.email,
    username: details.username ?? null,
    display_name: details.displayName ?? null,
    attributes: details.attributes,
    client_id: client.id,
    client_name: client.name,
    asked_at: askedAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}
