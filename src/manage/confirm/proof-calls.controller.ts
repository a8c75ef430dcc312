/** A fresh proof by calls. */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { AssertionOptionsAnswer } from '../../contract/rpc.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { ManagePages } from '../session/manage-pages.js';
import { bodyText, callBody } from '../session/call-body.js';
import { CurrentManageRequest } from '../session/manage-session.js';
import type { ManageRequest } from '../session/manage-session.js';
import { ConfirmProof } from './confirm-proof.js';
import { MailedProof } from './mailed-proof.js';

@RpcCall()
@Controller(`${PATHS.manageRpc}/proof`)
export class ProofCallsController {
  constructor(
    private readonly edge: ManagePages,
    private readonly proof: ConfirmProof,
    private readonly mailed: MailedProof,
  ) {}

  @Post('password')
  @HttpCode(200)
  async password(@Body() body: unknown, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    const password = bodyText(callBody(body), FIELDS.password);
    await this.proof.byPassword(password, await this.edge.current(request));
    return {};
  }

  @Post('totp')
  @HttpCode(200)
  async totp(@Body() body: unknown, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    const code = bodyText(callBody(body), FIELDS.code);
    await this.proof.byCode(code, await this.edge.current(request));
    return {};
  }

  @Post('init-mail')
  @HttpCode(200)
  async initMail(@CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.mailed.send(await this.edge.current(request));
    return {};
  }

  @Post('verify-mail')
  @HttpCode(200)
  async verifyMail(@Body() body: unknown, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    const code = bodyText(callBody(body), FIELDS.code);
    await this.mailed.verify(code, await this.edge.current(request));
    return {};
  }

  @Post('init-fido2')
  @HttpCode(200)
  async initFido2(@CurrentManageRequest() request: ManageRequest): Promise<AssertionOptionsAnswer> {
    return this.proof.beginByKey(await this.edge.current(request));
  }

  @Post('verify-fido2')
  @HttpCode(200)
  async verifyFido2(@Body() body: unknown, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.proof.byKey(callBody(body), await this.edge.current(request));
    return {};
  }
}
