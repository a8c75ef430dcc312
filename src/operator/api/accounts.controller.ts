/** Creates, lists, shows and changes accounts. Malformed and unknown ids are answered with the same 404. */
import type { ServerResponse } from 'node:http';
import { Body, Controller, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import type { OperatorRights } from '../../config/config.js';
import { checkLanguage } from '../../accounts/account/fields.js';
import { AccountList } from '../../accounts/account/account-list.js';
import { AccountListQuery, AccountPatchBody, NewAccountBody } from './account-bodies.js';
import { toAccountQuery } from './account-query.js';
import { toAccountAnswer, toListedAccountAnswer } from './answers.js';
import { CurrentOperatorContext, CurrentRights, type OperatorContext } from './operator-context.js';
import { ApprovalGate } from './approval-gate.js';
import { CreateAccount } from './create-account.js';
import { AccountDetails } from './account-details.js';
import { AccountLookup } from './account-lookup.js';
import { Operation } from './rights.guard.js';
import { OPERATOR_API, type AccountAnswer, type AccountDetailAnswer, type AccountListAnswer } from '../wire.js';
import { defined } from '../../config/defined.js';

@Controller(`${OPERATOR_API}/accounts`)
export class AccountsController {
  constructor(
    private readonly accountList: AccountList,
    private readonly lookup: AccountLookup,
    private readonly createAccount: CreateAccount,
    private readonly gate: ApprovalGate,
    private readonly details: AccountDetails,
  ) {}

  /**
   * Creates an account, with or without a password. Without one, its owner cannot sign in with a password yet.
   * @throws 409 approval_required username_taken email_taken, 422 missing too_short too_long characters format reserved password_refused, 503 busy
   */
  @Post()
  @Operation('accounts.create')
  async create(
    @Body() body: NewAccountBody,
    @CurrentOperatorContext() context: OperatorContext,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<AccountAnswer> {
    const { username, password, display_name, email, language, group_name, groups, attributes } = body;
    const newAccount = {
      username,
      ...defined({ displayName: display_name }),
      ...defined({ email }),
      ...(language === undefined ? {} : { language: checkLanguage(language) }),
      ...defined({ groupName: group_name }),
      ...defined({ groups }),
      ...defined({ attributes }),
    };
    const account = await this.createAccount.create(newAccount, password, context);
    response.setHeader('Location', `${OPERATOR_API}/accounts/${account.id}`);
    return toAccountAnswer(account);
  }

  /**
   * Lists the accounts that match all given filters, oldest first. With `signed_in_since` or `signed_in_before`, those that signed in last
   * come first.
   * @throws 400 wrong_type, 422 format too_long
   */
  @Get()
  @Operation('accounts.list')
  async list(@Query() query: AccountListQuery): Promise<AccountListAnswer> {
    const { accounts, nextCursor } = await this.accountList.page(toAccountQuery(query));
    return { accounts: accounts.map(toListedAccountAnswer), ...defined({ next_cursor: nextCursor }) };
  }

  /**
   * Shows an account, its second factors, and what the person has to do at the next sign-in.
   * @throws 404 account_not_found
   */
  @Get(':id')
  @Operation('accounts.show')
  async show(@Param('id') id: string, @CurrentRights() rights: readonly OperatorRights[]): Promise<AccountDetailAnswer> {
    return this.details.get(id, rights);
  }

  /**
   * Changes the given members of an account; null removes a value. If the e-mail address changes, the former address receives a notice.
   * @throws 404 account_not_found, 409 email_taken email_is_factor password_handed_out support_check_ended, 422 missing too_long characters format
   */
  @Patch(':id')
  @Operation('accounts.change')
  async change(
    @Param('id') id: string,
    @Body() body: AccountPatchBody,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<AccountAnswer> {
    return this.gate.run({ operation: 'accounts.change', account: await this.lookup.get(id), body }, context);
  }
}
