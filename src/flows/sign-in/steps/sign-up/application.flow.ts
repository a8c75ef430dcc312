/** The last step of a sign-up that an operator has to approve: a hash of the password is stored with the details, and nobody is signed in. */
import { Injectable } from '@nestjs/common';
import { ApplyForAccount } from '../../../../accounts/changes/apply-for-account.js';
import { toPerson, type RequestContext } from '../../../../gateway/http/request-context.js';
import { redirect, type Outcome } from '../../../../gateway/page/outcome.js';
import { SameForms } from '../../../../gateway/page/same-forms.js';
import { findReturnUrl } from '../../../../hydra/client-links.js';
import type { LoginRequest } from '../../../../hydra/hydra.port.js';
import { bindAnswer } from '../../answers.js';
import { toSignUpUrl } from '../../login-url.js';
import { findPasswordFault } from '../../typed-password.js';
import type { TypedPassword } from './password.flow.js';
import { SignUpProgress, type Progress } from './progress.js';
import { ProvenSignUps } from './proven-sign-up.js';
import { SignUpPages } from './sign-up.pages.js';

@Injectable()
export class SignUpApplicationFlow {
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly provenSignUps: ProvenSignUps,
    private readonly pages: SignUpPages,
    private readonly progress: SignUpProgress,
    private readonly applyForAccount: ApplyForAccount,
  ) {}

  /** Whether an operator has to approve every account. */
  get isRequired(): boolean {
    return this.pages.settings.approval !== undefined;
  }

  /** `POST /register/password` */
  async submit(typedPassword: TypedPassword, requestContext: RequestContext): Promise<Outcome> {
    const { challenge, password, repetition } = typedPassword;
    const context = bindAnswer(requestContext, password);
    return this.provenSignUps.run(challenge, context, async ({ signIn: { request }, progress }) => {
      const error = context.xsrf === null ? 'stale' : findPasswordFault(password, repetition);
      if (error !== null) return this.pages.password({ request, progress }, { error }, context);
      return this.#sameForms.runOnce([challenge, context.xsrf ?? '', password], () =>
        this.#apply(request, progress, { password, context }),
      );
    });
  }

  async #apply(
    request: LoginRequest,
    progress: Progress,
    { password, context }: { password: string; context: RequestContext },
  ): Promise<Outcome> {
    const { client, uiLocales } = request;
    const { details } = progress;
    const result = await this.applyForAccount.apply({
      details,
      password,
      client: { id: client.id, name: client.name, url: findReturnUrl(client, undefined, []) },
      auditContext: toPerson(context, uiLocales),
    });
    switch (result.kind) {
      case 'weak':
        return this.pages.password({ request, progress }, { error: 'password-strength', reasons: result.reasons }, context);
      case 'limited':
        return this.pages.details(request, { details, error: 'limited', retryAfter: result.retryAfter }, context);
      case 'full':
        return this.pages.details(request, { details, error: 'full' }, context);
      case 'busy':
        return this.pages.password({ request, progress }, { error: 'busy' }, context);
      case 'exists':
        return this.pages.showExistingAccount(request, context);
      case 'waits':
        // The page is the answer to a redirect, so that a reload sends nothing again.
        return redirect(toSignUpUrl(request.challenge), { signUp: this.progress.seal(toWaitingProgress(progress)) });
    }
  }
}

/** Keeps only the address in the browser, and nothing else that was entered. */
function toWaitingProgress({ challengeHash, details: { email } }: Progress): Progress {
  const details = { email, attributes: {} };
  return { challengeHash, details, code: null, isEmailProven: false, isUsernameTaken: false, isWaiting: true };
}
