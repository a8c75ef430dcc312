/** The last step of a sign-up: the password, or a passkey in its place. */
import { Injectable } from '@nestjs/common';
import { SignUp } from '../../../../accounts/changes/sign-up.js';
import { PASSWORD_ONLY } from '../../../../contract/authentication.js';
import { toPerson, type RequestContext } from '../../../../gateway/http/request-context.js';
import type { Outcome } from '../../../../gateway/page/outcome.js';
import { SameForms } from '../../../../gateway/page/same-forms.js';
import { SignUpPasskeys } from '../../../../passkeys/sign-up-passkeys.js';
import { bindAnswer } from '../../answers.js';
import { findPasswordFault } from '../../typed-password.js';
import { ProvenSignUps, type ProvenSignUp } from './proven-sign-up.js';
import { SignUpEnd } from './sign-up-end.js';
import { SignUpPages } from './sign-up.pages.js';

export interface TypedPassword {
  challenge: string;
  password: string;
  repetition: string;
}

@Injectable()
export class SignUpPasswordFlow {
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly provenSignUps: ProvenSignUps,
    private readonly pages: SignUpPages,
    private readonly signUp: SignUp,
    private readonly passkeys: SignUpPasskeys,
    private readonly end: SignUpEnd,
  ) {}

  /** `POST /register/password` */
  async submit({ challenge, password, repetition }: TypedPassword, requestContext: RequestContext): Promise<Outcome> {
    const context = bindAnswer(requestContext, password);
    return this.provenSignUps.run(challenge, context, async ({ signIn, progress }) => {
      const error = context.xsrf === null ? 'stale' : findPasswordFault(password, repetition);
      if (error !== null) return this.pages.password({ request: signIn.request, progress }, { error }, context);
      return this.#sameForms.runOnce([challenge, context.xsrf ?? '', password], async () => {
        const auditContext = toPerson(context, signIn.request.uiLocales);
        const result = await this.signUp.create({ details: progress.details, password, auditContext });
        return this.end.answer({ signIn, progress, result, amr: PASSWORD_ONLY.amr }, context);
      });
    });
  }

  /** `POST /register/password` with a passkey. @param credential JSON of a credential that the browser created */
  async submitPasskey(challenge: string, credential: string, requestContext: RequestContext): Promise<Outcome> {
    const context = bindAnswer(requestContext, credential);
    return this.provenSignUps.run(challenge, context, ({ signIn, progress }) => {
      if (context.xsrf === null) return this.pages.password({ request: signIn.request, progress }, { error: 'stale' }, context);
      return this.#sameForms.runOnce([challenge, context.xsrf, credential], () =>
        this.#createWithPasskey({ signIn, progress }, credential, context),
      );
    });
  }

  async #createWithPasskey({ signIn, progress }: ProvenSignUp, credential: string, context: RequestContext): Promise<Outcome> {
    const { challenge, request } = signIn;
    const { details } = progress;
    // The passkey was created for the browser id under which the page was shown. This may be an earlier id of the browser.
    const slot = { challenge, browser: context.formBrowser, email: details.email };
    const newPasskey = await this.passkeys.verify(slot, credential);
    if (newPasskey === null) return this.pages.password({ request, progress }, { error: 'passkey' }, context);
    const auditContext = toPerson(context, request.uiLocales);
    const result = await this.signUp.createWith({
      details,
      auditContext,
      insert: ({ id }, trx) => this.passkeys.insert(id, newPasskey, { auditContext, trx }),
    });
    return this.end.answer({ signIn, progress, result, amr: newPasskey.methods }, context);
  }
}
