/** RPC calls for a fresh proof. */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { FACTOR_CALLS } from '../../contract/factor-paths.js';
import { FIELDS } from '../../contract/form-fields.js';
import type { FactorSetupState } from '../../contract/mfa-state.js';
import { PATHS } from '../../contract/paths.js';
import { CallBody } from '../../gateway/http/body-rules.js';
import { CallText } from '../../gateway/http/form-fields.decorators.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { readFactorBody } from '../../mfa/factor-body.js';
import { FactorRegistry, KINDS, buildPaths } from '../../mfa/registry.js';
import { ManagePages } from '../session/manage-pages.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
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

const BEGIN = buildPaths(FACTOR_CALLS.beginProof, ({ proofBegins }) => proofBegins);
const PROVE = KINDS.map(({ name, proofBegins }) => FACTOR_CALLS.prove(name, proofBegins));

@RpcCall()
@Controller(PATHS.manageRpc)
export class ProofCallsController {
  constructor(
    private readonly pages: ManagePages,
    private readonly proof: ConfirmProof,
    private readonly mailedProof: MailedProof,
    private readonly registry: FactorRegistry,
  ) {}

  @Post('proof/password')
  @HttpCode(200)
  async provePassword(@Body() { password }: PasswordBody, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.proof.provePassword(password, await this.pages.loadContext(request));
    return {};
  }

  @Post('proof/init-mail')
  @HttpCode(200)
  async initMail(@CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.mailedProof.send(await this.pages.loadContext(request));
    return {};
  }

  @Post('proof/verify-mail')
  @HttpCode(200)
  async verifyMail(@Body() { code }: CodeBody, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.mailedProof.verify(code, await this.pages.loadContext(request));
    return {};
  }

  @Post(BEGIN)
  @HttpCode(200)
  async begin(@CurrentManageRequest() request: ManageRequest): Promise<FactorSetupState> {
    return this.proof.begin(this.registry.getByPath(request.context.path), await this.pages.loadContext(request));
  }

  @Post(PROVE)
  @HttpCode(200)
  async prove(@Body() body: unknown, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    const factor = this.registry.getByPath(request.context.path);
    const answer = await readFactorBody(factor.bodies.proof, body);
    await this.proof.proveFactor(factor, answer, await this.pages.loadContext(request));
    return {};
  }
}
