/** The task of choosing a new password (`RequiredPasswords`). */
import { Inject, Injectable } from '@nestjs/common';
import { CredentialsFrozen } from '../../../../accounts/account/credential-freeze.js';
import type { RequiredPassword } from '../../../../accounts/account/account.js';
import { ReplacePassword } from '../../../../accounts/password/replace-password.js';
import { CONFIG } from '../../../../config/config.token.js';
import type { Config } from '../../../../config/config.js';
import { defined } from '../../../../config/defined.js';
import type { PasswordFault } from '../../../../contract/manage-state.js';
import type { PasswordTaskState } from '../../../../contract/task-state.js';
import { toPerson, type RequestContext } from '../../../../gateway/http/request-context.js';
import { RevocationRunner } from '../../../../hydra/revocation-runner.js';
import { toPasswordRequestUrl } from '../../login-url.js';
import { writeProof, type IdentifiedSignIn } from '../../sign-in.js';
import { findPasswordFault } from '../../typed-password.js';
import type { TaskForm } from './task.form.js';

export interface PasswordTaskFault {
  error: NonNullable<PasswordTaskState['error']>;
  reasons?: readonly PasswordFault[];
}

@Injectable()
export class PasswordTask {
  constructor(
    private readonly passwords: ReplacePassword,
    private readonly revocations: RevocationRunner,
    @Inject(CONFIG) private readonly config: Pick<Config, 'password' | 'mail'>,
  ) {}

  async toState(
    { account, challenge }: IdentifiedSignIn,
    { reason }: RequiredPassword,
  ): Promise<Pick<PasswordTaskState, 'kind' | 'required_by' | 'rules' | 'password_reset_url'>> {
    const { requireLower, requireUpper, requireDigit } = this.config.password;
    const rules = {
      min_length: await this.passwords.findMinLength(account),
      require_lower: requireLower,
      require_upper: requireUpper,
      require_digit: requireDigit,
    };
    const resetUrl = this.config.mail.server ? toPasswordRequestUrl(challenge) : undefined;
    return {
      kind: 'password',
      required_by: reason === 'breached' ? 'breached' : 'operator',
      rules,
      ...defined({ password_reset_url: resetUrl }),
    };
  }

  /**
   * @returns what is wrong with the form; `ended` if the sign-in or its proof of the password is no longer valid; null if the
   * password was replaced
   */
  async complete(signIn: IdentifiedSignIn, form: TaskForm, context: RequestContext): Promise<PasswordTaskFault | 'ended' | null> {
    const { password = '', password_repeat: repetition = '' } = form;
    const error = findPasswordFault(password, repetition);
    if (error) return { error };
    try {
      return await this.#replace(signIn, password, context);
    } catch (failure) {
      if (failure instanceof CredentialsFrozen) return { error: 'frozen' };
      throw failure;
    }
  }

  async #replace(
    signIn: IdentifiedSignIn,
    newPassword: string,
    context: RequestContext,
  ): Promise<PasswordTaskFault | 'ended' | null> {
    const { account, challenge, stepResult } = signIn;
    const { passwordVersion: version } = stepResult.proof.credential;
    if (version === undefined) return 'ended';
    const { browser, device } = context;
    const outcome = await this.passwords.replace({
      account,
      newPassword,
      version,
      signIn: { id: signIn.id, proofId: signIn.proofId },
      writeProof: (passwordVersion) =>
        writeProof({ ...stepResult, proof: { ...stepResult.proof, credential: { passwordVersion } } }, challenge),
      browser,
      device,
      auditContext: toPerson(context),
    });
    switch (outcome.kind) {
      case 'weak':
        return { error: 'password-strength', reasons: outcome.reasons };
      case 'same':
      case 'busy':
        return { error: outcome.kind };
      case 'ended':
        return 'ended';
      case 'changed':
        await this.revocations.settle(account.id, context.requestId);
        return null;
    }
  }
}
