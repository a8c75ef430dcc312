/**
 * Checks that a person who calls the help desk is signed in to the account or reads its mail: the account area, or the page that a
 * mailed code opens, shows three words to read out.
 */
import { Body, Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { SupportChecks, type SupportCheck } from '../../accounts/operators/support-checks.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { OPERATOR_API } from '../wire.js';
import type { SupportCheckAnswer } from '../wire-support.js';
import { NoMembers, SupportAnswerBody } from './account-bodies.js';
import { AccountLookup } from './account-lookup.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { requireActive } from './reset-links.js';
import { Operation } from './rights.guard.js';

/** A longer text cannot be three words. */
const MAX_LENGTH = 200;

@Controller(`${OPERATOR_API}/accounts/:id/support-check`)
export class SupportCheckController {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly checks: SupportChecks,
    @Inject(CONFIG) private readonly config: Pick<Config, 'operator'>,
  ) {}

  /**
   * Shows the check that this operator or token began for an account, until it expires or is used up.
   * @throws 404 account_not_found support_check_not_found
   */
  @Get()
  @Operation('supportCheck.show')
  async show(@Param('id') id: string, @CurrentOperatorContext() auditContext: OperatorContext): Promise<SupportCheckAnswer> {
    const { id: accountId } = await this.lookup.get(id);
    const check = await this.checks.findOwn(accountId, auditContext);
    if (check) return toAnswer(check);
    throw new OperatorFault(404, 'support_check_not_found', 'You have no check for this account, or it has ended.');
  }

  /**
   * Begins a check of who is calling. Three words appear for ten minutes in the account area of the person, or on the page that a
   * mailed code opens; the answer does not contain them. An earlier check ends. Requires `SUPPORT_CHECK`.
   * @throws 404 account_not_found, 409 account_disabled support_check_off, 429 too_many_requests
   */
  @Post()
  @Operation('supportCheck.ask')
  @HttpCode(200)
  async ask(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() auditContext: OperatorContext,
  ): Promise<SupportCheckAnswer> {
    const account = await this.lookup.get(id);
    if (!this.config.operator.supportCheck) {
      throw new OperatorFault(409, 'support_check_off', 'The check of who is calling is turned off (SUPPORT_CHECK).');
    }
    requireActive(account);
    const result = await this.checks.ask(account.id, auditContext);
    if (result.kind === 'asked') return toAnswer(result.check);
    const headers = { 'Retry-After': String(result.seconds) };
    throw new OperatorFault(429, 'too_many_requests', 'Too many checks were begun within an hour: try again later.', { headers });
  }

  /**
   * Compares the words that the person read out. Only the operator or token that began the check may send them, three times at most.
   * @throws 404 account_not_found, 409 support_check_ended, 422 too_long
   */
  @Post('answer')
  @Operation('supportCheck.answer')
  @HttpCode(200)
  async answer(
    @Param('id') id: string,
    @Body() { words }: SupportAnswerBody,
    @CurrentOperatorContext() auditContext: OperatorContext,
  ): Promise<SupportCheckAnswer> {
    if (words.length > MAX_LENGTH) {
      throw new OperatorFault(422, 'too_long', `words must have at most ${MAX_LENGTH} characters.`, { field: 'words' });
    }
    const account = await this.lookup.get(id);
    const check = await this.checks.answer(account.id, words, auditContext);
    if (check) return toAnswer(check);
    throw new OperatorFault(409, 'support_check_ended', 'You have no open check for this account: begin one.');
  }
}

function toAnswer({ id, state, triesLeft, expiresAt }: SupportCheck): SupportCheckAnswer {
  return { id, state, tries_left: triesLeft, expires_at: expiresAt.toISOString() };
}
