/** State in memory: authorization requests, codes, access tokens, and earlier consents. */
import { randomBytes } from 'node:crypto';
import type { AuthorizationRequest } from './dialect.js';
import type { Person } from './people.js';

export interface Authorization {
  request: AuthorizationRequest;
  person: Person;
}

interface Grant extends Authorization {
  expiresAtMs: number;
}

const CODE_LIFETIME_MS = 60_000;
const MAX_ENTRIES = 500;

export class Grants {
  readonly #requests = new Map<string, AuthorizationRequest>();
  readonly #codes = new Map<string, Grant>();
  readonly #tokens = new Map<string, Authorization>();
  readonly #consents = new Set<string>();

  constructor(private readonly now: () => Date) {}

  /** @returns the value with which the page's form refers to the request */
  storeRequest(request: AuthorizationRequest): string {
    const id = randomBytes(16).toString('base64url');
    this.#requests.set(id, request);
    limitEntries(this.#requests);
    return id;
  }

  findRequest(id: string | null): AuthorizationRequest | undefined {
    return this.#requests.get(id ?? '');
  }

  issue(request: AuthorizationRequest, person: Person): string {
    const code = randomBytes(24).toString('base64url');
    this.#codes.set(code, { request, person, expiresAtMs: this.now().getTime() + CODE_LIFETIME_MS });
    limitEntries(this.#codes);
    return code;
  }

  /** @returns the grant of a code, once; undefined if the code is unknown, expired or already used */
  consume(code: string): Grant | undefined {
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    return grant && this.now().getTime() < grant.expiresAtMs ? grant : undefined;
  }

  keepToken(token: string, authorization: Authorization): void {
    this.#tokens.set(token, authorization);
    limitEntries(this.#tokens);
  }

  findByToken(token: string): Authorization | undefined {
    return this.#tokens.get(token);
  }

  /** @returns whether this is the first consent */
  recordConsent(person: Person): boolean {
    const isFirst = !this.#consents.has(person.key);
    this.#consents.add(person.key);
    return isFirst;
  }

  forgetConsents(): void {
    this.#consents.clear();
  }
}

function limitEntries(map: Map<string, unknown>): void {
  const [oldestKey] = map.keys();
  if (map.size > MAX_ENTRIES && oldestKey !== undefined) map.delete(oldestKey);
}
