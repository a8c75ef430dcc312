/**
 * Every setting of an installation: its name in the environment, how it is parsed, its default, and its description.
 * The table of docs/settings.md is generated from this list. Rules between settings are in `settings-checks.ts`.
 */
import { ACR } from '../contract/authentication.js';
import { MANAGE_FEATURES } from '../contract/manage-state.js';
import { accountSchema } from './account-schema.js';
import { claimRules } from './claim-kinds.js';
import { domain } from './domains.js';
import { mailLayout, mailSender, smtpServer } from './mail-kinds.js';
import { footerLinks } from './footer-kind.js';
import { operatorRules, operatorTokens } from './operator-kinds.js';
import { furtherProviders, signingKey, tenants } from './provider-kinds.js';
import { eventSinks } from './sink-kinds.js';
import { userSources } from './source-kinds.js';
import { termsList } from './terms-kind.js';
import { OPERATOR_APPROVAL } from './value-types.js';
import { stylesheet } from './style-kind.js';
import {
  address,
  baseAddress,
  certificate,
  choice,
  colour,
  day,
  hostName,
  list,
  operatorToken,
  origin,
  port,
  postgresUrl,
  privateKey,
  radius,
  scopeCatalogue,
  text,
  timeZone,
  token,
  wholeNumber,
  flag,
  type Kind,
} from './settings-kinds.js';
import { SAMPLERS, attributeList, headerList, ratio } from './telemetry-kinds.js';

export interface Setting {
  name: string;
  kind: Kind<unknown>;
  /** The value of a setting that is not set. Without a default value, such a setting is absent. */
  fallback?: string | number | boolean | object;
  /** The text that the table and the operator API show instead of `fallback`. */
  fallbackText?: string;
  /** One line for the table. */
  about: string;
  /** The value is never repeated in a message. */
  secret?: true;
  /** `NAME_FILE` may name a file that contains the value. */
  file?: true;
}

export type Section = Readonly<Record<string, Setting>>;

const DAY_SECONDS = 86_400;
const WEEK_SECONDS = 604_800;
const YEAR_SECONDS = 31_536_000;
const MAX_TIMEOUT_MS = 600_000;

/** Usernames that people would associate with the operator of the installation; the names of mailboxes come from RFC 2142. */
const RESERVED_NAMES: readonly string[] = [
  ...['admin', 'administrator', 'root', 'superuser', 'sysadmin', 'system', 'operator', 'moderator', 'staff', 'security'],
  ...['support', 'helpdesk', 'help', 'info', 'service', 'abuse', 'noreply', 'hostmaster', 'postmaster', 'webmaster'],
];

/** The settings by section. `load-config.ts` converts these sections to the sections of `Config`. */
export const SETTINGS = {
  address: {
    mode: {
      name: 'NODE_ENV',
      kind: choice('development', 'test', 'production'),
      fallback: 'development',
      about:
        'in `production` no embedded part starts, and sample secrets, missing secrets and plain http in public addresses are refused',
    },
    publicUrl: {
      name: 'PUBLIC_URL',
      kind: origin,
      fallbackText: '`http://localhost:PORT`',
      about: 'public origin; required in production',
    },
    host: {
      name: 'HOST',
      kind: text,
      fallback: 'localhost',
      about: 'address on which the gateway listens; `0.0.0.0` in a container',
    },
    port: { name: 'PORT', kind: port, fallback: 3000, about: 'port of the gateway' },
    trustProxyHops: {
      name: 'TRUST_PROXY',
      kind: wholeNumber(0, 10),
      fallback: 0,
      about: 'number of proxies in front of the gateway whose forwarded headers are trusted; required in production',
    },
  },
  hydra: {
    adminUrl: {
      name: 'HYDRA_ADMIN_URL',
      kind: baseAddress,
      fallbackText: 'embedded',
      about: 'admin API of Ory Hydra, without `/admin`; required in production',
    },
    publicUrl: {
      name: 'HYDRA_PUBLIC_URL',
      kind: baseAddress,
      fallbackText: 'embedded',
      about: 'public address of Ory Hydra (its issuer); required in production',
    },
    internalUrl: {
      name: 'HYDRA_INTERNAL_URL',
      kind: baseAddress,
      fallbackText: '`HYDRA_PUBLIC_URL`',
      about: "address at which Foyer itself reaches Hydra's public port, for the console",
    },
    adminToken: { name: 'HYDRA_ADMIN_TOKEN', kind: token, secret: true, file: true, about: 'bearer token for the admin API' },
    adminCa: {
      name: 'HYDRA_ADMIN_CA',
      kind: certificate,
      file: true,
      about: 'certificate authority of the admin API',
    },
    timeoutMs: {
      name: 'HYDRA_TIMEOUT_MS',
      kind: wholeNumber(100, 60_000),
      fallback: 3000,
      about: 'time limit of one call to the admin API',
    },
  },
  tokenHook: {
    keys: {
      name: 'TOKEN_HOOK_KEY',
      kind: list(token),
      fallback: [],
      secret: true,
      file: true,
      fallbackText: 'no token hook',
      about:
        'keys of at least 32 characters with which Hydra calls the token hook on the port of the operator API (docs/token-hook.md); each key is accepted, so that a key can be replaced without an interruption',
    },
  },
  database: {
    url: {
      name: 'DATABASE_URL',
      kind: postgresUrl,
      secret: true,
      file: true,
      fallbackText: 'embedded',
      about: 'PostgreSQL 15 or later; required in production',
    },
    poolSize: {
      name: 'DATABASE_POOL_SIZE',
      kind: wholeNumber(2, 500),
      fallback: 10,
      about: 'database connections of one process',
    },
    statements: {
      name: 'DATABASE_STATEMENTS',
      kind: choice('named', 'unnamed'),
      fallbackText: '`named`, and `unnamed` behind a connection pooler',
      about:
        'kind of prepared statements; behind a pooler, `named` works only if the pooler supports them (`max_prepared_statements` of PgBouncer)',
    },
    dataDir: {
      name: 'DATA_DIR',
      kind: text,
      fallback: '.foyer',
      about: 'directory for the embedded data and generated secrets',
    },
  },
  secrets: {
    system: {
      name: 'SECRETS_SYSTEM',
      kind: list(text),
      fallback: [],
      secret: true,
      file: true,
      fallbackText: 'generated and stored in `DATA_DIR`',
      about:
        'secrets of at least 32 characters, newest first; older secrets still decrypt existing values; required in production',
    },
  },
  operator: {
    host: { name: 'OPERATOR_HOST', kind: text, fallback: 'localhost', about: 'address on which the operator API listens' },
    port: { name: 'OPERATOR_PORT', kind: port, fallback: 3001, about: 'port of the operator API' },
    hostNames: {
      name: 'OPERATOR_HOST_NAMES',
      kind: list(hostName),
      fallback: [],
      about: 'further host names by which the operator API may be called, such as the name of its service in a cluster',
    },
    trustProxyHops: {
      name: 'OPERATOR_TRUST_PROXY',
      kind: wholeNumber(0, 10),
      fallback: 0,
      about: 'number of proxies in front of the port of the operator API whose forwarded addresses are trusted',
    },
    tlsCert: {
      name: 'OPERATOR_TLS_CERT',
      kind: certificate,
      file: true,
      about: 'certificate of the operator API, followed by its intermediate certificates; the API then accepts only https',
    },
    tlsKey: {
      name: 'OPERATOR_TLS_KEY',
      kind: privateKey,
      secret: true,
      file: true,
      about: 'private key of `OPERATOR_TLS_CERT`, without a passphrase',
    },
    token: {
      name: 'OPERATOR_TOKEN',
      kind: operatorToken,
      secret: true,
      file: true,
      fallbackText: 'generated and stored in `DATA_DIR`',
      about:
        'bearer token of the operator API with all rights, at least 32 characters; production requires it or `OPERATOR_TOKENS`',
    },
    tokens: {
      name: 'OPERATOR_TOKENS',
      kind: operatorTokens,
      fallback: [],
      secret: true,
      file: true,
      about:
        'named bearer tokens of the operator API: `[{"name", "rights", "token"}]` with the rights `read`, `auditor`, `support` or `admin`; the audit log records the name',
    },
    rules: {
      name: 'OPERATORS',
      kind: operatorRules,
      file: true,
      fallback: [],
      fallbackText: 'only granted rights',
      about:
        'rights of operators by group or attribute: `[{"group", "right"}, {"attribute", "value", "right"}]`; people who can change groups and attributes can then appoint operators (docs/operating.md)',
    },
    approval: {
      name: 'OPERATOR_APPROVAL',
      kind: choice(...OPERATOR_APPROVAL),
      fallback: 'off',
      about:
        'whether operations such as factor resets, changes of addresses, exports with secrets and grants of `admin` wait for a second operator (docs/console.md); with `operators`, only operators who are signed in to the console can approve; with `operators-and-tokens`, a token with another name can also approve requests of a token',
    },
    supportCheck: {
      name: 'SUPPORT_CHECK',
      kind: flag,
      fallback: false,
      about:
        'whether the help desk checks who is calling before operations such as a factor reset, a change of the address or a link to a new password (docs/help-desk.md): the person reads out three words from their own page; without this check, the operation waits for 24 hours and for another operator, and the person can stop it',
    },
  },
  console: {
    url: {
      name: 'CONSOLE_URL',
      kind: origin,
      fallbackText: 'no console; the demo has one at the port of the operator API',
      about: 'public origin of the console, which leads to the port of the operator API',
    },
    acr: {
      name: 'CONSOLE_ACR',
      kind: choice(ACR.federated, ACR.password, ACR.secondFactor, ACR.key, ACR.hardwareKey),
      fallback: ACR.secondFactor,
      about: 'minimum strength of a sign-in to the console, as a value of `acr`',
    },
    backChannelUrl: {
      name: 'CONSOLE_BACKCHANNEL_URL',
      kind: origin,
      fallbackText: '`CONSOLE_URL`',
      about: 'origin at which Hydra reaches the port of the operator API, to end sessions of the console',
    },
  },
  mail: {
    server: {
      name: 'SMTP_URL',
      kind: smtpServer,
      secret: true,
      file: true,
      fallbackText: 'the embedded mailbox if it runs, otherwise no mail is sent',
      about: 'SMTP server: `smtps://user:password@host` or `smtp://user:password@host?starttls=required`',
    },
    from: {
      name: 'MAIL_FROM',
      kind: mailSender,
      fallbackText: '`APP_NAME`, `no-reply@` host of `PUBLIC_URL`',
      about: 'sender of mails: `foyer@example.org` or `Foyer <foyer@example.org>`',
    },
    layout: {
      name: 'MAIL_LAYOUT',
      kind: mailLayout,
      file: true,
      about: 'HTML around the content of mails (docs/looks.md)',
    },
    timeZone: {
      name: 'TIME_ZONE',
      kind: timeZone,
      fallback: 'UTC',
      about: 'time zone for times in mails, such as `Europe/Berlin`',
    },
  },
  app: {
    name: { name: 'APP_NAME', kind: text, fallback: 'Foyer', about: 'name of the product in texts' },
    loginAddress: {
      name: 'LOGIN_ADDRESS',
      kind: text,
      fallbackText: 'host of `PUBLIC_URL`',
      about: 'login address shown in texts and mails',
    },
    homeUrl: {
      name: 'HOME_URL',
      kind: address,
      fallbackText: 'the demo app if it runs',
      about: 'address to which a person without a sign-in request is redirected',
    },
    logoUrl: { name: 'LOGO_URL', kind: address, about: 'logo of the installation (docs/looks.md)' },
    logoDarkUrl: { name: 'LOGO_DARK_URL', kind: address, fallbackText: '`LOGO_URL`', about: 'the logo for dark pages and mails' },
    brandColour: { name: 'BRAND_COLOUR', kind: colour, about: 'colour of the primary action' },
    brandColourDark: {
      name: 'BRAND_COLOUR_DARK',
      kind: colour,
      fallbackText: '`BRAND_COLOUR`',
      about: 'the colour for dark pages',
    },
    brandRadius: { name: 'BRAND_RADIUS', kind: radius, about: 'radius of rounded corners' },
    iconUrls: {
      name: 'ICON_URL',
      kind: list(address),
      fallback: [],
      about: 'icon of the pages in tabs and bookmarks: a PNG, an SVG, or both with the PNG first',
    },
    touchIconUrl: {
      name: 'TOUCH_ICON_URL',
      kind: address,
      about: 'icon on the home screen of Apple devices: a PNG of 180 × 180 pixels',
    },
    style: {
      name: 'STYLE',
      kind: stylesheet,
      file: true,
      about: 'a stylesheet that pages load after all others (docs/looks.md)',
    },
    clientLooks: {
      name: 'CLIENT_LOOKS',
      kind: list(text),
      fallback: [],
      about: 'ids of clients whose pages use the look in `metadata.foyer.look`; `*` means every client (docs/looks.md)',
    },
    theme: {
      name: 'THEME',
      kind: choice('system', 'light', 'dark'),
      fallback: 'system',
      about: 'theme of the pages; `system` follows the setting of the browser',
    },
    returnOrigins: {
      name: 'RETURN_ORIGINS',
      kind: list(origin),
      fallback: [],
      about: 'origins to which a link back to an app may lead, in addition to the origins of its client',
    },
  },
  language: {
    detection: {
      name: 'LANGUAGE_DETECTION',
      kind: choice('full', 'browser'),
      fallback: 'full',
      about: "`browser` uses only the browser's language and stores nothing",
    },
    offered: {
      name: 'LANGUAGES',
      kind: list(text),
      fallback: ['de', 'en'],
      fallbackText: '`de,en`',
      about: 'languages to offer, in this order, from the languages that ship with Foyer, or `all` (docs/languages.md)',
    },
    directory: {
      name: 'LOCALES_DIR',
      kind: text,
      about:
        'directory with files such as `fr.json`: each adds a language, or replaces phrases of a language that ships with Foyer (docs/languages.md)',
    },
  },
  footer: {
    imprintDe: { name: 'IMPRINT_URL_DE', kind: address, about: 'imprint, German' },
    imprintEn: {
      name: 'IMPRINT_URL_EN',
      kind: address,
      about: 'imprint, English; if it is not set, the German imprint is linked and marked as German',
    },
    privacyDe: { name: 'PRIVACY_URL_DE', kind: address, about: 'privacy policy, German' },
    privacyEn: { name: 'PRIVACY_URL_EN', kind: address, about: 'privacy policy, English' },
    termsDe: { name: 'TERMS_URL_DE', kind: address, about: 'terms and conditions, German' },
    termsEn: { name: 'TERMS_URL_EN', kind: address, about: 'terms and conditions, English' },
    sfdrDe: { name: 'SFDR_URL_DE', kind: address, about: 'sustainability disclosure, German' },
    sfdrEn: { name: 'SFDR_URL_EN', kind: address, about: 'sustainability disclosure, English' },
    footerLinks: {
      name: 'FOOTER_LINKS',
      kind: footerLinks,
      file: true,
      fallback: {},
      fallbackText: '`{}`',
      about:
        'the same addresses in any language; they take precedence over the settings above: `{"imprint": {"fr": "https://…"}, "privacy": {…}, "terms": {…}, "sfdr": {…}}`',
    },
  },
  login: {
    remember: {
      name: 'REMEMBER',
      kind: choice('on', 'off', 'ask'),
      fallback: 'ask',
      about:
        'whether people stay signed in after they close the browser: always (`on`), never (`off`), or as the person chooses (`ask`)',
    },
    rememberForSeconds: {
      name: 'REMEMBER_SECONDS',
      kind: wholeNumber(60, YEAR_SECONDS),
      fallback: 30 * DAY_SECONDS,
      about: 'how long a remembered sign-in lasts; with more than one factor, at most 24 hours',
    },
    sessionSeconds: {
      name: 'SESSION_SECONDS',
      kind: wholeNumber(60, YEAR_SECONDS),
      fallback: 8 * 3600,
      about:
        'how long a sign-in that is not remembered lasts; with more than one factor, at most 24 hours; closing the browser ends it earlier',
    },
    confirmSessionClients: {
      name: 'CONFIRM_SESSION_CLIENTS',
      kind: list(text),
      fallback: [],
      about: 'ids of clients for which a person with a session is always asked whether to continue with it',
    },
    identifiers: {
      name: 'LOGIN_WITH',
      kind: choice('username', 'username,email'),
      fallback: 'username',
      about:
        'what people enter to sign in or to request a new password; `username,email` also accepts a verified e-mail address, which must then be unique (docs/attributes.md)',
    },
    codes: {
      name: 'CODE_SIGN_IN',
      kind: choice('off', 'on'),
      fallback: 'off',
      about:
        'whether people can also sign in with a code that is mailed to their verified address; it counts less than a password, and never replaces a passkey or a second factor (docs/authentication.md)',
    },
  },
  consent: {
    scopes: {
      name: 'CONSENT_SCOPES',
      kind: scopeCatalogue,
      file: true,
      fallback: {},
      fallbackText: '`{}`',
      about:
        'texts of additional scopes: `{"scope": {"title": {"de": "…", "en": "…"}, "description": {…}}}`; `"far_reaching": true` highlights a scope on the consent page',
    },
    claims: {
      name: 'CLAIMS',
      kind: claimRules,
      file: true,
      fallback: [],
      fallbackText: 'only the standard claims',
      about:
        'further claims by scope: `{"scope": {"claim": "attribute"}}`, or `{"attribute", "in": ["id_token", "access_token"], "title": {…}}` in place of the attribute (docs/claims.md)',
    },
    strictScopes: {
      name: 'CONSENT_STRICT_SCOPES',
      kind: flag,
      fallback: false,
      about: 'whether requests for scopes without texts are refused',
    },
    rememberForSeconds: {
      name: 'CONSENT_REMEMBER_SECONDS',
      kind: wholeNumber(60, YEAR_SECONDS),
      fallback: 30 * DAY_SECONDS,
      about: 'how long a grant is remembered after its last use',
    },
  },
  password: {
    minLength: {
      name: 'PASSWORD_MIN_LENGTH',
      kind: wholeNumber(1, 64),
      fallback: 6,
      about: 'minimum length of a new password in characters',
    },
    profile: {
      name: 'PASSWORD_PROFILE',
      kind: choice('specification', 'nist'),
      fallback: 'specification',
      about:
        '`nist`: at least 8 characters with a second factor and 15 without one, and no rules about kinds of characters (NIST SP 800-63B-4, 3.1.1.2); `PASSWORD_MIN_LENGTH` can only raise these minimums',
    },
    requireLower: {
      name: 'PASSWORD_REQUIRE_LOWER',
      kind: flag,
      fallback: false,
      about: 'a lower-case letter is required',
    },
    requireUpper: {
      name: 'PASSWORD_REQUIRE_UPPER',
      kind: flag,
      fallback: false,
      about: 'an upper-case letter is required',
    },
    requireDigit: { name: 'PASSWORD_REQUIRE_DIGIT', kind: flag, fallback: false, about: 'a digit is required' },
    breachedList: {
      name: 'BREACHED_LIST',
      kind: text,
      fallbackText: 'no list',
      about:
        'file with breached passwords, created by `foyer breached build` (docs/security.md); they are refused as new passwords and replaced at a sign-in, and no password leaves the installation',
    },
  },
  providers: {
    googleClientId: {
      name: 'GOOGLE_CLIENT_ID',
      kind: text,
      fallbackText: 'no Google',
      about: 'id of the OAuth client registered with Google',
    },
    googleClientSecret: { name: 'GOOGLE_CLIENT_SECRET', kind: token, secret: true, file: true, about: 'secret of that client' },
    googleIssuer: {
      name: 'GOOGLE_ISSUER',
      kind: baseAddress,
      fallback: 'https://accounts.google.com',
      about: 'issuer of Google; change it only for a test provider',
    },
    googleDomains: {
      name: 'GOOGLE_DOMAINS',
      kind: list(domain),
      fallback: [],
      about:
        'domains of e-mail addresses, such as `example.com`: whoever types such an address on the login page is sent to Google ([providers.md](providers.md#domains))',
    },
    microsoftClientId: {
      name: 'MICROSOFT_CLIENT_ID',
      kind: text,
      fallbackText: 'no Microsoft',
      about: 'id of the application registered with Microsoft Entra',
    },
    microsoftClientSecret: {
      name: 'MICROSOFT_CLIENT_SECRET',
      kind: token,
      secret: true,
      file: true,
      about: 'secret of that application',
    },
    microsoftTenants: {
      name: 'MICROSOFT_TENANT',
      kind: tenants,
      fallback: ['common'],
      fallbackText: '`common`',
      about: 'accepted accounts: tenant ids, `organizations`, `consumers`, or `common` for both',
    },
    microsoftIssuer: {
      name: 'MICROSOFT_ISSUER',
      kind: baseAddress,
      fallback: 'https://login.microsoftonline.com',
      about: 'issuer of Microsoft without the tenant; change it only for a national cloud or a test provider',
    },
    microsoftDomains: {
      name: 'MICROSOFT_DOMAINS',
      kind: list(domain),
      fallback: [],
      about: 'like `GOOGLE_DOMAINS`, for Microsoft',
    },
    appleClientId: { name: 'APPLE_CLIENT_ID', kind: text, fallbackText: 'no Apple', about: 'Services ID registered with Apple' },
    appleTeamId: { name: 'APPLE_TEAM_ID', kind: token, about: 'team that owns the Services ID' },
    appleKeyId: { name: 'APPLE_KEY_ID', kind: token, about: 'id of the key below' },
    applePrivateKey: {
      name: 'APPLE_PRIVATE_KEY',
      kind: signingKey,
      secret: true,
      file: true,
      about: 'private key for Sign in with Apple: the content of the `.p8` file, optionally in base64',
    },
    appleIssuer: {
      name: 'APPLE_ISSUER',
      kind: baseAddress,
      fallback: 'https://appleid.apple.com',
      about: 'issuer of Apple; change it only for a test provider',
    },
    appleDomains: { name: 'APPLE_DOMAINS', kind: list(domain), fallback: [], about: 'like `GOOGLE_DOMAINS`, for Apple' },
    connectOffers: {
      name: 'CONNECT_OFFERS',
      kind: list(text),
      fallback: [],
      fallbackText: 'no offers',
      about:
        'ids of providers: whoever signs in there with a verified address, and is not connected, is offered to connect the account that has the address by signing in to it ([providers.md](providers.md#offers-to-connect))',
    },
    further: {
      name: 'OIDC_PROVIDERS',
      kind: furtherProviders,
      fallback: [],
      secret: true,
      file: true,
      about:
        'additional providers: `[{"id", "name", "issuer", "client_id", "client_secret"}]`, or with `"type"` in place of the issuer one that is not an OpenID provider ([providers.md](providers.md)); with `"provision": true`, people receive an account at their first sign-in ([people.md](people.md))',
    },
  },
  users: {
    sources: {
      name: 'USER_SOURCES',
      kind: userSources,
      fallback: [],
      fallbackText: 'none; with `npm start`, the example user source',
      secret: true,
      file: true,
      about:
        'user sources as a JSON list: directories and services whose people can sign in without an account created in advance ([people.md](people.md)), and sources that send people by SCIM ([scim.md](scim.md))',
    },
    freshnessSeconds: {
      name: 'SOURCE_FRESHNESS_SECONDS',
      kind: wholeNumber(60, DAY_SECONDS),
      fallback: 900,
      about:
        'how long the answer of a user source about a person is valid; after that, a refresh by an app (docs/token-hook.md) or a sign-in with a session queries the source again',
    },
    whenDown: {
      name: 'SOURCE_DOWN',
      kind: choice('last-known', 'refuse'),
      fallback: 'last-known',
      about:
        'while the user source of a person does not answer: `last-known` lets apps refresh and sessions continue with the last known state, `refuse` does not',
    },
  },
  registration: {
    mode: {
      name: 'REGISTRATION',
      kind: choice('off', 'service', 'own', 'own-with-approval', 'invitation'),
      fallbackText: '`service` if `REGISTRATION_URL` is set or the demo service runs, otherwise `off`',
      about:
        'where new people create their accounts: nowhere, at the registration service ([registration.md](registration.md)), or here ([joining.md](joining.md)), with `own-with-approval` only after an operator has approved the application, and with `invitation` only if an operator has invited them',
    },
    signUpFields: {
      name: 'SIGN_UP_FIELDS',
      kind: list(text),
      fallbackText: '`username,display_name`; with `LOGIN_WITH=username,email` only `display_name`',
      about:
        'with `REGISTRATION=own`, `own-with-approval` or `invitation`: what people enter besides the e-mail address: `username`, `display_name` and attributes (`ACCOUNT_SCHEMA`); the attributes that the schema requires are always added',
    },
    signUpDomains: {
      name: 'SIGN_UP_DOMAINS',
      kind: list(domain),
      fallback: [],
      fallbackText: 'all',
      about:
        'with `REGISTRATION=own` or `own-with-approval`: domains of the e-mail addresses that may sign up, with their subdomains',
    },
    signUpDomainsDenied: {
      name: 'SIGN_UP_DOMAINS_DENIED',
      kind: list(domain),
      fallback: [],
      fallbackText: 'none',
      about:
        'with `REGISTRATION=own` or `own-with-approval`: domains of e-mail addresses that may not sign up, with their subdomains',
    },
    signUpCodesPerHour: {
      name: 'SIGN_UP_CODES_PER_HOUR',
      kind: wholeNumber(1, 1_000_000),
      fallback: 1000,
      about:
        'with `REGISTRATION=own` or `own-with-approval`: codes that the installation mails per hour to people who sign up, and wrong codes that it accepts from them per hour',
    },
    signUpApprovalDays: {
      name: 'SIGN_UP_APPROVAL_DAYS',
      kind: wholeNumber(1, 365),
      fallback: 30,
      about: 'with `REGISTRATION=own-with-approval`: how long an application waits for a decision before it expires',
    },
    signUpMaxWaiting: {
      name: 'SIGN_UP_MAX_WAITING',
      kind: wholeNumber(1, 100_000),
      fallback: 1000,
      about: 'with `REGISTRATION=own-with-approval`: how many applications may wait; more are not accepted',
    },
    signUpWork: {
      name: 'SIGN_UP_WORK',
      kind: choice('off', 'on'),
      fallback: 'off',
      about:
        'with `REGISTRATION=own` or `own-with-approval`: whether a browser has to solve a task before a code is mailed, or, without script, to wait (docs/joining.md)',
    },
    signUpWorkCost: {
      name: 'SIGN_UP_WORK_COST',
      kind: wholeNumber(1000, 100_000),
      fallback: 5000,
      about:
        'with `SIGN_UP_WORK=on`: iterations of PBKDF2 in each try of the task, which takes about 256 tries; with the default, a laptop needs about a second',
    },
    hintNames: {
      name: 'REG_HINT_NAMES',
      kind: list(text),
      fallback: [],
      fallbackText: 'the hint of the demo app if it runs',
      about:
        'names of registration hints that apps may send as `reg_hint[name]`; with such a hint, the login page offers "Create new account"',
    },
    url: {
      name: 'REGISTRATION_URL',
      kind: address,
      fallbackText: 'the demo service if it runs, otherwise off',
      about: 'page of the registration service to which new people are redirected',
    },
    issuer: {
      name: 'REGISTRATION_ISSUER',
      kind: text,
      fallbackText: 'origin of `REGISTRATION_URL`',
      about: 'issuer (`iss`) in the answers of the service',
    },
    jwksUrl: {
      name: 'REGISTRATION_JWKS_URL',
      kind: address,
      about: 'public keys (JWKS) that verify the answers of the service',
    },
    secret: {
      name: 'REGISTRATION_SECRET',
      kind: text,
      secret: true,
      file: true,
      about: 'secret shared with the service, at least 32 characters, instead of public keys',
    },
  },
  tasks: {
    emailProof: {
      name: 'EMAIL_PROOF',
      kind: choice('off', 'required'),
      fallback: 'off',
      about:
        'whether people whose e-mail address is not verified, or who have none, prove one with a mailed code on the way to the app ([joining.md](joining.md))',
    },
    emailProofFrom: {
      name: 'EMAIL_PROOF_FROM',
      kind: day,
      fallbackText: 'at once',
      about: 'with `EMAIL_PROOF=required`: the day (UTC) from which it cannot be postponed, such as `2027-01-31`',
    },
    missingFields: {
      name: 'MISSING_FIELDS',
      kind: choice('off', 'ask'),
      fallback: 'off',
      about:
        'whether people whose account lacks attributes that `ACCOUNT_SCHEMA` requires are asked for them on the way to the app ([joining.md](joining.md))',
    },
  },
  mfa: {
    policy: {
      name: 'MFA_POLICY',
      kind: choice('optional', 'required'),
      fallback: 'optional',
      about:
        'whether accounts must have a second factor; with `optional`, a factor that is set up is still required, except in a trusted browser',
    },
    requiredFrom: {
      name: 'MFA_REQUIRED_FROM',
      kind: day,
      fallbackText: 'at once',
      about:
        'with `MFA_POLICY=required`: the day (UTC) from which a second factor is required, such as `2027-01-31`; until then its set-up is offered after each sign-in with a password, and may be postponed ([joining.md](joining.md))',
    },
    factors: {
      name: 'MFA_FACTORS',
      kind: list(choice('totp', 'fido2', 'email-code')),
      fallback: ['totp', 'fido2'],
      fallbackText: '`totp,fido2`',
      about: 'kinds of second factor that people may set up; people who already have another kind can keep using it',
    },
    totpWindowSteps: {
      name: 'TOTP_WINDOW_STEPS',
      kind: wholeNumber(0, 1),
      fallback: 1,
      about: 'accepted time steps of 30 seconds before and after the current one; `0` is strict',
    },
    numericAcr: {
      name: 'ACR_NUMERIC',
      kind: flag,
      fallback: false,
      about: 'whether apps may also request `1`, `2` or `3` in `acr_values`, and receive them as `acr`',
    },
    trustedBrowserDays: {
      name: 'TRUSTED_BROWSER_DAYS',
      kind: wholeNumber(0, 365),
      fallback: 30,
      about:
        'number of days for which a person may trust a browser; in a trusted browser, a second factor is required only if the app, its request, the account or `MFA_POLICY` requires one; `0` turns this off',
    },
    resetProof: {
      name: 'FACTOR_RESET_PROOF',
      kind: choice('none', 'password'),
      fallback: 'none',
      about: "proof that is required in addition to a contact person's token to remove all second factors",
    },
  },
  passkeys: {
    mode: {
      name: 'PASSKEYS',
      kind: choice('off', 'on', 'preferred'),
      fallback: 'on',
      about:
        'whether people can sign in with passkeys (docs/authentication.md); `preferred` offers them before the password; `off` keeps existing passkeys but does not accept them',
    },
    offer: {
      name: 'PASSKEY_OFFER',
      kind: choice('off', 'ask', 'automatic'),
      fallback: 'ask',
      about:
        'whether a passkey is offered after a sign-in with a password, once in each browser that can create one; `automatic` lets a password manager create it without asking, where the browser supports that (docs/factors.md)',
    },
    rpId: {
      name: 'PASSKEY_RP_ID',
      kind: hostName,
      fallbackText: 'host of `PUBLIC_URL`',
      about:
        'domain to which passkeys belong: the host of `PUBLIC_URL` or a parent domain; a change makes all existing passkeys unusable',
    },
    origins: {
      name: 'PASSKEY_ORIGINS',
      kind: list(origin),
      fallback: [],
      fallbackText: 'none',
      about: 'additional origins on whose pages the passkeys may be used, published at `/.well-known/webauthn`',
    },
  },
  accounts: {
    reservedUsernames: {
      name: 'RESERVED_USERNAMES',
      kind: list(text),
      fallback: RESERVED_NAMES,
      fallbackText: `\`${RESERVED_NAMES.join(',')}\``,
      about:
        'usernames that no new account may have, including names that look similar; existing accounts keep their names; `none` reserves only the word `none`',
    },
    sendsNewBrowserMail: {
      name: 'NEW_BROWSER_MAIL',
      kind: flag,
      fallback: true,
      about: 'whether a person receives a mail after a sign-in in a browser that was not used for the account before',
    },
    schema: {
      name: 'ACCOUNT_SCHEMA',
      kind: accountSchema,
      file: true,
      fallbackText: 'only the standard attributes',
      about:
        'JSON Schema (draft 2020-12) of the attributes that accounts may have in addition to the standard ones (docs/attributes.md)',
    },
  },
  terms: {
    list: {
      name: 'TERMS',
      kind: termsList,
      fallback: [],
      fallbackText: 'none',
      file: true,
      about:
        'terms that people accept at the sign-in, before an app is reached: `[{"id", "version", "files": {"en": "…"}, "clients", "from", "later_until"}]`, with plain text files ([joining.md](joining.md#terms))',
    },
  },
  manage: {
    features: {
      name: 'MANAGE_FEATURES',
      kind: list(choice('none', ...MANAGE_FEATURES)),
      fallback: MANAGE_FEATURES,
      fallbackText: `\`${MANAGE_FEATURES.join(',')}\``,
      about:
        'features of the account area in addition to the management of credentials: see the activity of the account, change its e-mail address, download its data, delete it; `none` for none of these',
    },
    clients: {
      name: 'MANAGE_CLIENTS',
      kind: list(text),
      fallback: [],
      fallbackText: 'every client',
      about: 'ids of clients whose access tokens open the account area',
    },
    freshProofSeconds: {
      name: 'MANAGE_PROOF_SECONDS',
      kind: wholeNumber(60, DAY_SECONDS),
      fallback: 900,
      about: 'maximum age of the last proof (password or factor) for a sensitive change',
    },
    idleSeconds: {
      name: 'MANAGE_IDLE_SECONDS',
      kind: wholeNumber(60, DAY_SECONDS),
      fallback: 1800,
      about: 'idle timeout of an account area session',
    },
    lifetimeSeconds: {
      name: 'MANAGE_SESSION_SECONDS',
      kind: wholeNumber(60, WEEK_SECONDS),
      fallback: 28_800,
      about: 'maximum lifetime of an account area session',
    },
    heldNameSeconds: {
      name: 'USERNAME_HELD_SECONDS',
      kind: wholeNumber(0, YEAR_SECONDS),
      fallback: 90 * DAY_SECONDS,
      about: 'how long a former username stays reserved for its owner',
    },
    deletionWaitDays: {
      name: 'DELETION_WAIT_DAYS',
      kind: wholeNumber(1, 90),
      fallback: 7,
      about:
        'number of days between the request of a person to delete their account and its deletion; until then, the person can cancel the deletion',
    },
    freezeSeconds: {
      name: 'CREDENTIAL_FREEZE_SECONDS',
      kind: wholeNumber(3600, 30 * DAY_SECONDS),
      fallback: DAY_SECONDS,
      about: 'how long the credentials of an account cannot be changed after its owner reported "that was not me"',
    },
  },
  limits: {
    accountFreeFailures: {
      name: 'LIMIT_ACCOUNT_FREE_FAILURES',
      kind: wholeNumber(1, 100),
      fallback: 5,
      about: 'failed passwords and codes to sign in for one account before further attempts have to wait',
    },
    accountFirstWaitSeconds: {
      name: 'LIMIT_ACCOUNT_FIRST_WAIT_SECONDS',
      kind: wholeNumber(1, DAY_SECONDS),
      fallback: 30,
      about: 'first waiting time; it doubles with each failure',
    },
    accountLongestWaitSeconds: {
      name: 'LIMIT_ACCOUNT_LONGEST_WAIT_SECONDS',
      kind: wholeNumber(1, DAY_SECONDS),
      fallback: 900,
      about: 'maximum waiting time',
    },
    accountStopAt: {
      name: 'LIMIT_ACCOUNT_STOP_AT',
      kind: wholeNumber(2, 100),
      fallback: 100,
      about:
        'failed passwords and codes to sign in for one account after which it is locked until its password is reset or an operator unlocks it',
    },
    addressFailures: {
      name: 'LIMIT_ADDRESS_FAILURES',
      kind: wholeNumber(1, 100_000),
      fallback: 50,
      about:
        'failed passwords, passkeys and codes to sign in from one address within the window; the same number limits password and factor resets, answers to notices such as "That was not me", codes for the help desk page, device codes, codes of sign-ups, solutions of `SIGN_UP_WORK` and wrong codes of new addresses; five times the number limits requests for codes to sign in, and ten times the number limits mailed codes of second factors and new addresses, sign-ins with providers and pages for device codes',
    },
    addressWindowSeconds: {
      name: 'LIMIT_ADDRESS_WINDOW_SECONDS',
      kind: wholeNumber(1, WEEK_SECONDS),
      fallback: 900,
      about: 'length of the window in which requests of an address are counted',
    },
  },
  hashing: {
    pair: {
      name: 'PASSWORD_HASH',
      kind: choice('argon2id-19m', 'argon2id-12m', 'argon2id-9m', 'argon2id-7m'),
      fallbackText: '`argon2id-19m`',
      about:
        'argon2id with 19 MiB and 2 passes, 12 MiB and 3, 9 MiB and 4, or 7 MiB and 5, which are equally strong (OWASP); `foyer doctor` reports which of them needs the least CPU. Stored hashes are renewed at the next sign-in',
    },
    memoryKiB: {
      name: 'HASH_MEMORY_KIB',
      kind: wholeNumber(64, 1_048_576),
      fallbackText: 'the value of `PASSWORD_HASH`',
      about: 'argon2id: memory of one hash, in place of `PASSWORD_HASH`',
    },
    iterations: {
      name: 'HASH_ITERATIONS',
      kind: wholeNumber(1, 20),
      fallbackText: 'the value of `PASSWORD_HASH`',
      about: 'argon2id: number of passes, in place of `PASSWORD_HASH`',
    },
    queueLength: {
      name: 'HASH_QUEUE_LENGTH',
      kind: wholeNumber(1, 10_000),
      fallback: 200,
      about:
        'number of password checks that may wait; checks from known devices, from sessions and from networks where the account signed in within the last day wait in a second queue of the same length; further checks are refused with 503',
    },
  },
  http: {
    drainMs: {
      name: 'HTTP_DRAIN_MS',
      kind: wholeNumber(0, 60_000),
      fallbackText: '5000 in production, otherwise 0',
      about: 'time after SIGTERM in which the gateway reports "not ready" but still accepts connections',
    },
    requestTimeoutMs: {
      name: 'HTTP_REQUEST_TIMEOUT_MS',
      kind: wholeNumber(1000, MAX_TIMEOUT_MS),
      fallback: 30_000,
      about: 'time limit for a complete request',
    },
    headersTimeoutMs: {
      name: 'HTTP_HEADERS_TIMEOUT_MS',
      kind: wholeNumber(1000, MAX_TIMEOUT_MS),
      fallback: 10_000,
      about: 'time limit for the headers of a request',
    },
    maxConnections: {
      name: 'HTTP_MAX_CONNECTIONS',
      kind: wholeNumber(10, 1_000_000),
      fallback: 12_000,
      about: 'maximum number of open connections',
    },
  },
  log: {
    level: {
      name: 'LOG_LEVEL',
      kind: choice('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
      fallback: 'info',
      about: 'minimum level of log lines',
    },
  },
  telemetry: {
    otlpEndpoint: {
      name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      kind: baseAddress,
      fallbackText: 'nothing is sent',
      about: 'receiver of traces and metrics, without `/v1/…`',
    },
    otlpHeaders: {
      name: 'OTEL_EXPORTER_OTLP_HEADERS',
      kind: headerList,
      fallback: {},
      secret: true,
      file: true,
      about: 'headers for the receiver: `authorization=Bearer%20…`',
    },
    otlpProtocol: {
      name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
      kind: choice('http/json'),
      fallback: 'http/json',
      about: 'OTLP over HTTP in JSON, the only supported protocol: no gRPC and no protobuf',
    },
    otlpTimeoutMs: {
      name: 'OTEL_EXPORTER_OTLP_TIMEOUT',
      kind: wholeNumber(100, 60_000),
      fallback: 10_000,
      about: 'time limit of one export, in milliseconds',
    },
    tracesExporter: {
      name: 'OTEL_TRACES_EXPORTER',
      kind: choice('otlp', 'none'),
      fallback: 'otlp',
      about: 'whether traces are sent to the receiver',
    },
    tracesSampler: {
      name: 'OTEL_TRACES_SAMPLER',
      kind: choice(...SAMPLERS),
      fallback: 'parentbased_always_on',
      about: 'which requests are traced',
    },
    tracesSamplerRatio: {
      name: 'OTEL_TRACES_SAMPLER_ARG',
      kind: ratio,
      fallbackText: '`1`',
      about: 'share of requests to sample, for samplers with a ratio',
    },
    metricsExporters: {
      name: 'OTEL_METRICS_EXPORTER',
      kind: list(choice('otlp', 'prometheus', 'none')),
      fallbackText: '`otlp` if a receiver is set',
      about: '`prometheus` enables `/metrics` on the port of the operator API; separate several exporters with commas',
    },
    metricIntervalMs: {
      name: 'OTEL_METRIC_EXPORT_INTERVAL',
      kind: wholeNumber(1000, 600_000),
      fallback: 60_000,
      about: 'interval of metric exports, in milliseconds',
    },
    metricsToken: {
      name: 'METRICS_TOKEN',
      kind: operatorToken,
      secret: true,
      file: true,
      fallbackText: 'only tokens of the operator API grant access',
      about: 'bearer token for `/metrics` only, at least 32 characters',
    },
    serviceName: {
      name: 'OTEL_SERVICE_NAME',
      kind: text,
      fallbackText: '`foyer`',
      about: 'name of the service in traces and metrics',
    },
    resource: {
      name: 'OTEL_RESOURCE_ATTRIBUTES',
      kind: attributeList,
      fallback: {},
      about: 'additional resource attributes: `deployment.environment.name=production`',
    },
    disabled: { name: 'OTEL_SDK_DISABLED', kind: flag, fallback: false, about: 'disables all telemetry' },
  },
  events: {
    sinks: {
      name: 'EVENT_SINKS',
      kind: eventSinks,
      fallback: [],
      fallbackText: 'none',
      secret: true,
      file: true,
      about:
        'systems that receive audit events within seconds, as a JSON list: webhooks, OpenTelemetry logs, syslog ([event-sinks.md](event-sinks.md))',
    },
  },
  embeddedPorts: {
    upstreamPublic: {
      name: 'EMBEDDED_UPSTREAM_PUBLIC_PORT',
      kind: port,
      fallback: 4444,
      about: 'embedded upstream, public API',
    },
    upstreamAdmin: { name: 'EMBEDDED_UPSTREAM_ADMIN_PORT', kind: port, fallback: 4445, about: 'embedded upstream, admin API' },
    demoApp: { name: 'EMBEDDED_DEMO_APP_PORT', kind: port, fallback: 5555, about: 'demo app' },
    providers: { name: 'EMBEDDED_PROVIDERS_PORT', kind: port, fallback: 4455, about: 'demo providers' },
    registration: {
      name: 'EMBEDDED_REGISTRATION_PORT',
      kind: port,
      fallback: 5556,
      about: 'demo registration service',
    },
    people: { name: 'EMBEDDED_PEOPLE_PORT', kind: port, fallback: 5557, about: 'example user source' },
    smtp: { name: 'EMBEDDED_SMTP_PORT', kind: port, fallback: 1025, about: 'mailbox, SMTP' },
    mailbox: { name: 'EMBEDDED_MAILBOX_PORT', kind: port, fallback: 8025, about: 'mailbox, web page' },
  },
} as const satisfies Readonly<Record<string, Section>>;

/** Headings of the settings table, and the sections under each. */
export const SETTING_GROUPS: readonly { title: string; sections: readonly (keyof typeof SETTINGS)[] }[] = [
  { title: 'Address', sections: ['address'] },
  { title: 'Upstream', sections: ['hydra', 'tokenHook'] },
  { title: 'Storage', sections: ['database'] },
  { title: 'Secrets and operator', sections: ['secrets', 'operator', 'console'] },
  { title: 'Mail', sections: ['mail'] },
  { title: 'Looks and language', sections: ['app', 'language'] },
  { title: 'Footer', sections: ['footer'] },
  { title: 'Sign-in and consent', sections: ['login', 'consent', 'password'] },
  { title: 'Google, Microsoft, Apple and others', sections: ['providers', 'users'] },
  { title: 'Registration', sections: ['registration'] },
  { title: 'Tasks at sign-in', sections: ['tasks'] },
  { title: 'Second factor and account area', sections: ['mfa', 'passkeys', 'accounts', 'terms', 'manage'] },
  { title: 'Limits', sections: ['limits'] },
  { title: 'Running', sections: ['hashing', 'http', 'log'] },
  { title: 'Traces and metrics', sections: ['telemetry'] },
  { title: 'Events', sections: ['events'] },
  { title: 'Embedded parts', sections: ['embeddedPorts'] },
];

/** All settings in one list. */
export const SETTING_LIST: readonly Setting[] = Object.values<Section>(SETTINGS).flatMap((section) => Object.values(section));

type ValueOf<S> = S extends { kind: Kind<infer T> } ? T : never;
type KeysWithFallback<S> = { [Key in keyof S]: S[Key] extends { fallback: unknown } ? Key : never }[keyof S];
type ValuesOf<S> = { -readonly [Key in KeysWithFallback<S>]: ValueOf<S[Key]> } & {
  -readonly [Key in Exclude<keyof S, KeysWithFallback<S>>]?: ValueOf<S[Key]>;
};

/** The values of the environment by section. They are parsed, but not checked against each other. */
export type SettingValues = { [Name in keyof typeof SETTINGS]: ValuesOf<(typeof SETTINGS)[Name]> };
