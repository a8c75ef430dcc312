/** Faults that a demo provider can simulate, one at a time for each provider. A test or a person on the page enables them. */
import type { DialectId } from './dialect.js';

const ENDPOINTS = ['metadata', 'keys', 'token', 'userinfo'] as const;

export type Endpoint = (typeof ENDPOINTS)[number];

/** Faults of ID tokens. */
const TOKEN_FAULTS = [
  'nonce',
  'no-nonce',
  'issuer',
  'audience',
  'two-audiences',
  'azp',
  'expired',
  'issued-in-future',
  'no-subject',
  'subject-number',
  'subject-long',
  'at-hash',
  'alg-none',
  'alg-hs256',
  'no-signature',
  'unknown-kid',
  'foreign-key',
  'embedded-key',
  'no-id-token',
  'other-tenant',
  'earlier-session',
  'no-auth-time',
  'auth-time-in-future',
] as const;

/** Faults of the answer to the client, which is a redirect or a form post. */
const ANSWER_FAULTS = ['state-dropped', 'state-changed', 'iss-foreign', 'iss-missing', 'error-text'] as const;

/** Faults of userinfo: another subject (OpenID Connect Core, 5.3.2), or no subject. */
const USERINFO_FAULTS = ['userinfo-subject', 'userinfo-no-subject'] as const;

/** Faults of the metadata. */
const METADATA_FAULTS = ['metadata-issuer', 'metadata-inner-address', 'metadata-weak'] as const;

const NETWORK_FAULT_KINDS = ['slow', 'status-500', 'broken-json', 'redirect', 'huge'] as const;

/** Network faults, for each endpoint that servers call. */
const NETWORK_FAULTS = ENDPOINTS.flatMap((endpoint) => NETWORK_FAULT_KINDS.map((kind) => `${kind}-${endpoint}` as const));

export const FAULT_NAMES = [...TOKEN_FAULTS, ...ANSWER_FAULTS, ...USERINFO_FAULTS, ...METADATA_FAULTS, ...NETWORK_FAULTS];

export type FaultName = (typeof FAULT_NAMES)[number];
export type NetworkFault = (typeof NETWORK_FAULT_KINDS)[number];

export class Faults {
  readonly #activeFaults = new Map<DialectId, FaultName>();

  find(dialect: DialectId): FaultName | null {
    return this.#activeFaults.get(dialect) ?? null;
  }

  /** @param fault null disables the active fault */
  set(dialect: DialectId, fault: FaultName | null): void {
    if (fault === null) this.#activeFaults.delete(dialect);
    else this.#activeFaults.set(dialect, fault);
  }

  isActive(dialect: DialectId, fault: FaultName): boolean {
    return this.#activeFaults.get(dialect) === fault;
  }

  findNetworkFault(dialect: DialectId, endpoint: Endpoint): NetworkFault | null {
    return NETWORK_FAULT_KINDS.find((kind) => this.isActive(dialect, `${kind}-${endpoint}`)) ?? null;
  }
}

export function isFaultName(value: unknown): value is FaultName {
  return FAULT_NAMES.some((name) => name === value);
}
