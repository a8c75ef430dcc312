/**
 * Converts an environment to the configuration of an installation, or reports all faults together. Reads only the environment and the
 * files that it names. `installation-secrets.ts` adds generated secrets.
 */
import { toHashCost } from './hash-pairs.js';
import { readFileSync } from 'node:fs';
import { MANAGE_FEATURES } from '../contract/manage-state.js';
import { STANDARD_CLAIMS } from './claim-kinds.js';
import { ConfigError, type Config, type RegistrationService, type ScopeTexts } from './config.js';
import { defined } from './defined.js';
import { buildDemoSource } from './demo-source.js';
import { toFooter } from './footer-kind.js';
import { toMissingWarnings, readLanguages } from './language-files.js';
import type { Languages } from '../../locales/languages.js';
import { toProviders } from './provider-settings.js';
import { isIpAddress } from './safe-address.js';
import { checkSettings } from './settings-checks.js';
import { hasValue, readSettings, type Environment, type ReadFile } from './settings-read.js';
import { isOwnSignUp, listRequiredFields, toSignUp } from './sign-up-settings.js';
import { findUnknownSettings, type UnknownSettings } from './settings-unknown.js';
import type { SettingValues } from './settings.js';
import { toTelemetry } from './telemetry-settings.js';

export interface LoadedConfig {
  config: Config;
  /** Each warning begins with the names of its settings and a colon. Warnings do not prevent the start. */
  warnings: readonly string[];
}

const DRAIN_IN_PRODUCTION_MS = 5000;

/**
 * @throws ConfigError with every fault
 * @returns the configuration; outside production, `secrets` is empty and `operator.token` is absent if they are not set
 */
export function loadConfig(env: Environment, readFile: ReadFile = readText): LoadedConfig {
  const { config, faults, warnings, unknownSettings } = surveyConfig(env, readFile);
  // A misspelled name may be the reason why another setting is missing.
  if (faults.length > 0)
    throw new ConfigError([...new Set([...faults, ...unknownSettings.typingMistakes, ...unknownSettings.unclearNames])]);
  return { config, warnings };
}

interface SurveyedConfig extends LoadedConfig {
  faults: readonly string[];
  /** The messages about unknown names, which the faults or the warnings also contain. */
  unknownSettings: UnknownSettings;
}

/** Loads the configuration for tools that inspect an installation that may not start: a faulty value is treated as not set. */
export function surveyConfig(env: Environment, readFile: ReadFile = readText): SurveyedConfig {
  const { values, faults } = readSettings(env, readFile);
  const production = values.address.mode === 'production';
  const isSet = (name: string): boolean => hasValue(name, env);
  const languages = readLanguages(values.language);
  const unknownSettings = findUnknownSettings(env);
  const result = checkSettings({ values, isSet, production, locales: languages.languages.locales });
  return {
    config: toConfig(values, production, languages.languages),
    faults: [...faults, ...result.faults, ...languages.faults, ...(production ? unknownSettings.typingMistakes : [])],
    warnings: [
      ...result.warnings,
      ...toMissingWarnings(languages.incompleteFiles),
      ...(production ? [] : unknownSettings.typingMistakes),
      ...unknownSettings.unclearNames,
    ],
    unknownSettings,
  };
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

function toConfig(values: SettingValues, production: boolean, offered: Languages): Config {
  const { address, embeddedPorts } = values;
  const publicUrl = address.publicUrl ?? `http://localhost:${address.port}`;
  return {
    ...address,
    mode: production ? 'production' : 'development',
    publicUrl,
    secrets: values.secrets.system,
    hydra: toHydra(values),
    tokenHook: values.tokenHook,
    embedded: hasEmbeddedParts(values),
    embeddedPorts,
    database: values.database,
    operator: toOperator(values.operator),
    ...defined({ console: toConsole(values) }),
    mail: toMail(values, publicUrl),
    app: toApp(values, publicUrl),
    language: { detection: values.language.detection, offered },
    login: toLogin(values.login),
    consent: toConsent(values.consent),
    password: toPassword(values.password),
    providers: toProvidersWithClaims(values),
    sources: toSources(values),
    scim: values.users.sources.filter((source) => source.type === 'scim'),
    sourceChecks: { freshnessSeconds: values.users.freshnessSeconds, whenDown: values.users.whenDown },
    registration: toRegistration(values),
    tasks: toTasks(values),
    mfa: values.mfa,
    passkeys: toPasskeys(values.passkeys, publicUrl),
    accounts: values.accounts,
    terms: values.terms.list,
    manage: toManage(values.manage),
    limits: values.limits,
    hashing: { ...toHashCost(values.hashing), queueLength: values.hashing.queueLength },
    http: { ...values.http, drainMs: values.http.drainMs ?? (production ? DRAIN_IN_PRODUCTION_MS : 0) },
    log: values.log,
    telemetry: toTelemetry(values.telemetry),
    eventSinks: values.events.sinks,
  };
}

function toManage({ features, ...manage }: SettingValues['manage']): Config['manage'] {
  return { ...manage, features: MANAGE_FEATURES.filter((feature) => features.includes(feature)) };
}

function toHydra({ hydra, embeddedPorts: { upstreamAdmin, upstreamPublic } }: SettingValues): Config['hydra'] {
  return {
    ...hydra,
    adminUrl: hydra.adminUrl ?? `http://localhost:${upstreamAdmin}`,
    publicUrl: hydra.publicUrl ?? `http://localhost:${upstreamPublic}`,
  };
}

/** Whether the embedded parts run beside the gateway. */
function hasEmbeddedParts({ hydra }: SettingValues): boolean {
  return hydra.adminUrl === undefined;
}

function toOperator({ tlsCert: certificate, tlsKey: key, ...operator }: SettingValues['operator']): Config['operator'] {
  return certificate !== undefined && key !== undefined ? { ...operator, tls: { certificate, key } } : operator;
}

/** The console of the demo uses the port of the operator API. */
function toConsole(values: SettingValues): Config['console'] {
  const { url, acr, backChannelUrl } = values.console;
  const demoUrl = hasEmbeddedParts(values) ? `http://localhost:${values.operator.port}` : undefined;
  const consoleUrl = url ?? demoUrl;
  if (consoleUrl === undefined) return undefined;
  return { url: consoleUrl, acr, backChannelUrl: backChannelUrl ?? consoleUrl };
}

function toMail(values: SettingValues, publicUrl: string): Config['mail'] {
  const { server, from } = values.mail;
  const mailbox = { host: 'localhost', port: values.embeddedPorts.smtp, encryption: 'none' as const };
  const { hostname } = new URL(publicUrl);
  const domain = isIpAddress(hostname) ? 'localhost' : hostname;
  return {
    ...defined({ server: server ?? (hasEmbeddedParts(values) ? mailbox : undefined) }),
    from: { name: from?.name ?? values.app.name, address: from?.address ?? `no-reply@${domain}` },
  };
}

function toApp(values: SettingValues, publicUrl: string): Config['app'] {
  const { app, mail, embeddedPorts } = values;
  const demoApp = hasEmbeddedParts(values) ? `http://localhost:${embeddedPorts.demoApp}/` : undefined;
  return {
    ...app,
    ...defined({ homeUrl: app.homeUrl ?? demoApp, mailLayout: mail.layout }),
    loginAddress: app.loginAddress ?? new URL(publicUrl).host,
    timeZone: mail.timeZone,
    footer: toFooter(values.footer),
  };
}

function toLogin({ identifiers, ...login }: SettingValues['login']): Config['login'] {
  return { ...login, byEmail: identifiers === 'username,email' };
}

function toConsent(consent: SettingValues['consent']): Config['consent'] {
  return {
    ...consent,
    // Scopes of requests are looked up here. Without a prototype, `constructor` is not found.
    scopes: Object.assign(Object.create(null) as Record<string, ScopeTexts>, consent.scopes),
    claims: [...STANDARD_CLAIMS, ...consent.claims],
  };
}

/** Applies the minimum lengths of NIST SP 800-63B-4, section 3.1.1.2, for the profile `nist`. */
function toPassword({ profile, minLength, ...rules }: SettingValues['password']): Config['password'] {
  if (profile === 'specification') return { ...rules, minLength };
  return { ...rules, minLength: Math.max(minLength, 8), minLengthAlone: Math.max(minLength, 15) };
}

function toRegistration(values: SettingValues): Config['registration'] {
  const { mode, hintNames } = values.registration;
  const names = hasEmbeddedParts(values) && hintNames.length === 0 ? [DEMO_HINT] : hintNames;
  if (isOwnSignUp(mode)) return { hintNames: names, signUp: toSignUp(values) };
  if (mode === 'invitation') return { hintNames: names, invitationFields: toSignUp(values).fields };
  const service = mode === 'off' ? undefined : toRegistrationService(values);
  return { hintNames: names, ...defined({ service }) };
}

function toTasks({ tasks: { missingFields, ...tasks }, accounts }: SettingValues): Config['tasks'] {
  return { ...tasks, requiredFields: missingFields === 'ask' ? listRequiredFields(accounts.schema) : [] };
}

function toRegistrationService(values: SettingValues): RegistrationService | undefined {
  const { url, secret, jwksUrl = '', issuer } = values.registration;
  if (url === undefined) return hasEmbeddedParts(values) ? buildDemoService(values) : undefined;
  const proof = secret === undefined ? { kind: 'jwks' as const, url: jwksUrl } : { kind: 'secret' as const, secret };
  return { url, issuer: issuer ?? new URL(url).origin, proof };
}

/** With the embedded parts, the example user source is used unless other sources are configured. */
function toSources(values: SettingValues): Config['sources'] {
  const { sources } = values.users;
  if (hasEmbeddedParts(values) && sources.length === 0) return [buildDemoSource(values.embeddedPorts.people)];
  return sources.filter((source) => source.type !== 'scim');
}

/** Adds to each provider the claims that its SCIM sources compare. */
function toProvidersWithClaims(values: SettingValues): Config['providers'] {
  const signIns = values.users.sources.flatMap((source) => (source.type === 'scim' && source.signIn ? [source.signIn] : []));
  return toProviders(values).map((settings) => {
    const comparedClaims = signIns.flatMap(({ provider, claim }) => (provider === settings.id ? [claim] : []));
    return comparedClaims.length > 0 ? { ...settings, comparedClaims } : settings;
  });
}

/** The registration hint that the demo app sends. */
const DEMO_HINT = 'invitation';

/** The registration service of the demo. */
function buildDemoService({ embeddedPorts }: SettingValues): RegistrationService {
  const url = `http://localhost:${embeddedPorts.registration}`;
  return { url, issuer: url, proof: { kind: 'jwks', url: `${url}/jwks` } };
}

function toPasskeys(passkeys: SettingValues['passkeys'], publicUrl: string): Config['passkeys'] {
  const { hostname } = new URL(publicUrl);
  // Browsers accept no IP address as relying party (WebAuthn Level 3, section 5.1.3, step 7).
  return { ...passkeys, mode: isIpAddress(hostname) ? 'off' : passkeys.mode, rpId: passkeys.rpId ?? hostname };
}
