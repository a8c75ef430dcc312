/** RPC calls for a fresh proof. */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Allow } from 'class-validator';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { AssertionOptionsAnswer } from '../../contract/rpc.js';
import { CallBody } from '../../gateway/http/body-rules.js';
import { CallText } from '../../gateway/http/form-fields.decorators.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { ManagePages } from '../session/manage-pages.js';
import { CurrentManageRequest } from '../session/manage-session.js';
import type { ManageRequest } from '../session/manage-session.js';
import { ConfirmProof } from './confirm-proof.js';
import { MailedProof } from './mailed-proof.js';

@CallBody()
class PasswordBody {
  @CallText()
  [FIELDS.password] = '';
}

@CallBody()
class CodeBody {
  @CallText()
  [FIELDS.code] = '';
}

/** The authenticator's response; the factor verifies it. */
@CallBody()
class KeyAnswerBody {
  @Allow()
  id: unknown;

  @Allow()
  rawId: unknown;

  @Allow()
  type: unknown;

  @Allow()
  response: unknown;
}

@RpcCall()
@Controller(`${PATHS.manageRpc}/proof`)
export class ProofCallsController {
  constructor(
    private readonly pages: ManagePages,
    private readonly proof: ConfirmProof,
    private readonly mailed: MailedProof,
  ) {}

  @Post('password')
  @HttpCode(200)
  async password(@Body() { password }: PasswordBody, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.proof.byPassword(password, await this.pages.current(request));
    return {};
  }

  @Post('totp')
  @HttpCode(200)
  async totp(@Body() { code }: CodeBody, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.proof.byCode(code, await this.pages.current(request));
    return {};
  }

  @Post('init-mail')
  @HttpCode(200)
  async initMail(@CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.mailed.send(await this.pages.current(request));
    return {};
  }

  @Post('verify-mail')
  @HttpCode(200)
  async verifyMail(@Body() { code }: CodeBody, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.mailed.verify(code, await this.pages.current(request));
    return {};
  }

  @Post('init-fido2')
  @HttpCode(200)
  async initFido2(@CurrentManageRequest() request: ManageRequest): Promise<AssertionOptionsAnswer> {
    return this.proof.beginByKey(await this.pages.current(request));
  }

  @Post('verify-fido2')
  @HttpCode(200)
  async verifyFido2(@Body() answer: KeyAnswerBody, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.proof.byKey(answer, await this.pages.current(request));
    return {};
  }
}
