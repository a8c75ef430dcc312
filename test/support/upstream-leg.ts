/**
 * A leg is one kind of server on which the contract suite runs. Rows see only a running `Upstream`; the leg decides
 * how it is started. Another kind needs one file that creates a `Leg`, and one test file.
 */
import { buildGatewayUrls } from '../../embedded/upstream/gateway-urls.js';

export interface UpstreamUrls {
  readonly login: string;
  readonly consent: string;
  readonly logout: string;
  readonly error: string;
  readonly registration: string;
  readonly postLogoutRedirect: string;
  readonly deviceVerification: string;
  readonly deviceSuccess: string;
}

/** Name of the embedded leg, for the table of tolerated differences. */
export const EMBEDDED = 'embedded upstream';

/** No server answers there: the harness stops at the redirect. */
export const STAND_IN_URLS: UpstreamUrls = {
  login: 'http://127.0.0.1:1/login',
  consent: 'http://127.0.0.1:1/consent',
  logout: 'http://127.0.0.1:1/logout',
  error: 'http://127.0.0.1:1/error',
  registration: 'http://127.0.0.1:1/registration',
  postLogoutRedirect: 'http://127.0.0.1:1/post-logout',
  deviceVerification: 'http://127.0.0.1:1/device',
  deviceSuccess: 'http://127.0.0.1:1/device/success',
};

/** The addresses of the pages of a gateway. */
export function toServedUrls(origin: string): UpstreamUrls {
  return buildGatewayUrls(origin);
}

export interface Upstream {
  readonly publicUrl: string;
  readonly adminUrl: string;
  /** The configured addresses; missing ones are unknown and used as they are. */
  readonly urls: Partial<UpstreamUrls>;
  /** Milliseconds since the epoch, by the upstream's clock. */
  now(): number;
  /** Moves the injected clock; undefined if the upstream uses the machine's clock. */
  readonly moveClock?: (milliseconds: number) => void;
  close(): Promise<void>;
}

export interface UpstreamSettings {
  readonly loginConsentRequestTtlSeconds?: number;
  /** Pages that a server answers; the placeholders by default. */
  readonly urls?: UpstreamUrls;
  /** `oauth2.allowed_top_level_claims`, which has no effect on the embedded upstream, because it issues no JWTs. */
  readonly topLevelClaims?: readonly string[];
  /** Asked before each token is issued (`oauth2.token_hook`). */
  readonly tokenHook?: { readonly url: string; readonly header: { readonly name: string; readonly value: string } };
}

export interface Leg {
  readonly name: string;
  /** The answer of `/version`; decides which rows run. */
  readonly version: string;
  /** Whether the harness chooses the settings, so that a row may start a second server. */
  readonly configurable: boolean;
  /** Whether the server can call addresses of this machine (back-channel logout). */
  readonly reachesLoopback: boolean;
  /** Whether its storage resolves races correctly. Hydra in memory sometimes answers `error=error` instead. */
  readonly decidesRaces: boolean;
  start(settings?: UpstreamSettings): Promise<Upstream>;
}

/** The reason why a leg cannot run here, for the log. */
export interface MissingLeg {
  readonly name: string;
  readonly missing: string;
}
