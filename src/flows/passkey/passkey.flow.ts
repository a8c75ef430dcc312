/**
 * The form with the assertion of a passkey. It proves an identity, both factors at once; `FirstFactor` continues with it as with a
 * password, and only `SignIn` accepts the login.
 */
import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Amr } from '../../contract/authentication.js';
import { redirect, type Outcome } from '../../gateway/page/outcome.js';
import { SameForms } from '../../gateway/page/same-forms.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { HydraPort, type LoginRequest } from '../../hydra/hydra.port.js';
import { clientDataOf } from '../../mfa/credentials/client-data.js';
import { assertionOf } from '../../mfa/credentials/credential-json.js';
import { PasskeySignIn, type PasskeyVerdict, type ProvenPasskey } from '../../mfa/factors/passkey/passkey-sign-in.js';
import { SignInChallenges } from '../../mfa/factors/passkey/sign-in-challenge.js';
import { FirstFactor } from '../sign-in/first-factor.js';
import { loginOwner } from '../sign-in/finished-answer.js';
import { KeptRequests } from '../sign-in/kept-requests.js';
import { LoginScreens, type FailedTry } from '../sign-in/login-screens.js';
import { loginSourcePage } from '../sign-in/login-source.page.js';
import { loginUrl } from '../sign-in/login-url.js';
import type { ProvenIdentity } from '../sign-in/proven-identity.js';
import { challengeFault } from '../sign-in/waiting-request.js';
import type { PasskeyForm } from './passkey.form.js';

/** The first factor is a passkey, and the form says so. */
const STALE: Omit<FailedTry, 'form'> = { problem: { error: 'passkey-stale' }, status: 422 };

@Injectable()
export class PasskeyFlow {
  /** The assertion of a double click is good once, and both clicks are to get its answer. */
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly hydra: HydraPort,
    private readonly kept: KeptRequests,
    private readonly passkeys: PasskeySignIn,
    private readonly challenges: SignInChallenges,
    private readonly firstFactor: FirstFactor,
    private readonly screens: LoginScreens,
  ) {}

  /** `POST /login/passkey` */
  submit(form: PasskeyForm, context: RequestContext): Promise<Outcome> {
    return this.#sameForms.once([context.browser, context.form ?? '', form.passkey ?? ''], () => this.#submit(form, context));
  }

  async #submit(form: PasskeyForm, context: RequestContext): Promise<Outcome> {
    const { login_challenge: challenge, ticket } = form;
    const presented = { challenge, ticket };
    if (challenge === '') return this.screens.broken('missing', presented, context);
    const response = this.#ownResponse(form, context);
    const outcome = response && (await this.#attempt({ form, response }, null, context));
    if (outcome) return outcome;
    const request = await this.hydra.getLogin(challenge).catch(challengeFault);
    if (typeof request === 'string') return this.screens.broken(request, presented, context);
    // Its answer belongs to the browser of the session (S-15b), which is never shown this form.
    if (request.skip) return redirect(loginUrl(challenge));
    const taken = this.screens.taken(await this.kept.open(request, context), presented, context);
    if (taken) return taken;
    if (!response) return this.screens.login(request, context, { form, ...STALE });
    return (await this.#attempt({ form, response }, request, context)) ?? this.screens.broken('used', presented, context);
  }

  /** Asks nobody. @returns null if it answers another challenge than one of this request in this browser */
  #ownResponse({ passkey = '', login_challenge: challenge }: PasskeyForm, { browser }: RequestContext) {
    const response = assertionOf(passkey);
    const asked = response && clientDataOf(response.response.clientDataJSON)?.challenge;
    return asked && this.challenges.verify(asked, { challenge, browser }) ? response : null;
  }

  /** @returns null if the record of the challenge does not keep the request: then nothing was checked */
  async #attempt(
    { form, response }: { form: PasskeyForm; response: AuthenticationResponseJSON },
    asked: LoginRequest | null,
    context: RequestContext,
  ): Promise<Outcome | null> {
    const { login_challenge: challenge, ticket } = form;
    const { address, device, requestId } = context;
    const presented = { challenge, ticket };
    const { record, request, verdict } = await this.passkeys.attempt<LoginRequest>(
      { response, address, device, requestId },
      {
        owner: loginOwner(challenge, context),
        asked,
        read: (kept) => this.kept.read(kept, challenge),
        begins: (waiting, proven) => this.firstFactor.sessionOf(waiting, this.#identity(form, proven), context),
      },
    );
    const taken = this.screens.taken(record, presented, context);
    if (taken || !request || !verdict) return taken;
    if (verdict.kind === 'source') {
      const { options } = this.screens.values(request, context);
      return loginSourcePage(verdict, request, { options, requestId });
    }
    if (verdict.kind !== 'proven') return this.screens.login(request, context, { form, ...problemOf(verdict, response.id) });
    const identity = { ...this.#identity(form, verdict), begun: verdict.session ?? undefined };
    // It is never asked for another factor, so those of the account do not matter.
    const outcome = await this.firstFactor.proven(request, { identity, factors: {} }, context).catch(challengeFault);
    if (typeof outcome === 'string') return this.screens.broken(outcome, presented, context);
    return outcome ?? this.screens.broken('used', presented, context);
  }

  #identity(form: PasskeyForm, proven: ProvenPasskey): ProvenIdentity & { amr: readonly Amr[] } {
    const { account, methods: amr, securityStamp, deviceRemembered: isKnownDevice, deviceOwned: isOwnedDevice } = proven;
    const remember = this.firstFactor.remembers(form.remember);
    return { account, amr, remember, isKnownDevice, isOwnedDevice, securityStamp };
  }
}

/** The problem to show and its status. */
function problemOf(verdict: Exclude<PasskeyVerdict, { kind: 'proven' | 'source' }>, credential: string): Omit<FailedTry, 'form'> {
  switch (verdict.kind) {
    case 'refused':
      return { problem: { error: 'passkey' }, status: 422 };
    case 'unknown':
      return { problem: { error: 'passkey-unknown' }, status: 422, unknownPasskey: credential };
    case 'limited': {
      const retryAfter = verdict.retryAfterSeconds;
      return { problem: { error: 'limited', retry_after: retryAfter }, status: 429, retryAfter };
    }
  }
}
