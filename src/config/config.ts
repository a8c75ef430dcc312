/**
 * The settings of one installation, parsed and checked. `load-config.ts` makes it from the environment; nobody else
 * reads `process.env`. Durations carry their unit in the name.
 */
import type { FooterLink } from '../contract/page-state.js';
import type { Locale } from '../contract/locale.js';

export interface FooterAddress {
  id: FooterLink['id'];
  /** Address per language; German alone means a German-only target (GEN-5). */
  urls: Partial<Record<Locale, string>>;
}

/** Texts of one scope beyond the built-in ones, per language (CON-3). */
export interface ScopeTexts {
  title: Partial<Record<Locale, string>>;
  description?: Partial<Record<Locale, string>>;
}

export interface SmtpServer {
  host: string;
  port: number;
  /** `tls` from the first byte, `starttls` or nothing, `none`: plain. There is no "if it can". */
  encryption: 'tls' | 'starttls' | 'none';
  login?: { user: string; password: string };
}

export interface SenderAddress {
  name?: string;
  address: string;
}

/** How this installation proves to a provider who it is. */
export type ProviderCredential =
  | { kind: 'secret'; secret: string }
  /** PEM, PKCS #8, RSA or P-256: assertions of RFC 7523. */
  | { kind: 'private-key'; privateKey: string; keyId?: string }
  /** PEM, PKCS #8, P-256: signs the secrets that Apple takes. */
  | { kind: 'apple-key'; teamId: string; keyId: string; privateKey: string };

/** A company whose accounts a person may sign in with. */
export interface ProviderSettings {
  /** Part of paths: lower-case letters, digits, hyphens. */
  id: string;
  /** As a person knows it. */
  name: string;
  dialect: 'google' | 'microsoft' | 'apple' | 'oidc';
  /** Exact; of Microsoft the address before the tenant. */
  issuer: string;
  clientId: string;
  credential: ProviderCredential;
  scopes: readonly string[];
  /** Microsoft's: ids, or one of `common`, `organizations`, `consumers`. */
  tenants?: readonly string[];
}

/** Where new people are handed over to, and how its answers are proven. */
export interface RegistrationService {
  url: string;
  issuer: string;
  proof: { kind: 'secret'; secret: string } | { kind: 'jwks'; url: string };
}

export interface Config {
  /** `production` starts nothing embedded and takes no samples. */
  mode: 'development' | 'production';
  /** Origin that people see, without a trailing slash. */
  publicUrl: string;
  host: string;
  port: number;
  /** Hops of proxies in front whose forwarded headers are believed; 0 believes none. */
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
  /** True when no upstream was named: the embedded one is started beside the gateway (never in production). */
  embedded: boolean;
  embeddedPorts: {
    upstreamPublic: number;
    upstreamAdmin: number;
    demoApp: number;
    providers: number;
    registration: number;
    smtp: number;
    mailbox: number;
  };
  database: { url?: string; poolSize: number; dataDir: string };
  operator: {
    host: string;
    port: number;
    /** Absent outside production: one is made and kept in the data directory. */ token?: string;
  };
  mail: {
    /** Absent: mail is off, and what is to be sent waits. */
    server?: SmtpServer;
    from: { name: string; address: string };
  };
  app: {
    name: string;
    loginAddress: string;
    /** Where a person without a request is sent; absent: no link. */
    homeUrl?: string;
    logoUrl?: string;
    brandColour?: string;
    brandRadius?: string;
    theme: 'system' | 'light' | 'dark';
    footer: readonly FooterAddress[];
    /** Further origins that a return-to link may have (GEN-6). */
    returnOrigins: readonly string[];
  };
  language: { detection: 'full' | 'browser' };
  login: {
    remember: 'on' | 'off' | 'ask';
    rememberForSeconds: number;
    /** Clients (ids) that always show the hint page when a session exists (HNT-1). */
    confirmSessionClients: readonly string[];
  };
  consent: {
    /** Refuse requests for scopes that the catalogue does not know (CON-7). */
    strictScopes: boolean;
    scopes: Readonly<Record<string, ScopeTexts>>;
    rememberForSeconds: number;
  };
  /** In the order of the buttons. */
  providers: readonly ProviderSettings[];
  registration: {
    hintNames: readonly string[];
    /** Absent: nobody registers here. */
    service?: RegistrationService;
  };
  password: { minLength: number; requireLower: boolean; requireUpper: boolean; requireDigit: boolean };
  mfa: {
    /** Whether accounts without a second factor have to set one up; accounts and clients may say otherwise. */
    policy: 'optional' | 'required';
    /** Steps of 30 s to each side whose code is taken. */
    totpWindowSteps: number;
    /** `acr` as `1`, `2`, `3` is understood and given back to those who ask so. */
    numericAcr: boolean;
    /** What is asked beside the token that takes all factors away. */
    resetProof: 'none' | 'password';
  };
  area: {
    /** Clients whose tokens open the account area; empty for all. */
    clients: readonly string[];
    freshProofSeconds: number;
    idleSeconds: number;
    lifetimeSeconds: number;
    heldNameSeconds: number;
    /** How long credentials stay as they are after "that was not me". */
    freezeSeconds: number;
  };
  limits: {
    /** Failures of one account before it has to wait. */
    accountFreeFailures: number;
    accountFirstWaitSeconds: number;
    accountLongestWaitSeconds: number;
    /** Failures of one account after which only a reset helps (NIST SP 800-63B-4, 3.2.2). */
    accountStopAt: number;
    /** Failures from one address within the window before it has to wait. */
    addressFailures: number;
    addressWindowSeconds: number;
  };
  hashing: { memoryKiB: number; iterations: number; queueLength: number };
  http: { drainMs: number; requestTimeoutMs: number; headersTimeoutMs: number; maxConnections: number };
  log: { level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent' };
  telemetry: {
    serviceName: string;
    /** Said of the service with everything. */
    resource: Readonly<Record<string, string>>;
    /** A receiver; absent: nothing is sent. */
    otlp?: {
      /** Without the path of a signal. */
      endpoint: string;
      headers: Readonly<Record<string, string>>;
      timeoutMs: number;
      traces: boolean;
      metrics: boolean;
      metricIntervalMs: number;
      /** By its name in OpenTelemetry's specification. */
      sampler: { name: string; ratio: number };
    };
    /** Absent: there is no `/metrics`. */
    prometheus?: {
      /** Opens it beside the operator's token. */
      token?: string;
    };
  };
}

/** Findings of the start: each names the setting and what is wrong with it. */
export class ConfigError extends Error {
  constructor(readonly findings: readonly string[]) {
    super(
      `The configuration has ${findings.length} fault${findings.length === 1 ? '' : 's'}:\n${findings.map((finding) => `  - ${finding}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}
