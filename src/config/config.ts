/**
 * The validated settings of one installation. `load-config.ts` creates them from the environment; no other code reads
 * `process.env`. Names of durations include the unit.
 */
import type { LookSettings } from './look-settings.js';
import type { FooterLink } from '../contract/page-state.js';
import type { ManageFeature } from '../contract/manage-state.js';
import type { Locale } from '../contract/locale.js';
import type { Language, Languages } from '../../locales/languages.js';
import type { ProvisionSettings, RequiredClaim } from './provision-settings.js';
import type { SourceSettings } from './source-settings.js';

export type { Language };

export interface FooterAddress {
  id: FooterLink['id'];
  /** Address per language. If only German is set, the target is German-only (GEN-5). */
  urls: Readonly<Record<Locale, string>>;
}

/** Texts of one additional scope, per language (CON-3). */
export interface ScopeTexts {
  title: Readonly<Record<Locale, string>>;
  description?: Readonly<Record<Locale, string>>;
  /** Marked on the consent page. */
  far_reaching?: boolean;
}

export interface SmtpServer {
  host: string;
  port: number;
  /** `tls`: from the first byte; `starttls`: required upgrade; `none`: plain. There is no opportunistic mode. */
  encryption: 'tls' | 'starttls' | 'none';
  login?: { user: string; password: string };
}

export interface SenderAddress {
  name?: string;
  address: string;
}

/** How this installation authenticates to a provider. */
export type ProviderCredential =
  | { kind: 'secret'; secret: string }
  /** PEM, PKCS #8, RSA or P-256; signs client assertions (RFC 7523). */
  | { kind: 'private-key'; privateKey: string; keyId?: string }
  /** PEM, PKCS #8, P-256; signs the client secrets that Apple expects. */
  | { kind: 'apple-key'; teamId: string; keyId: string; privateKey: string };

/** An identity provider with which people may sign in. */
export interface ProviderSettings {
  /** Used in paths: lower-case letters, digits, hyphens. */
  id: string;
  /** Display name. */
  name: string;
  dialect: 'google' | 'microsoft' | 'apple' | 'oidc';
  /** Compared exactly; for Microsoft, the address before the tenant. */
  issuer: string;
  clientId: string;
  credential: ProviderCredential;
  scopes: readonly string[];
  /** Microsoft only: tenant ids, or one of `common`, `organizations`, `consumers`. */
  tenants?: readonly string[];
  /** All of them have to be met at every sign-in, by whoever is connected. */
  require?: readonly RequiredClaim[];
  /** Unknown people get an account at their first sign-in. */
  provision?: ProvisionSettings;
}

/** What a token of the operator API may do; each level includes those before it (docs/operating.md). */
export const OPERATOR_RIGHTS = ['read', 'support', 'admin'] as const;

export type OperatorRights = (typeof OPERATOR_RIGHTS)[number];

/** A named token of the operator API. */
export interface OperatorToken {
  /** As the audit log has it: lower-case letters, digits, hyphens. */
  name: string;
  rights: OperatorRights;
  token: string;
}

/** The registration service, and how its answers are verified. */
export interface RegistrationService {
  url: string;
  issuer: string;
  proof: { kind: 'secret'; secret: string } | { kind: 'jwks'; url: string };
}

/** JSON Schema of the attributes of accounts. */
export type AccountSchema = Readonly<Record<string, unknown>>;

/** The ID token's claims are those of userinfo too. */
export const CLAIM_TOKENS = ['id_token', 'access_token'] as const;

export type ClaimToken = (typeof CLAIM_TOKENS)[number];

export interface ClaimRule {
  scope: string;
  claim: string;
  /** A member of accounts, or an attribute. */
  attribute: string;
  tokens: readonly ClaimToken[];
  /** For the consent page, which has words of its own for standard claims. */
  title?: Readonly<Record<Locale, string>>;
}

export interface Config {
  /** `production` starts no embedded parts and refuses sample secrets. */
  mode: 'development' | 'production';
  /** Public origin, without a trailing slash. */
  publicUrl: string;
  host: string;
  port: number;
  /** Number of proxies in front whose forwarded headers are trusted; 0 trusts none. */
  trustProxyHops: number;
  secrets: readonly string[];
  hydra: {
    adminUrl: string;
    publicUrl: string;
    adminToken?: string;
    /** PEM of the authority that signed the admin API's certificate. */
    adminCa?: string;
    timeoutMs: number;
  };
  /** True if no upstream is configured: the embedded one starts beside the gateway (never in production). */
  embedded: boolean;
  embeddedPorts: {
    upstreamPublic: number;
    upstreamAdmin: number;
    demoApp: number;
    providers: number;
    registration: number;
    people: number;
    smtp: number;
    mailbox: number;
  };
  database: {
    url?: string;
    poolSize: number;
    dataDir: string;
    /** Whether statements are prepared under names; absent: unless a connection pooler is in between. */
    statements?: 'named' | 'unnamed';
  };
  operator: {
    host: string;
    port: number;
    /** Further names by which clients may call it, in lower case. */
    hostNames: readonly string[];
    /** In PEM form, with the certificates between it and its authority. If absent, the API speaks plain http. */
    tls?: { certificate: string; key: string };
    /** With all rights. Outside production it is generated and stored in the data directory if it is not set. */
    token?: string;
    tokens: readonly OperatorToken[];
  };
  mail: {
    /** If absent, mail is off and messages stay in the queue. */
    server?: SmtpServer;
    from: { name: string; address: string };
  };
  app: LookSettings & {
    name: string;
    loginAddress: string;
    /** Where a person without a request is sent. If absent, there is no link. */
    homeUrl?: string;
    timeZone?: string;
    footer: readonly FooterAddress[];
    /** Additional origins that a return-to link may have (GEN-6). */
    returnOrigins: readonly string[];
  };
  language: { detection: 'full' | 'browser'; offered: Languages };
  login: {
    remember: 'on' | 'off' | 'ask';
    rememberForSeconds: number;
    /** For sessions that end with the browser. */
    sessionSeconds: number;
    /** Clients (ids) that always show the hint page when a session exists (HNT-1). */
    confirmSessionClients: readonly string[];
    /** People sign in with a verified e-mail address too. */
    byEmail: boolean;
  };
  consent: {
    /** Refuse requests for scopes that are not in the catalogue (CON-7). */
    strictScopes: boolean;
    scopes: Readonly<Record<string, ScopeTexts>>;
    /** Standard ones and those of the installation. */
    claims: readonly ClaimRule[];
    rememberForSeconds: number;
  };
  /** In the order of the buttons. */
  providers: readonly ProviderSettings[];
  /** Where people come from beside the own table, in the order in which they are asked. */
  sources: readonly SourceSettings[];
  registration: {
    hintNames: readonly string[];
    /** If absent, registration is off. */
    service?: RegistrationService;
  };
  password: {
    minLength: number;
    /** For accounts that sign in without a second factor. Absent: the same. */
    minLengthAlone?: number;
    requireLower: boolean;
    requireUpper: boolean;
    requireDigit: boolean;
  };
  mfa: {
    /** Whether accounts without a second factor must set one up. Accounts and clients may override it. */
    policy: 'optional' | 'required';
    /** Names of the kinds that people may set up. */
    factors: readonly string[];
    /** Accepted time steps of 30 s before and after the current one. */
    totpWindowSteps: number;
    /** Whether `1`, `2`, `3` are accepted as `acr_values` and returned as `acr` to clients that request them. */
    numericAcr: boolean;
    /** How long a browser may go without a second factor after its person said so; 0 for never. */
    trustedBrowserDays: number;
    /** What is required, besides the token, to remove all factors. */
    resetProof: 'none' | 'password';
  };
  passkeys: {
    /** `off`: they are kept, but nothing shows or takes them. `preferred`: the sign-in shows them first. */
    mode: 'off' | 'on' | 'preferred';
    /** After a sign-in with a password; `automatic`: the browser may make one without a question. */
    offer: 'off' | 'ask' | 'automatic';
    /** Id of the relying party: the host of `publicUrl`, or a domain above it. */
    rpId: string;
    /** Further origins on whose pages they may be used (WebAuthn Level 3, section 5.11). */
    origins: readonly string[];
  };
  accounts: {
    /** Names that no new account may have, nor names that look like them. */
    reservedUsernames: readonly string[];
    /** Whether a person hears of the first sign-in in a browser that the account does not know. */
    tellsNewBrowsers: boolean;
    /** Which attributes accounts may have beside the standard ones; JSON Schema. */
    schema?: AccountSchema;
  };
  manage: {
    features: readonly ManageFeature[];
    /** Clients whose access tokens open the account area; empty means all. */
    clients: readonly string[];
    freshProofSeconds: number;
    idleSeconds: number;
    lifetimeSeconds: number;
    heldNameSeconds: number;
    /** Between the request to delete an account and its deletion. */
    deletionWaitDays: number;
    /** How long credentials cannot be changed after "that was not me". */
    freezeSeconds: number;
  };
  limits: {
    /** Failed attempts for one account before it has to wait. */
    accountFreeFailures: number;
    accountFirstWaitSeconds: number;
    accountLongestWaitSeconds: number;
    /** Failed attempts for one account after which only a password reset helps (NIST SP 800-63B-4, 3.2.2). */
    accountStopAt: number;
    /** Failed attempts from one address within the window before it has to wait. */
    addressFailures: number;
    addressWindowSeconds: number;
  };
  hashing: { memoryKiB: number; iterations: number; queueLength: number };
  http: { drainMs: number; requestTimeoutMs: number; headersTimeoutMs: number; maxConnections: number };
  log: { level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent' };
  telemetry: {
    serviceName: string;
    /** Resource attributes, sent with all telemetry. */
    resource: Readonly<Record<string, string>>;
    /** Address of the receiver. If absent, nothing is sent. */
    otlp?: {
      /** Without the path of a signal (`/v1/traces`). */
      endpoint: string;
      headers: Readonly<Record<string, string>>;
      timeoutMs: number;
      traces: boolean;
      metrics: boolean;
      metricIntervalMs: number;
      /** Name in the OpenTelemetry specification. */
      sampler: { name: string; ratio: number };
    };
    /** If absent, there is no `/metrics`. */
    prometheus?: {
      /** Gives access to `/metrics`, as does the operator token. */
      token?: string;
    };
  };
}

/** Faults found at the start: each names the setting and what is wrong with it. */
export class ConfigError extends Error {
  constructor(readonly findings: readonly string[]) {
    super(
      `The configuration has ${findings.length} fault${findings.length === 1 ? '' : 's'}:\n${findings.map((finding) => `  - ${finding}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}
