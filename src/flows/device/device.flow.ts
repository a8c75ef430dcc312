/**
 * The user code of a device (RFC 8628, section 3.3): the person who types it signs in and decides about the access of the device.
 * A code in the address is shown but never submitted automatically, because an attacker may have sent the address (section 5.4).
 */
import { Injectable } from '@nestjs/common';
import { RequestLimits } from '../../accounts/limits/request-limits.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { ChallengeRecords, type ChallengeOwner, type ClaimState } from '../../accounts/sessions/challenge-records.js';
import type { DeviceCodeState } from '../../contract/device-state.js';
import { FIELDS } from '../../contract/form-fields.js';
import type { ChallengeFault } from '../../contract/page-state.js';
import { PATHS } from '../../contract/paths.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { page, redirect, type Outcome, type PageOptions, type PageOutcome } from '../../gateway/page/outcome.js';
import { toUserCode } from '../../hydra/authorization-request.js';
import { UserCodeRefused } from '../../hydra/hydra.errors.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import { finishOnce, readAnswer } from '../sign-in/answers.js';
import { FlowPages } from '../sign-in/flow-pages.js';
import { isOvertaken, addOpenedRequest } from '../sign-in/opened-requests.js';
import { toChallengeFault, toShownFault } from '../sign-in/waiting-request.js';

/** Longer than the lifetime of a challenge at Hydra. */
const RECORD_SECONDS = 24 * 3600;

@Injectable()
export class DeviceFlow {
  constructor(
    private readonly hydra: HydraPort,
    private readonly limits: RequestLimits,
    private readonly records: ChallengeRecords,
    private readonly sessions: BrowserSessions,
    private readonly pages: FlowPages,
  ) {}

  /**
   * `GET /device`. Without a challenge, redirects to Hydra, which creates one. The first browser that opens a challenge owns it,
   * because in another browser Hydra would fail without showing a page. Hydra does not verify a challenge before the code is right, so
   * anybody can invent challenges. Each network address may claim a limited number of challenges; for any other challenge, the form is shown
   * without a claim.
   */
  async start(challenge: string, enteredCode: string, context: RequestContext): Promise<Outcome> {
    const userCode = toUserCode(enteredCode);
    if (challenge === '') return redirect(this.pages.deviceUrl(userCode));
    const owner = toOwner(challenge, context);
    const claimState = await this.records.peek(owner);
    const mayClaim = claimState.state === 'new' && (await this.limits.count('device-page', context)) === null;
    const fault = toFault(mayClaim ? await this.records.claim(owner, RECORD_SECONDS) : claimState);
    if (fault) return this.#showFault(fault, context);
    const state = { error: null, device_challenge: challenge, user_code: userCode ?? '' };
    const form = this.#buildPage({ ...state, ...(userCode === null ? {} : { prefilled: true }) }, context);
    return addOpenedRequest(form, 'device', toRequest(challenge, context));
  }

  /** `POST /device`. Only an attempt within the limits claims the challenge, because anybody can invent challenges. */
  async submit(challenge: string, enteredCode: string, context: RequestContext): Promise<Outcome> {
    if (challenge === '') return this.#showFault('missing', context);
    const record = await this.records.peek(toOwner(challenge, context));
    const fault = toFault(record);
    if (fault) return this.#readFirstAnswer(record, context) ?? this.#showFault(fault, context);
    const userCode = toUserCode(enteredCode);
    if (userCode === null) {
      const error = enteredCode.trim() === '' ? 'empty' : 'code';
      return this.#buildPage({ error, device_challenge: challenge, user_code: enteredCode }, context, { status: 422 });
    }
    const { request } = toRequest(challenge, context);
    // If the request was overtaken, another tab may have replaced the cookie that Hydra requires for this challenge.
    if (isOvertaken('device', request, context)) return redirect(this.pages.deviceUrl(userCode));
    return this.#attempt(challenge, userCode, context);
  }

  async #attempt(challenge: string, userCode: string, context: RequestContext): Promise<Outcome> {
    const { browser, address, requestId } = context;
    const session = await this.sessions.findInBrowser(browser);
    const deviceCodeTry = { browser, address, requestId, accountId: session?.accountId ?? null };
    const retryAfterSeconds = await this.limits.countDeviceCode(deviceCodeTry);
    const form = { device_challenge: challenge, user_code: userCode };
    if (retryAfterSeconds !== null) {
      const state = { ...form, error: 'limited', retry_after: retryAfterSeconds } as const;
      return this.#buildPage(state, context, { status: 429, retryAfterSeconds });
    }
    const owner = toOwner(challenge, context);
    const record = await this.records.claim(owner, RECORD_SECONDS);
    const fault = toFault(record);
    if (fault) {
      const firstAnswer = this.#readFirstAnswer(record, context);
      if (firstAnswer) await this.limits.releaseDeviceCode(deviceCodeTry);
      return firstAnswer ?? this.#showFault(fault, context);
    }
    const result = await this.#accept(challenge, userCode);
    if ('error' in result) return this.#buildPage({ ...form, error: 'code' }, context, { status: 422 });
    if ('fault' in result) return this.#showFault(result.fault, context);
    await this.limits.releaseDeviceCode(deviceCodeTry);
    const firstAnswer = await finishOnce(
      { records: this.records, owner },
      redirect(result.url, { resume: this.pages.deviceTicket(userCode) }),
      context,
    );
    return firstAnswer ?? this.#showFault('used', context);
  }

  async #accept(challenge: string, userCode: string): Promise<AcceptResult> {
    try {
      return { url: await this.hydra.acceptDevice(challenge, userCode) };
    } catch (error) {
      return error instanceof UserCodeRefused ? { error: 'code' } : { fault: toChallengeFault(error) };
    }
  }

  #readFirstAnswer(record: ClaimState, context: RequestContext): Outcome | null {
    return record.state === 'done' ? readAnswer(record.result, context) : null;
  }

  #showFault(fault: ChallengeFault, context: RequestContext): PageOutcome {
    const state = { error: 'challenge', challenge_fault: toShownFault(fault, context), restart_url: PATHS.device } as const;
    return this.#buildPage({ ...state, device_challenge: '', user_code: '' }, context, { status: 400 });
  }

  #buildPage(state: Omit<DeviceCodeState, 'xsrf_token'>, context: RequestContext, options: PageOptions = {}): PageOutcome {
    const { device_challenge: challenge, user_code: userCode, prefilled } = state;
    const query = new URLSearchParams(challenge === '' ? [] : [[FIELDS.deviceChallenge, challenge]]);
    if (prefilled) query.set(FIELDS.userCode, userCode);
    const self = query.size === 0 ? PATHS.device : `${PATHS.device}?${query.toString()}`;
    const device = { ...state, xsrf_token: this.pages.xsrfToken(context) };
    return page({ page: 'device', device }, { self, ...options });
  }
}

function toOwner(challenge: string, { browser }: RequestContext): ChallengeOwner {
  return { kind: 'device', challenge, browser };
}

/** Hydra has one cookie for all device requests of a browser. The client is not known before the code is accepted. */
function toRequest(challenge: string, context: RequestContext) {
  return { request: { challenge, client: { id: '' } }, context };
}

function toFault({ state }: ClaimState): ChallengeFault | null {
  if (state === 'done') return 'used';
  return state === 'foreign' ? 'foreign' : null;
}

type AcceptResult = { url: string } | { error: 'code' } | { fault: ChallengeFault };
