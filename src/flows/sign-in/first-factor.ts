/**
 * After a first factor was proven: the login is accepted at once, or a second factor is waited for. Then the browser goes
 * on under a new id, so that an id that somebody planted or saw is worth nothing after the password.
 */
import { Inject, Injectable } from '@nestjs/common';
import { AreaSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { PendingAuthentications } from '../../accounts/sessions/pending-authentications.js';
import type { PendingContext, WantedProof } from '../../accounts/sessions/pending-authentications.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { randomToken } from '../../config/keys.js';
import type { Amr } from '../../contract/authentication.js';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { RedirectOutcome } from '../../gateway/page/outcome.js';
import type { Visit } from '../../gateway/http/request-context.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { nextStep } from '../../mfa/next-step.js';
import type { SignInProgress } from '../../mfa/next-step.js';
import { writeAnswer } from './finished-answer.js';
import { FlowEdge } from './flow-pages.js';
import { SignOn } from './sign-in.js';
import type { ProvenIdentity } from './sign-in.js';
import { accountState, clientState, wantedOf } from './waiting-request.js';

export interface FirstFactorProven {
  identity: ProvenIdentity & { amr: readonly Amr[] };
  factors: SignInProgress['factors'];
}

@Injectable()
export class FirstFactor {
  constructor(
    private readonly signOn: SignOn,
    private readonly pendings: PendingAuthentications,
    private readonly area: AreaSessionRecords,
    private readonly sessions: BrowserSessions,
    private readonly edge: FlowEdge,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mfa'>,
  ) {}

  /** @returns null when another form has answered the challenge meanwhile */
  async proven(request: LoginRequest, { identity, factors }: FirstFactorProven, visit: Visit): Promise<RedirectOutcome | null> {
    const wanted = wantedOf(request, identity.account, this.config.mfa);
    const step = nextStep({ proven: identity.amr, factors, wanted });
    if (step === 'accept') return this.signOn.complete(request, identity, visit);
    const { challenge } = request;
    const browser = { id: randomToken() };
    const answer = redirect(`${PATHS.mfaVerify}?${FIELDS.loginChallenge}=${encodeURIComponent(challenge)}`, { browser });
    const accountId = identity.account.id;
    const pendingId = await this.pendings.begin({
      challenge,
      browser: visit.browser,
      nextBrowser: browser.id,
      accountId,
      amr: identity.amr,
      context: this.#context(request, identity, wanted),
      answer: writeAnswer(answer, visit.form ?? ''),
      enrols: step === 'enrol',
    });
    if (pendingId === null) return this.#joinFirst(challenge, visit);
    await this.sessions.move(visit.browser, browser.id);
    await this.area.move(visit.browser, browser.id);
    if (step === 'enrol') await this.area.beginEnrolment({ accountId, pendingId, browser: browser.id });
    return answer;
  }

  #context(request: LoginRequest, identity: ProvenIdentity, wanted: WantedProof): PendingContext {
    const { uiLocales = [], returnTo = null } = this.edge.pageOptions(request);
    return {
      remember: identity.remember,
      isKnownDevice: identity.isKnownDevice,
      wanted,
      account: accountState(identity.account),
      client: clientState(request.client),
      requestUrl: this.edge.asked(request)?.href ?? null,
      uiLocales,
      returnTo,
      passwordVersion: identity.passwordVersion,
      standing: identity.standing,
      provider: identity.provider,
    };
  }

  /** Two clicks at once: the first one's answer counts for both. */
  async #joinFirst(challenge: string, visit: Visit): Promise<RedirectOutcome | null> {
    const claim = await this.signOn.claim(challenge, visit);
    return claim.state === 'stepped' || claim.state === 'done' ? this.signOn.repeat(claim.result, visit) : null;
  }
}
