/**
 * A leg is one kind of server that the contract suite runs on. Rows see only a running `Upstream`; how it came to run
 * is the leg's business. A further kind (a container, say) is one more file that makes a `Leg`, and one test file for it.
 */
import { gatewayUrls } from '../../embedded/upstream/gateway-urls.js';

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

/** Name of the leg that imitates, for the table of tolerated differences. */
export const EMBEDDED = 'embedded upstream';

/** Nobody serves these: the harness stops at the redirect. */
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

/** Pages of a gateway; it has none for devices. */
export function servedUrls(origin: string): UpstreamUrls {
  const urls = gatewayUrls(origin);
  return { ...urls, deviceVerification: urls.error, deviceSuccess: urls.error };
}

export interface Upstream {
  readonly publicUrl: string;
  readonly adminUrl: string;
  /** The addresses it was started with; what is missing was configured by somebody else and is taken as it comes. */
  readonly urls: Partial<UpstreamUrls>;
  /** Milliseconds since the epoch, by the upstream's clock. */
  now(): number;
  /** Moves the injected clock; undefined where the upstream lives in the machine's time. */
  readonly moveClock?: (milliseconds: number) => void;
  close(): Promise<void>;
}

export interface UpstreamSettings {
  readonly loginConsentRequestTtlSeconds?: number;
  /** Pages that are really served; the stand-ins where it is absent. */
  readonly urls?: UpstreamUrls;
}

export interface Leg {
  readonly name: string;
  /** As `/version` says it; decides which rows run. */
  readonly version: string;
  /** The harness chooses the settings, so a row may start a second server. */
  readonly configurable: boolean;
  /** The server can call addresses of this machine (back-channel logout). */
  readonly reachesLoopback: boolean;
  /** Its storage decides races cleanly. Hydra in memory sometimes answers `error=error` instead. */
  readonly decidesRaces: boolean;
  start(settings?: UpstreamSettings): Promise<Upstream>;
}

/** Why a leg cannot run here, in words for the person who reads the log. */
export interface MissingLeg {
  readonly name: string;
  readonly missing: string;
}
