/**
 * A login and consent flow. It is not stored: the challenge or verifier of its current step contains it, encrypted for this step.
 * Therefore a challenge can be accepted twice (in legacy mode only until its answer is redeemed), and the value of one step cannot
 * be used in another.
 */
import { OAuthError } from '../oauth-error.js';
import type { Seal } from '../seal.js';
import type { ClientRow } from '../store/rows.js';

/** The encrypted content for each step. */
interface Steps {
  device_challenge: DeviceRequest;
  device_verifier: DeviceRequest;
  login_challenge: Flow;
  login_verifier: Flow;
  consent_challenge: Flow;
  consent_verifier: Flow;
}
export type FlowStep = keyof Steps;

/** A rejection as the gateway sends it. `toOAuthError` fills in a missing error code or status. */
export interface Denial {
  error: string;
  description: string;
  hint: string;
  status: number;
}

/** The client at the start of the flow. */
export type ClientSnapshot = Omit<ClientRow, 'secretHash'>;

export interface Flow {
  id: string;
  requestUrl: string;
  /** Seconds since 1970. Login and consent together expire when the lifetime of a request has passed since then. */
  requestedAt: number;
  client: ClientSnapshot;
  requestedScope: string[];
  requestedAudience: string[];
  /** null in a device flow. */
  oidcContext: Record<string, unknown> | null;
  sessionId: string;
  loginCsrf: string;
  loginSkip: boolean;
  /** Empty until a person has signed in. */
  subject: string;
  authenticatedAt: number;
  login: LoginAnswer | null;
  consentId: string;
  consentCsrf: string;
  consentSkip: boolean;
  consent: ConsentAnswer | null;
  /** Id of the device code of this flow. */
  deviceCodeId: string | null;
}

export interface LoginAnswer {
  denial: Denial | null;
  remember: boolean;
  rememberFor: number;
  extendsSession: boolean;
  acr: string;
  amr: string[];
  context: unknown;
}

export interface ConsentAnswer {
  denial: Denial | null;
  scope: string[];
  audience: string[];
  remember: boolean;
  rememberFor: number;
  handledAtMs: number;
  idTokenClaims: Record<string, unknown>;
  accessTokenClaims: Record<string, unknown>;
}

/** The request of a person to enter the code of a device. It precedes the flow; its client is known once a code has been accepted. */
export interface DeviceRequest {
  /** The address of the request; `****` replaces the user code. */
  requestUrl: string;
  requestedAt: number;
  csrf: string;
  /** null until a code has been accepted. */
  code: AcceptedDeviceCode | null;
}

export interface AcceptedDeviceCode {
  /** Id of the device code's row. */
  id: string;
  clientId: string;
  scope: string[];
  audience: string[];
}

/** Small flows are padded to the size of Hydra's flows, so that software that cannot handle long challenges fails with this upstream too. */
const MIN_SEALED_BYTES = 808;
const MIN_SEALED_DEVICE_BYTES = 256;

export class FlowCodec {
  constructor(
    private readonly seal: Seal,
    private readonly parts: { requestTtlSeconds: number; nowMs: () => number },
  ) {}

  encode<S extends FlowStep>(step: S, flow: Steps[S]): string {
    return this.seal.seal(step, flow, step === 'device_challenge' ? MIN_SEALED_DEVICE_BYTES : MIN_SEALED_BYTES);
  }

  /** @returns null for a value that this upstream has not issued for this step. @throws OAuthError if it has expired */
  decode<S extends FlowStep>(step: S, text: string): Steps[S] | null {
    const flow = this.seal.open(step, text) as Steps[S] | undefined;
    if (!flow) return null;
    if ((flow.requestedAt + this.parts.requestTtlSeconds) * 1000 < this.parts.nowMs()) {
      const [request] = step.split('_');
      throw OAuthError.create('request_unauthorized', `The ${request ?? ''} request has expired, please try again.`);
    }
    return flow;
  }

  /** Like `decode`, but throws an OAuthError instead of returning null. */
  decodeVerifier<S extends FlowStep>(step: S, text: string): Steps[S] {
    const flow = this.decode(step, text);
    if (flow) return flow;
    const [request] = step.split('_');
    throw OAuthError.create(
      'access_denied',
      `The ${request ?? ''} verifier has already been used, has not been granted, or is invalid.`,
    );
  }
}

/** @param fallback the error code if the gateway named none */
export function toOAuthError(denial: Denial, fallback: string): OAuthError {
  return new OAuthError({
    code: denial.error || fallback,
    status: denial.status || 400,
    summary: denial.description,
    hint: denial.hint,
  });
}
