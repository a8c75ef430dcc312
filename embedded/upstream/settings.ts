/** The options of the embedded upstream, their checks, and their validated form. */

export interface UpstreamUrls {
  login: string;
  consent: string;
  logout: string;
  error: string;
  postLogoutRedirect: string;
  /** Target of `prompt=registration`; defaults to the login address. */
  registration?: string;
  deviceVerification?: string;
  deviceSuccess?: string;
}

export interface UpstreamOptions {
  host: string;
  /** 0 chooses a free port. */
  publicPort: number;
  adminPort: number;
  urls: UpstreamUrls;
  /** Default: `http://localhost:<public port>`. */
  issuer?: string;
  /** null keeps everything in memory. */
  dataDir: string | null;
  /** Encrypts challenges and cookies; at least 16 characters. */
  secret: string;
  /** Lifetime of the login and the consent request together. Default: 1800. */
  loginConsentRequestTtlSeconds?: number;
  /** Challenges whose verifier was redeemed are answered as in Hydra up to 2.1: 410 on GET, 409 on accept and reject. */
  legacy?: boolean;
  /** The version in the answer of `GET /version`. */
  version?: string;
  /** The hook that is called before the tokens of a request are issued (`oauth2.token_hook`). */
  tokenHook?: TokenHookSettings;
  /** Milliseconds since 1970. Default: the machine's clock. */
  now?: () => number;
  onEvent?: (event: UpstreamEvent) => void;
}

export interface TokenHookSettings {
  url: string;
  /** Sent with each call, as with Hydra's `auth` of the type `api_key`. */
  header?: { name: string; value: string };
}

/** Events for an operator. They contain no token, challenge or secret. */
export type UpstreamEvent =
  | { type: 'defect'; error: unknown }
  | { type: 'store-failed'; error: unknown }
  | { type: 'back-channel-logout-failed'; clientId: string; reason: string };

export interface Settings {
  issuer: string;
  urls: Required<UpstreamUrls>;
  requestTtlSeconds: number;
  legacy: boolean;
  version: string;
  tokenHook?: TokenHookSettings;
}

const DEFAULT_REQUEST_TTL_SECONDS = 1800;
const DEFAULT_VERSION = 'v26.2.0';
const MIN_SECRET_CHARACTERS = 16;

/** @throws Error naming the invalid option */
export function checkOptions(options: UpstreamOptions): void {
  if (options.secret.length < MIN_SECRET_CHARACTERS) {
    throw new Error(`The upstream's secret must have at least ${MIN_SECRET_CHARACTERS} characters.`);
  }
  for (const [name, address] of Object.entries({ ...options.urls, issuer: options.issuer, tokenHook: options.tokenHook?.url })) {
    if (address !== undefined && !isWebAddress(address))
      throw new Error(`The upstream's address "${name}" is not an http or https URL.`);
  }
  const ttl = options.loginConsentRequestTtlSeconds;
  if (ttl !== undefined && !(Number.isFinite(ttl) && ttl > 0)) {
    throw new Error('loginConsentRequestTtlSeconds must be a positive number.');
  }
}

export function toSettings(options: UpstreamOptions, publicPort: number): Settings {
  const issuer = (options.issuer ?? `http://localhost:${publicPort}`).replace(/\/+$/, '');
  const { urls } = options;
  return {
    issuer,
    urls: {
      registration: urls.login,
      deviceVerification: urls.login,
      deviceSuccess: urls.postLogoutRedirect,
      ...urls,
    },
    requestTtlSeconds: options.loginConsentRequestTtlSeconds ?? DEFAULT_REQUEST_TTL_SECONDS,
    legacy: options.legacy ?? false,
    version: options.version ?? DEFAULT_VERSION,
    ...(options.tokenHook === undefined ? {} : { tokenHook: options.tokenHook }),
  };
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '');
}
