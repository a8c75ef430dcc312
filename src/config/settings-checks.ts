/**
 * Checks settings against each other and against the mode. A fault prevents the start; a warning is logged. Each begins with the names
 * of its settings and a colon. Faults of a single value are found when the value is read.
 */
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { findNearestLocale } from '../contract/locale.js';
import { findClaimFaults } from './claim-kinds.js';
import { isStrongEnough, toHashCost } from './hash-pairs.js';
import { findOperatorFaults } from './operator-kinds.js';
import { checkLook } from './look-settings.js';
import { checkPasskeys } from './passkey-settings.js';
import { isIpAddress, isLoopback } from './safe-address.js';
import { findProvisionFaults } from './provision-kinds.js';
import { findProviderFaults, toProviders } from './provider-settings.js';
import { findSignInFaults, findSourceFaults, listSourceSecrets } from './source-kinds.js';
import { checkRegistration } from './registration-settings.js';
import { checkMissingFields, checkSignUp } from './sign-up-settings.js';
import { findWeakness } from './secret-strength.js';
import { SETTINGS, type Section, type SettingValues } from './settings.js';
import { checkTelemetry } from './telemetry-settings.js';

export interface CheckInput {
  values: SettingValues;
  /** Whether a setting is set, even if its value has a fault. */
  isSet: (name: string) => boolean;
  production: boolean;
  locales: readonly string[];
}

export interface CheckOutcome {
  faults: string[];
  warnings: string[];
}

type Check = (input: CheckInput) => Partial<CheckOutcome>;

const CHECKS: readonly Check[] = [
  checkRequired,
  checkProductionMode,
  checkUpstreamPair,
  checkPlainHttp,
  checkHostNames,
  checkPasskeys,
  checkPorts,
  checkSecrets,
  checkPasswordRules,
  checkHashStrength,
  checkTimeouts,
  checkWaits,
  checkProxies,
  checkOperatorAccess,
  checkOperatorTls,
  checkConsole,
  checkApproval,
  checkMail,
  checkLook,
  checkDatabase,
  checkAttributes,
  checkScopes,
  ({ values, isSet, production }) => ({ faults: findProviderFaults(values, isSet, production) }),
  ({ values }) => ({ faults: findSignInFaults(values.users.sources, toProviders(values)) }),
  checkRegistration,
  checkSignUp,
  checkFactorDay,
  checkTasks,
  checkMissingFields,
  checkManageFeatures,
  checkTelemetry,
];

export function checkSettings(input: CheckInput): CheckOutcome {
  const results = CHECKS.map((check) => check(input));
  return {
    faults: results.flatMap(({ faults }) => faults ?? []),
    warnings: results.flatMap(({ warnings }) => warnings ?? []),
  };
}

const REQUIRED_NAMES = ['PUBLIC_URL', 'HYDRA_ADMIN_URL', 'HYDRA_PUBLIC_URL', 'DATABASE_URL', 'SECRETS_SYSTEM'];

function checkRequired({ isSet, production, values }: CheckInput): Partial<CheckOutcome> {
  if (!production) return {};
  const faults = REQUIRED_NAMES.filter((name) => !isSet(name)).map((name) => `${name}: is required in production`);
  if (!isSet('OPERATOR_TOKEN') && !isSet('OPERATOR_TOKENS')) {
    faults.push('OPERATOR_TOKEN: is required in production, unless OPERATOR_TOKENS has named tokens');
  } else if (!isSet('OPERATOR_TOKEN') && values.operator.tokens.length === 0) {
    faults.push('OPERATOR_TOKENS: contains no valid token; production requires one here or in OPERATOR_TOKEN');
  }
  // A list that consists of commas is set, but empty. Without a secret, no key can be derived.
  if (isSet('SECRETS_SYSTEM') && values.secrets.system.length === 0) {
    faults.push('SECRETS_SYSTEM: contains no secret; production requires at least one');
  }
  return { faults };
}

/** Warns about an installation that others can reach, because weak secrets and plain http are accepted outside production. */
function checkProductionMode({ values, production }: CheckInput): Partial<CheckOutcome> {
  const host = toHost(values.address.publicUrl);
  if (production || host === '' || isLoopback(host)) return {};
  return {
    warnings: [`PUBLIC_URL: other people can reach ${host}, but NODE_ENV is not production, so unsafe settings are not refused`],
  };
}

function checkUpstreamPair({ isSet, production, values }: CheckInput): Partial<CheckOutcome> {
  const pair = ['HYDRA_ADMIN_URL', 'HYDRA_PUBLIC_URL'];
  const missingNames = pair.filter((name) => !isSet(name));
  const warnings = values.hydra.adminUrl?.endsWith('/admin')
    ? ['HYDRA_ADMIN_URL: ends with /admin, which Foyer adds itself; set the address without this path']
    : [];
  if (production || missingNames.length !== 1) return { warnings };
  return { warnings, faults: missingNames.map((name) => `${name}: is missing; the two addresses of Hydra must be set together`) };
}

function checkPlainHttp({ production, values }: CheckInput): Partial<CheckOutcome> {
  if (!production) return {};
  const isPlain = (url: string | undefined): boolean => url?.startsWith('http:') ?? false;
  const isReadable = (url: string | undefined): boolean => isPlain(url) && !isLoopback(toHost(url));
  const { adminUrl, internalUrl } = values.hydra;
  const warnings: string[] = [];
  if (isReadable(adminUrl))
    warnings.push('HYDRA_ADMIN_URL: is plain http; an attacker who reads the network traffic can sign in as anybody');
  if (values.console.url !== undefined && isReadable(internalUrl))
    warnings.push(
      'HYDRA_INTERNAL_URL: is plain http; an attacker who changes the network traffic can open the console as any operator',
    );
  const publicUrls = { PUBLIC_URL: values.address.publicUrl, HYDRA_PUBLIC_URL: values.hydra.publicUrl };
  return {
    faults: Object.entries(publicUrls).flatMap(([name, url]) => (isPlain(url) ? [`${name}: must be https in production`] : [])),
    warnings,
  };
}

function checkHostNames({ values }: CheckInput): Partial<CheckOutcome> {
  const ownHost = toHost(values.address.publicUrl ?? 'http://localhost');
  const upstreamHost = toHost(values.hydra.publicUrl);
  const warnings: string[] = [];
  if (ownHost !== '' && upstreamHost !== '' && ownHost !== upstreamHost && isLoopback(ownHost) && isLoopback(upstreamHost)) {
    warnings.push(
      `PUBLIC_URL, HYDRA_PUBLIC_URL: ${ownHost} and ${upstreamHost} are different hosts for a browser, which keeps their cookies apart; use localhost for both`,
    );
  }
  if (isIpAddress(ownHost)) {
    warnings.push(
      `PUBLIC_URL: security keys and passkeys do not work with an IP address (${ownHost}), so they are not offered; use a host name such as localhost`,
    );
  }
  return { warnings };
}

function checkPorts({ values, isSet, production }: CheckInput): Partial<CheckOutcome> {
  const embedded = !production && !isSet('HYDRA_ADMIN_URL') && !isSet('HYDRA_PUBLIC_URL');
  const namesByPort = new Map<number, string[]>();
  for (const [section, settings] of Object.entries<Section>(SETTINGS)) {
    if (section === 'embeddedPorts' && !embedded) continue;
    const sectionValues: Readonly<Record<string, unknown>> = values[section as keyof SettingValues];
    for (const [key, { name }] of Object.entries(settings)) {
      const value = name.endsWith('PORT') ? sectionValues[key] : undefined;
      if (typeof value === 'number') namesByPort.set(value, [...(namesByPort.get(value) ?? []), name]);
    }
  }
  const sharedPorts = [...namesByPort].filter(([, names]) => names.length > 1);
  return {
    faults: sharedPorts.map(([value, names]) => `${names.join(', ')}: cannot share the port ${value}; set different ports`),
  };
}

/** Outside production, a weak secret is only a warning, so that a first try does not fail. */
function checkSecrets({ values, production }: CheckInput): Partial<CheckOutcome> {
  const secrets = [
    ...values.secrets.system.map((value, index) => ({ name: `SECRETS_SYSTEM: secret ${index + 1}`, value })),
    { name: 'OPERATOR_TOKEN: the token', value: values.operator.token },
    ...values.operator.tokens.map(({ name, token }) => ({ name: `OPERATOR_TOKENS: the token of ${name}`, value: token })),
    { name: 'HYDRA_ADMIN_TOKEN: the token', value: values.hydra.adminToken },
    ...values.tokenHook.keys.map((value, index) => ({ name: `TOKEN_HOOK_KEY: key ${index + 1}`, value })),
    { name: 'REGISTRATION_SECRET: the secret', value: values.registration.secret },
    { name: 'METRICS_TOKEN: the token', value: values.telemetry.metricsToken },
    ...listSourceSecrets(values.users.sources),
  ];
  const faults: string[] = [];
  for (const [index, { name, value }] of secrets.entries()) {
    if (value === undefined) continue;
    const duplicate = secrets.slice(0, index).find((other) => other.value === value);
    // Another system issues the token for Hydra and determines its form.
    const weakness = name.startsWith('HYDRA_') ? null : findWeakness(value);
    if (weakness) faults.push(`${name} ${weakness}`);
    const [duplicateSetting, duplicatePart] = duplicate?.name.split(': ') ?? [];
    if (duplicate) faults.push(`${name} equals ${duplicatePart} in ${duplicateSetting}`);
  }
  return production ? { faults } : { warnings: faults };
}

function checkPasswordRules({ values }: CheckInput): Partial<CheckOutcome> {
  const warnings: string[] = [];
  const isNist = values.password.profile === 'nist';
  if (values.password.minLength < 8 && !isNist) {
    warnings.push(
      `PASSWORD_MIN_LENGTH: ${values.password.minLength} is below the 8 characters that OWASP ASVS 6.2.1 requires (PASSWORD_PROFILE=nist has the lengths of NIST SP 800-63B-4: 8 with a second factor, 15 without one)`,
    );
  }
  const kinds = {
    PASSWORD_REQUIRE_LOWER: values.password.requireLower,
    PASSWORD_REQUIRE_UPPER: values.password.requireUpper,
    PASSWORD_REQUIRE_DIGIT: values.password.requireDigit,
  };
  const requiredKinds = Object.entries(kinds).flatMap(([name, isRequired]) => (isRequired ? [name] : []));
  if (requiredKinds.length > 0 && isNist) {
    return { warnings, faults: requiredKinds.map((name) => `${name}: must not be set together with PASSWORD_PROFILE=nist`) };
  }
  if (requiredKinds.length > 0) {
    warnings.push(
      `${requiredKinds.join(', ')}: rules about kinds of characters contradict NIST SP 800-63B-4, 3.1.1.2 and OWASP ASVS 6.2.5`,
    );
  }
  return { warnings };
}

/** Checks the cost of a hash against the pairs of the OWASP Password Storage Cheat Sheet. */
function checkHashStrength({ values, isSet, production }: CheckInput): Partial<CheckOutcome> {
  const costNames = ['HASH_MEMORY_KIB', 'HASH_ITERATIONS'].filter(isSet);
  if (isSet('PASSWORD_HASH') && costNames.length > 0)
    return { faults: [`PASSWORD_HASH: must not be set together with ${costNames.join(' and ')}`] };
  const cost = toHashCost(values.hashing);
  if (isStrongEnough(cost)) return {};
  const passes = cost.iterations === 1 ? '1 pass' : `${cost.iterations} passes`;
  const fault = `HASH_MEMORY_KIB, HASH_ITERATIONS: ${cost.memoryKiB} KiB with ${passes} is weaker than every pair of PASSWORD_HASH (OWASP)`;
  return production ? { faults: [fault] } : { warnings: [fault] };
}

function checkTimeouts({ values }: CheckInput): Partial<CheckOutcome> {
  if (values.http.headersTimeoutMs <= values.http.requestTimeoutMs) return {};
  return { faults: ['HTTP_HEADERS_TIMEOUT_MS: must not be longer than HTTP_REQUEST_TIMEOUT_MS, which includes it'] };
}

function checkWaits({ values }: CheckInput): Partial<CheckOutcome> {
  const faults: string[] = [];
  if (values.limits.accountFirstWaitSeconds > values.limits.accountLongestWaitSeconds) {
    faults.push('LIMIT_ACCOUNT_FIRST_WAIT_SECONDS: must not be longer than LIMIT_ACCOUNT_LONGEST_WAIT_SECONDS');
  }
  if (values.limits.accountFreeFailures >= values.limits.accountStopAt) {
    faults.push('LIMIT_ACCOUNT_FREE_FAILURES: must be below LIMIT_ACCOUNT_STOP_AT');
  }
  return { faults };
}

/**
 * Requires an explicit number of proxies, because a wrong number is not noticed: if it is too low, all people share the limits of one
 * address; if it is too high, forged addresses are trusted.
 */
function checkProxies({ values, isSet, production }: CheckInput): Partial<CheckOutcome> {
  if (production && !isSet('TRUST_PROXY')) {
    return { faults: ['TRUST_PROXY: is required in production: the number of proxies in front of Foyer, 0 for none'] };
  }
  if (!production || values.address.trustProxyHops > 0) return {};
  return {
    warnings: ['TRUST_PROXY: is 0; behind a proxy, all people would seem to come from one address and would share its limits'],
  };
}

function checkOperatorAccess({ values, isSet, production }: CheckInput): Partial<CheckOutcome> {
  if (!production || isLoopback(values.operator.host) || isSet('OPERATOR_TLS_CERT')) return {};
  return {
    warnings: [
      'OPERATOR_HOST: the operator API speaks plain http; set OPERATOR_TLS_CERT_FILE, or make sure that only its clients can reach it',
    ],
  };
}

/** Requires the console, where operators approve, if something has to be approved and tokens may not approve it. */
function checkApproval({ values, isSet }: CheckInput): Partial<CheckOutcome> {
  const { approval, supportCheck } = values.operator;
  const hasConsole = isSet('CONSOLE_URL') || values.hydra.adminUrl === undefined;
  if (hasConsole || approval === 'operators-and-tokens') return {};
  return {
    faults: [
      ...(approval === 'operators' ? ['OPERATOR_APPROVAL: requires CONSOLE_URL, unless it is operators-and-tokens'] : []),
      ...(supportCheck ? ['SUPPORT_CHECK: requires CONSOLE_URL, or OPERATOR_APPROVAL=operators-and-tokens'] : []),
    ],
  };
}

function checkOperatorTls({ values, isSet }: CheckInput): Partial<CheckOutcome> {
  const pair = ['OPERATOR_TLS_CERT', 'OPERATOR_TLS_KEY'];
  const missingNames = pair.filter((name) => !isSet(name));
  if (missingNames.length === 1)
    return { faults: missingNames.map((name) => `${name}: is missing; certificate and key must be set together`) };
  const { tlsCert: certificate, tlsKey: key } = values.operator;
  if (values.hydra.adminUrl === undefined && isSet('OPERATOR_TLS_CERT'))
    return { faults: ['OPERATOR_TLS_CERT: requires HYDRA_ADMIN_URL; the embedded demo calls the operator API over plain http'] };
  if (certificate === undefined || key === undefined) return {};
  const isPair = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  return isPair ? {} : { faults: ['OPERATOR_TLS_KEY: is not the key of the certificate in OPERATOR_TLS_CERT'] };
}

/**
 * Requires https for the console and, in production, another host name than for the sign-in pages and Hydra: the cookie of the console is
 * valid for all ports of its host, so a defect of these pages could expose it.
 */
function checkConsole({ values, isSet, production }: CheckInput): Partial<CheckOutcome> {
  const { url } = values.console;
  if (url === undefined) {
    const names = ['CONSOLE_ACR', 'CONSOLE_BACKCHANNEL_URL'].filter((name) => isSet(name));
    return isSet('CONSOLE_URL') || values.hydra.adminUrl === undefined
      ? {}
      : { faults: names.map((name) => `${name}: requires CONSOLE_URL`) };
  }
  const { protocol, hostname } = new URL(url);
  const faults: string[] = [];
  if (protocol === 'http:' && (production || !isLoopback(hostname)))
    faults.push('CONSOLE_URL: must begin with https://; plain http is allowed for localhost outside production');
  const otherUrls = [['PUBLIC_URL', values.address.publicUrl] as const, ['HYDRA_PUBLIC_URL', values.hydra.publicUrl] as const];
  const conflicts = otherUrls.filter(([, other]) => production && other !== undefined && hostname === new URL(other).hostname);
  for (const [name] of conflicts)
    faults.push(`CONSOLE_URL: must have another host name than ${name}, because browsers share cookies between ports`);
  return { faults };
}

/**
 * Without a mail server, mails stay in the database; if the embedded parts run, their mailbox receives the mails. In production,
 * the connection to a mail server that is not on this machine must be encrypted.
 */
function checkMail({ values, isSet, production }: CheckInput): Partial<CheckOutcome> {
  const embedded = !production && !isSet('HYDRA_ADMIN_URL') && !isSet('HYDRA_PUBLIC_URL');
  if (!isSet('SMTP_URL')) {
    const wait = 'mails stay in the database until it is set, and people cannot reset their passwords themselves';
    // Without mails, a person cannot stop a requested change, and people who cannot sign in receive no code that opens /support.
    const check =
      '; with SUPPORT_CHECK=true, people are not told about changes that are requested without a check, and cannot open /support, so only people who are signed in can be checked';
    const codes = '; with CODE_SIGN_IN=on, codes are not offered';
    const consequences = `${values.operator.supportCheck ? check : ''}${values.login.codes === 'on' ? codes : ''}`;
    return embedded ? {} : { warnings: [`SMTP_URL: is not set; ${wait}${consequences}`] };
  }
  const { encryption, host } = values.mail.server ?? {};
  if (!production || encryption !== 'none' || isLoopback(host ?? '')) return {};
  return { faults: ['SMTP_URL: is plain SMTP; use smtps://… or smtp://…?starttls=required'] };
}

function checkFactorDay({ values: { mfa }, isSet }: CheckInput): Partial<CheckOutcome> {
  const isUnused = isSet('MFA_REQUIRED_FROM') && mfa.policy !== 'required';
  return { faults: isUnused ? ['MFA_REQUIRED_FROM: requires MFA_POLICY=required'] : [] };
}

function checkTasks({ values: { tasks, hydra }, isSet }: CheckInput): Partial<CheckOutcome> {
  if (tasks.emailProof === 'off')
    return { faults: isSet('EMAIL_PROOF_FROM') ? ['EMAIL_PROOF_FROM: requires EMAIL_PROOF=required'] : [] };
  const hasMail = isSet('SMTP_URL') || hydra.adminUrl === undefined;
  return { faults: hasMail ? [] : ['EMAIL_PROOF: required needs SMTP_URL, because a mailed code proves the address'] };
}

function checkManageFeatures({ values: { manage } }: CheckInput): Partial<CheckOutcome> {
  const isMixed = manage.features.includes('none') && manage.features.some((feature) => feature !== 'none');
  return { faults: isMixed ? ['MANAGE_FEATURES: cannot combine none with a feature'] : [] };
}

function checkDatabase({ values, production }: CheckInput): Partial<CheckOutcome> {
  if (!production || values.database.url === undefined) return {};
  const url = new URL(values.database.url);
  const isLocal = isLoopback(url.hostname) || url.hostname === '' || (url.searchParams.get('host') ?? '').startsWith('/');
  if (isLocal || /^verify-(ca|full)$/.test(url.searchParams.get('sslmode') ?? '')) return {};
  return { warnings: ['DATABASE_URL: has no sslmode=verify-full, so the identity of the server is not verified'] };
}

function checkAttributes({ values, isSet }: CheckInput): Partial<CheckOutcome> {
  const { schema } = values.accounts;
  // If the schema has a fault, its attributes are not known.
  if (schema === undefined && isSet('ACCOUNT_SCHEMA')) return {};
  return {
    faults: [
      ...findClaimFaults(values.consent.claims, schema),
      ...findSourceFaults(values.users.sources, schema),
      ...findProvisionFaults(values.providers.further, schema),
      ...findOperatorFaults(values.operator.rules, schema),
    ],
  };
}

function checkScopes({ values, locales }: CheckInput): Partial<CheckOutcome> {
  return {
    warnings: Object.entries(values.consent.scopes).flatMap(([scope, texts]) => {
      // With LANGUAGES=all, titles are not required in every language.
      const requiredLocales = values.language.offered.includes('all') ? [] : locales;
      const missingLocales = requiredLocales.filter(
        (locale) => findNearestLocale(locale, Object.keys(texts.title)) === undefined,
      );
      return missingLocales.length > 0
        ? [`CONSENT_SCOPES: ${JSON.stringify(scope)} has no title in ${missingLocales.join(', ')}`]
        : [];
    }),
  };
}

function toHost(url: string | undefined): string {
  return url === undefined ? '' : new URL(url).hostname;
}
