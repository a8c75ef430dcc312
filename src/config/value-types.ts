/** Types of the values of settings that are more than a text, a number or a choice. */
import type { FooterLink } from '../contract/page-state.js';
import type { Locale } from '../contract/locale.js';
import type { OAuthType } from './provider-presets.js';
import type { ProvisionSettings, RequiredClaim } from './provision-settings.js';

export interface FooterAddress {
  id: FooterLink['id'];
  /** Address per language. If only German is set, the target exists only in German (GEN-5). */
  urls: Readonly<Record<Locale, string>>;
}

/** Texts of one additional scope, per language (CON-3). */
export interface ScopeTexts {
  title: Readonly<Record<Locale, string>>;
  description?: Readonly<Record<Locale, string>>;
  /** Whether the consent page highlights the scope. */
  far_reaching?: boolean;
}

export interface SmtpServer {
  host: string;
  port: number;
  /** `tls`: encrypted from the first byte; `starttls`: upgrade required; `none`: plain. There is no opportunistic mode. */
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
  /** For a provider that is not an OpenID provider, its `type`. */
  dialect: 'google' | 'microsoft' | 'apple' | 'oidc' | OAuthType;
  /** Compared exactly; for Microsoft, the part of the address before the tenant. */
  issuer: string;
  clientId: string;
  credential: ProviderCredential;
  scopes: readonly string[];
  /** Whoever types an address of one of these domains on the login page is sent to this provider. The domains are as `toDomain` returns them. */
  domains?: readonly string[];
  /** Microsoft only: tenant ids, or one of `common`, `organizations`, `consumers`. */
  tenants?: readonly string[];
  /** Claims that every sign-in with the provider must have. */
  require?: readonly RequiredClaim[];
  /** Claims that SCIM sources compare with `externalId`: of the ID token, or of the user API of a provider without ID tokens. */
  comparedClaims?: readonly string[];
  /** Whether to offer people to connect their identity with the account that has their address. */
  offersConnection?: true;
  /** If present, unknown people receive an account at their first sign-in. */
  provision?: ProvisionSettings;
}

/**
 * The rights of an operator or a token of the operator API. The order means nothing, and no right includes another one:
 * `src/operator/operations.ts` lists the rights that each operation requires.
 */
export const OPERATOR_RIGHTS = ['read', 'auditor', 'support', 'admin'] as const;

export type OperatorRights = (typeof OPERATOR_RIGHTS)[number];

/**
 * Whether some operations wait for a second operator, and who may approve them. `operators`: only operators in the console.
 * `operators-and-tokens`: for requests of a token, also a token with another name.
 */
export const OPERATOR_APPROVAL = ['off', 'operators', 'operators-and-tokens'] as const;

/** A named token of the operator API. */
export interface OperatorToken {
  /** Name in the audit log: lower-case letters, digits, hyphens. */
  name: string;
  rights: OperatorRights;
  token: string;
}

/** Grants a right to all accounts of a group, or to all accounts with a value of an attribute. */
export type OperatorRule = { readonly right: OperatorRights } & (
  | { readonly group: string }
  | {
      readonly attribute: string;
      /** The attribute has this value, or is a list that contains it. */
      readonly value: string | number | boolean;
    }
);

/** The registration service, and how its answers are verified. */
export interface RegistrationService {
  url: string;
  issuer: string;
  proof: { kind: 'secret'; secret: string } | { kind: 'jwks'; url: string };
}

/** A field of the form with which people create their own accounts, accept an invitation or add missing attributes. */
export interface SignUpField {
  /** `username`, `display_name` or the name of an attribute. */
  name: string;
  /** `flag`: true or false. */
  kind: 'text' | 'choice' | 'flag';
  isRequired: boolean;
  /** With `choice`. */
  options?: readonly string[];
  /** The `title` of the attribute in the schema. */
  label?: string;
}

/** How people create their own accounts. */
export interface SignUpSettings {
  /** In the order of the form, without the e-mail address, which is always asked for. */
  fields: readonly SignUpField[];
  /** Domains whose addresses may sign up; empty for all. */
  domains: readonly string[];
  deniedDomains: readonly string[];
  /** How many codes the installation mails per hour to people who sign up, and how many wrong codes it accepts from them. */
  codesPerHour: number;
  /** Iterations of PBKDF2 in one of about 256 tries that a browser makes before a code is mailed; absent if it does not have to. */
  workCost?: number;
  /** Absent unless an operator has to approve every account. */
  approval?: SignUpApprovalSettings;
}

export interface SignUpApprovalSettings {
  /** How long an application waits. */
  days: number;
  /** How many applications may wait. */
  maxWaiting: number;
}

/** JSON Schema of the attributes of accounts. */
export type AccountSchema = Readonly<Record<string, unknown>>;

/** The tokens that can contain a claim. Claims of the ID token are also in userinfo. */
export const CLAIM_TOKENS = ['id_token', 'access_token'] as const;

export type ClaimToken = (typeof CLAIM_TOKENS)[number];

export interface ClaimRule {
  scope: string;
  claim: string;
  /** A member of accounts, or an attribute. */
  attribute: string;
  tokens: readonly ClaimToken[];
  /** Name of the claim on the consent page, which has its own names for standard claims. */
  title?: Readonly<Record<Locale, string>>;
}

/** Terms that people accept at the sign-in (`TERMS`). */
export interface Terms {
  id: string;
  /** A person who accepted another version is asked again. */
  version: string;
  /** In the order of the setting; at least one. */
  texts: readonly TermsText[];
  /** Ids of the clients whose people accept the terms; absent for every client. */
  clients?: readonly string[];
  /** Before this time, people are not asked. */
  from?: Date;
  /** Until this time a person may postpone the acceptance. */
  laterUntil?: Date;
}

export interface TermsText {
  locale: Locale;
  /** The first line of the text that is not blank. */
  title: string;
  /** The content of the file, with the title. */
  text: string;
  /** Hash of the file, in hexadecimal digits. */
  sha256: string;
}
