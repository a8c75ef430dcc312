/** Accounts: create, list, show, change. Malformed and unknown ids get the same 404. */
import type { ServerResponse } from 'node:http';
import { Body, Controller, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { checkLanguage, checkSecondFactor } from '../../accounts/account/fields.js';
import { Accounts } from '../../accounts/account/accounts.js';
import type { AccountPatch } from '../../accounts/account/accounts.js';
import { CredentialFreeze } from '../../accounts/account/credential-freeze.js';
import { Factors } from '../../mfa/factors.js';
import { AccountListQuery, AccountPatchBody, NewAccountBody } from './account-bodies.js';
import { accountAnswer, accountDetailAnswer } from './answers.js';
import { CurrentOperatorContext } from './operator-context.js';
import type { OperatorContext } from './operator-context.js';
import { CreateAccount } from './create-account.js';
import { AccountLookup } from './account-lookup.js';
import { OPERATOR_API } from '../wire.js';
import type { AccountAnswer, AccountDetailAnswer, AccountListAnswer } from '../wire.js';

@Controller(`${OPERATOR_API}/accounts`)
export class AccountsController {
  constructor(
    private readonly accounts: Accounts,
    private readonly lookup: AccountLookup,
    private readonly createAccount: CreateAccount,
    private readonly factors: Factors,
    private readonly freeze: CredentialFreeze,
  ) {}

  /**
   * Makes an account, with a password or without one. Without, its owner cannot sign in by password yet.
   * @throws 409 username_taken, 422 missing too_short too_long characters format password_refused, 503 busy
   */
  @Post()
  async create(
    @Body() body: NewAccountBody,
    @CurrentOperatorContext() context: OperatorContext,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<AccountAnswer> {
    const { username, password, display_name, email, language, group_name } = body;
    const wanted = {
      username,
      ...(display_name === undefined ? {} : { displayName: display_name }),
      ...(email === undefined ? {} : { email }),
      ...(language === undefined ? {} : { language: checkLanguage(language) }),
      ...(group_name === undefined ? {} : { groupName: group_name }),
    };
    const account = await this.createAccount.create(wanted, password, context);
    response.setHeader('Location', `${OPERATOR_API}/accounts/${account.id}`);
    return accountAnswer(account);
  }

  /**
   * Lists accounts, the oldest first.
   * @throws 422 format
   */
  @Get()
  async list(@Query() query: AccountListQuery): Promise<AccountListAnswer> {
    const { username, email, cursor, limit } = query;
    const { accounts, nextCursor } = await this.accounts.list({
      ...(username === undefined ? {} : { username }),
      ...(email === undefined ? {} : { email }),
      ...(cursor === undefined ? {} : { cursor }),
      ...(limit === undefined ? {} : { limit: Number(limit) }),
    });
    return { accounts: accounts.map(accountAnswer), ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }) };
  }

  /**
   * Shows an account and which second factors it has.
   * @throws 404 account_not_found
   */
  @Get(':id')
  async show(@Param('id') id: string): Promise<AccountDetailAnswer> {
    const account = await this.lookup.get(id);
    const [factors, frozen] = await Promise.all([this.factors.status(account.id), this.freeze.find(account.id)]);
    return accountDetailAnswer(account, factors, frozen);
  }

  /**
   * Changes what is named and leaves the rest; null takes a value away.
   * @throws 404 account_not_found, 422 missing too_long characters format
   */
  @Patch(':id')
  async change(
    @Param('id') id: string,
    @Body() body: AccountPatchBody,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<AccountAnswer> {
    const account = await this.lookup.get(id);
    return accountAnswer(await this.accounts.update(account.id, patchOf(body, account.username), context));
  }
}

/** @param username the default of the display name */
function patchOf(body: AccountPatchBody, username: string): AccountPatch {
  const { display_name, email, language, group_name, picture, second_factor } = body;
  return {
    ...(display_name === undefined ? {} : { displayName: display_name ?? username }),
    ...(email === undefined ? {} : { email }),
    ...(language === undefined ? {} : { language: language === null ? null : checkLanguage(language) }),
    ...(group_name === undefined ? {} : { groupName: group_name }),
    ...(picture === undefined ? {} : { picture }),
    ...(second_factor === undefined ? {} : { secondFactor: second_factor === null ? null : checkSecondFactor(second_factor) }),
  };
}
