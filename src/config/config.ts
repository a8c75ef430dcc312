/**
 * The validated settings of one installation. `load-config.ts` creates them from the environment, which only
 * `environment.ts` reads. `settings.ts` describes the members that a section takes from it unchanged; the other members are derived
 * from one or several settings. Names of durations include the unit.
 */
import type { Acr } from '../contract/authentication.js';
import type { HashCost } from './hash-pairs.js';
import type { Languages } from '../../locales/languages.js';
import type { TelemetrySettings } from './telemetry-settings.js';
import type { SettingValues } from './settings.js';
import type { SinkSettings } from './sink-settings.js';
import type { ScimSettings, SourceSettings } from './source-settings.js';
import type {
  ClaimRule,
  FooterAddress,
  ProviderSettings,
  RegistrationService,
  SignUpField,
  SignUpSettings,
  SenderAddress,
  SmtpServer,
  Terms,
} from './value-types.js';

export type { Language } from '../../locales/languages.js';
export * from './value-types.js';

type Section<Name extends keyof SettingValues, ExcludedKey extends string = never> = Omit<SettingValues[Name], ExcludedKey>;

export interface Config extends Section<'address', 'mode' | 'publicUrl'> {
  /** `production` starts no embedded parts and refuses sample secrets. */
  mode: 'development' | 'production';
  /** Public origin, without a trailing slash. */
  publicUrl: string;
  secrets: readonly string[];
  hydra: Section<'hydra', 'adminUrl' | 'publicUrl'> & { adminUrl: string; publicUrl: string };
  tokenHook: SettingValues['tokenHook'];
  /** Whether no upstream is configured, so that the embedded upstream starts beside the gateway (never in production). */
  embedded: boolean;
  embeddedPorts: SettingValues['embeddedPorts'];
  database: SettingValues['database'];
  operator: Section<'operator', 'tlsCert' | 'tlsKey'> & {
    /** Both in PEM form; intermediate certificates follow the certificate. If absent, the API uses plain http. */
    tls?: { certificate: string; key: string };
  };
  /** If absent, there is no console. */
  console?: {
    /** Public origin, without a trailing slash. */
    url: string;
    acr: Acr;
    /** Origin at which Hydra reaches the listener of the operator API. */
    backChannelUrl: string;
  };
  mail: {
    /** If absent, mail is off and mails stay in the outbox. */
    server?: SmtpServer;
    from: Required<SenderAddress>;
  };
  app: Section<'app', 'loginAddress'> & {
    loginAddress: string;
    /** HTML around the content of mails. */
    mailLayout?: string;
    /** IANA name of the time zone; UTC if absent. */
    timeZone?: string;
    footer: readonly FooterAddress[];
  };
  language: { detection: SettingValues['language']['detection']; offered: Languages };
  login: Section<'login', 'identifiers'> & {
    /** Whether people can also sign in with a verified e-mail address. */
    byEmail: boolean;
  };
  consent: Section<'consent', 'claims'> & {
    /** The standard claims, and the claims of the installation. */
    claims: readonly ClaimRule[];
  };
  /** The providers, in the order of their buttons. */
  providers: readonly ProviderSettings[];
  /** User sources, in the order in which they are queried. */
  sources: readonly SourceSettings[];
  /** Sources that send people by SCIM; they are never queried. */
  scim: readonly ScimSettings[];
  sourceChecks: Section<'users', 'sources'>;
  registration: {
    hintNames: readonly string[];
    /** Absent unless people create their accounts at the registration service. */
    service?: RegistrationService;
    /** Absent unless people create their accounts here. */
    signUp?: SignUpSettings;
    /** What invited people fill in; absent unless `REGISTRATION=invitation`. */
    invitationFields?: readonly SignUpField[];
  };
  /** What people have to do between a proof and the app. */
  tasks: Section<'tasks', 'missingFields'> & {
    /** The attributes that people are asked for if their account lacks them. */
    requiredFields: readonly SignUpField[];
  };
  password: Section<'password', 'profile'> & {
    /** Minimum length for accounts without a second factor; if absent, `minLength`. */
    minLengthAlone?: number;
  };
  mfa: Section<'mfa', 'factors'> & {
    /** Names of the kinds that people may set up. */
    factors: readonly string[];
  };
  passkeys: Section<'passkeys', 'rpId'> & {
    /** Id of the relying party: the host of `publicUrl`, or a domain above it. */
    rpId: string;
  };
  accounts: SettingValues['accounts'];
  /** Terms that people accept at the sign-in, in the order in which people are asked to accept them. */
  terms: readonly Terms[];
  manage: Section<'manage', 'features'> & { features: readonly Exclude<SettingValues['manage']['features'][number], 'none'>[] };
  limits: SettingValues['limits'];
  hashing: HashCost & Pick<SettingValues['hashing'], 'queueLength'>;
  http: Section<'http', 'drainMs'> & { drainMs: number };
  log: SettingValues['log'];
  telemetry: TelemetrySettings;
  /** Where audit events are sent. */
  eventSinks: readonly SinkSettings[];
}

/** Thrown if Foyer cannot start. Each fault names its settings and explains what is wrong with them. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration has ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}
