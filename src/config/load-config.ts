/**
 * Converts an environment to the configuration of an installation, or reports every fault at once. Pure, except for
 * files that the environment names. Generated secrets come from `installation-secrets.ts`.
 */
import { readFileSync } from 'node:fs';
import { MANAGE_FEATURES } from '../contract/manage-state.js';
import { STANDARD_CLAIMS } from './claim-kinds.js';
import { ConfigError, type Config, type ScopeTexts } from './config.js';
import { demoSource } from './demo-source.js';
import { toFooter } from './footer-kind.js';
import { missingWarnings, readLanguages } from './language-files.js';
import type { Languages } from '../../locales/languages.js';
import { toProviders } from './provider-settings.js';
import { isIpAddress } from './safe-address.js';
import { checkSettings } from './settings-checks.js';
import { isGiven, readSettings, type Environment, type ReadFile } from './settings-read.js';
import { unknownSettings, type UnknownSettings } from './settings-unknown.js';
import type { SettingValues } from './settings.js';
import { toTelemetry } from './telemetry-settings.js';

export interface LoadedConfig {
  config: Config;
  /** Each warning begins with the names of its settings and a colon. Warnings do not stop the start. */
  warnings: readonly string[];
}

const DRAIN_IN_PRODUCTION_MS = 5000;

/**
 * @throws ConfigError with every fault
 * @returns outside production, `secrets` is empty and `operator.token` is absent if they are not set
 */
export function loadConfig(env: Environment, readFile: ReadFile = readText): LoadedConfig {
  const { config, faults, warnings, unknown } = surveyConfig(env, readFile);
  // A name that is unknown may be why another setting is missing.
  if (faults.length > 0) throw new ConfigError([...new Set([...faults, ...unknown.mistyped, ...unknown.unclear])]);
  return { config, warnings };
}

interface SurveyedConfig extends LoadedConfig {
  faults: readonly string[];
  /** Each is among the faults or the warnings, too. */
  unknown: UnknownSettings;
}

/**
 * The same for tools that inspect an installation which may not start: a value that cannot be read counts as not set.
 */
export function surveyConfig(env: Environment, readFile: ReadFile = readText): SurveyedConfig {
  const { values, faults } = readSettings(env, readFile);
  const production = values.mode === 'production';
  const given = (name: string): boolean => isGiven(name, env);
  const languages = readLanguages(values);
  const unknown = unknownSettings(env);
  const findings = checkSettings({ values, given, production, locales: languages.languages.locales });
  return {
    config: toConfig(values, production, languages.languages),
    faults: [...faults, ...findings.faults, ...languages.faults, ...(production ? unknown.mistyped : [])],
    warnings: [
      ...findings.warnings,
      ...missingWarnings(languages.incomplete),
      ...(production ? [] : unknown.mistyped),
      ...unknown.unclear,
    ],
    unknown,
  };
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

function toConfig(values: SettingValues, production: boolean, offered: Languages): Config {
  const publicUrl = values.publicUrl ?? `http://localhost:${values.port}`;
  return {
    mode: production ? 'production' : 'development',
    publicUrl,
    host: values.host,
    port: values.port,
    trustProxyHops: values.trustProxyHops,
    secrets: values.secrets,
    ...toUpstream(values),
    database: {
      ...present({ url: values.databaseUrl, statements: values.databaseStatements }),
      poolSize: values.databasePoolSize,
      dataDir: values.dataDir,
    },
    operator: toOperator(values),
    mail: toMail(values, publicUrl),
    app: toApp(values, publicUrl),
    language: { detection: values.languageDetection, offered },
    ...toPolicy(values),
    providers: toProviders(values),
    sources: toSources(values),
    registration: parseRegistration(values),
    ...toFactors(values),
    passkeys: toPasskeys(values, publicUrl),
    limits: toLimits(values),
    ...runningOf(values, production),
    telemetry: toTelemetry(values),
  };
}

function toOperator({ operatorHost, operatorPort, operatorHostNames, ...values }: SettingValues): Config['operator'] {
  const { operatorToken: token, operatorTokens: tokens, operatorTlsCert: certificate, operatorTlsKey: key } = values;
  const tls = certificate !== undefined && key !== undefined ? { certificate, key } : undefined;
  return { host: operatorHost, port: operatorPort, hostNames: operatorHostNames, ...present({ tls, token }), tokens };
}

function toUpstream(values: SettingValues): Pick<Config, 'hydra' | 'embedded' | 'embeddedPorts'> {
  const embedded = values.hydraAdminUrl === undefined;
  return {
    hydra: {
      adminUrl: values.hydraAdminUrl ?? `http://localhost:${values.upstreamAdminPort}`,
      publicUrl: values.hydraPublicUrl ?? `http://localhost:${values.upstreamPublicPort}`,
      ...present({ adminToken: values.hydraAdminToken, adminCa: values.hydraAdminCa }),
      timeoutMs: values.hydraTimeoutMs,
    },
    embedded,
    embeddedPorts: {
      upstreamPublic: values.upstreamPublicPort,
      upstreamAdmin: values.upstreamAdminPort,
      demoApp: values.demoAppPort,
      providers: values.providersPort,
      registration: values.registrationPort,
      people: values.peoplePort,
      smtp: values.smtpPort,
      mailbox: values.mailboxPort,
    },
  };
}

function toMail({ smtpServer, mailFrom, hydraAdminUrl, smtpPort, appName }: SettingValues, publicUrl: string): Config['mail'] {
  const mailbox = { host: 'localhost', port: smtpPort, encryption: 'none' as const };
  const server = smtpServer ?? (hydraAdminUrl === undefined ? mailbox : undefined);
  const { hostname } = new URL(publicUrl);
  const domain = isIpAddress(hostname) ? 'localhost' : hostname;
  return {
    ...present({ server }),
    from: { name: mailFrom?.name ?? appName, address: mailFrom?.address ?? `no-reply@${domain}` },
  };
}

function toApp(values: SettingValues, publicUrl: string): Config['app'] {
  const { logoUrl, logoDarkUrl, brandColour, brandColourDark, brandRadius, touchIconUrl, style, mailLayout } = values;
  const demoApp = values.hydraAdminUrl === undefined ? `http://localhost:${values.demoAppPort}/` : undefined;
  const homeUrl = values.homeUrl ?? demoApp;
  return {
    name: values.appName,
    loginAddress: values.loginAddress ?? new URL(publicUrl).host,
    ...present({ homeUrl, logoUrl, logoDarkUrl, brandColour, brandColourDark, brandRadius, touchIconUrl, style, mailLayout }),
    iconUrls: values.iconUrls,
    clientLooks: values.clientLooks,
    timeZone: values.timeZone,
    theme: values.theme,
    footer: toFooter(values),
    returnOrigins: values.returnOrigins,
  };
}

function toPolicy(values: SettingValues): Pick<Config, 'login' | 'consent' | 'password'> {
  return {
    login: {
      remember: values.remember,
      rememberForSeconds: values.rememberForSeconds,
      sessionSeconds: values.sessionSeconds,
      confirmSessionClients: values.confirmSessionClients,
      byEmail: values.loginWith === 'username,email',
    },
    consent: {
      strictScopes: values.consentStrictScopes,
      // Looked up by ids from requests. Without a prototype, `constructor` is not found.
      scopes: Object.assign(Object.create(null) as Record<string, ScopeTexts>, values.consentScopes),
      claims: [...STANDARD_CLAIMS, ...values.claims],
      rememberForSeconds: values.consentRememberForSeconds,
    },
    password: {
      ...toLengths(values),
      requireLower: values.passwordRequireLower,
      requireUpper: values.passwordRequireUpper,
      requireDigit: values.passwordRequireDigit,
    },
  };
}

/** NIST SP 800-63B-4, 3.1.1.2. */
function toLengths({
  passwordProfile,
  passwordMinLength: minLength,
}: SettingValues): Pick<Config['password'], 'minLength' | 'minLengthAlone'> {
  if (passwordProfile === 'specification') return { minLength };
  return { minLength: Math.max(minLength, 8), minLengthAlone: Math.max(minLength, 15) };
}

function parseRegistration(values: SettingValues): Config['registration'] {
  const { registrationUrl: url, registrationSecret: secret, registrationJwksUrl: jwksUrl = '' } = values;
  const isFirstRun = values.hydraAdminUrl === undefined;
  const hintNames = isFirstRun && values.registrationHintNames.length === 0 ? [DEMO_HINT] : values.registrationHintNames;
  if (url === undefined) return { hintNames, ...(isFirstRun ? { service: demoService(values) } : {}) };
  const proof = secret === undefined ? { kind: 'jwks' as const, url: jwksUrl } : { kind: 'secret' as const, secret };
  return { hintNames, service: { url, issuer: values.registrationIssuer ?? new URL(url).origin, proof } };
}

/** Beside the embedded parts of a first run is a service with one person. */
function toSources({ userSources, hydraAdminUrl, peoplePort }: SettingValues): Config['sources'] {
  return hydraAdminUrl === undefined && userSources.length === 0 ? [demoSource(peoplePort)] : userSources;
}

/** What the demo app sends. */
const DEMO_HINT = 'invitation';

/** The embedded parts of a first run. */
function demoService({ registrationPort }: SettingValues): NonNullable<Config['registration']['service']> {
  const url = `http://localhost:${registrationPort}`;
  return { url, issuer: url, proof: { kind: 'jwks', url: `${url}/jwks` } };
}

function toFactors(values: SettingValues): Pick<Config, 'accounts' | 'mfa' | 'manage'> {
  return {
    mfa: {
      policy: values.mfaPolicy,
      factors: values.mfaFactors,
      totpWindowSteps: values.totpWindowSteps,
      numericAcr: values.numericAcr,
      trustedBrowserDays: values.trustedBrowserDays,
      resetProof: values.resetProof,
    },
    accounts: {
      reservedUsernames: values.reservedUsernames,
      tellsNewBrowsers: values.newBrowserMail,
      ...present({ schema: values.accountSchema }),
    },
    manage: {
      features: MANAGE_FEATURES.filter((feature) => values.manageFeatures.includes(feature)),
      clients: values.manageClients,
      freshProofSeconds: values.freshProofSeconds,
      idleSeconds: values.manageIdleSeconds,
      lifetimeSeconds: values.manageLifetimeSeconds,
      heldNameSeconds: values.heldNameSeconds,
      deletionWaitDays: values.deletionWaitDays,
      freezeSeconds: values.freezeSeconds,
    },
  };
}

function toPasskeys(
  { passkeys: mode, passkeyOffer: offer, passkeyRpId, passkeyOrigins }: SettingValues,
  publicUrl: string,
): Config['passkeys'] {
  const { hostname } = new URL(publicUrl);
  // Browsers know no relying party that is an address (WebAuthn Level 3, section 5.1.3, step 7).
  return { mode: isIpAddress(hostname) ? 'off' : mode, offer, rpId: passkeyRpId ?? hostname, origins: passkeyOrigins };
}

function toLimits(values: SettingValues): Config['limits'] {
  return {
    accountFreeFailures: values.accountFreeFailures,
    accountFirstWaitSeconds: values.accountFirstWaitSeconds,
    accountLongestWaitSeconds: values.accountLongestWaitSeconds,
    accountStopAt: values.accountStopAt,
    addressFailures: values.addressFailures,
    addressWindowSeconds: values.addressWindowSeconds,
  };
}

function runningOf(values: SettingValues, production: boolean): Pick<Config, 'hashing' | 'http' | 'log'> {
  return {
    hashing: {
      memoryKiB: values.hashMemoryKiB,
      iterations: values.hashIterations,
      queueLength: values.hashQueueLength,
    },
    http: {
      drainMs: values.drainMs ?? (production ? DRAIN_IN_PRODUCTION_MS : 0),
      requestTimeoutMs: values.requestTimeoutMs,
      headersTimeoutMs: values.headersTimeoutMs,
      maxConnections: values.maxConnections,
    },
    log: { level: values.logLevel },
  };
}

/** The same object without members that are undefined. */
function present<T extends Record<string, unknown>>(members: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}
