/** Verifies the registration tickets of the gateway with its published keys, and accepts each ticket once. */
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose';

export interface Ticket {
  /** Identifies the waiting sign-in; the answer contains it. */
  txn: string;
  returnUrl: string;
  clientName: string;
  locale: string;
  hints: Readonly<Record<string, string>>;
  /** Why the gateway refused the previous answer, or this service refused the form: the code, and the field with the fault. */
  refused?: { code: string; field: string; pointer?: string };
}

/** The ticket has expired, is forged, was used before, or cannot be verified with the gateway's keys. */
export class BadTicket extends Error {}

const LIFETIME_MS = 600_000;

export class GatewayTickets {
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  readonly #usedTickets = new Map<string, number>();

  constructor(private readonly parties: { gatewayUrl: string; gatewayKeysUrl?: string; issuer: string }) {
    this.#keys = createRemoteJWKSet(new URL(parties.gatewayKeysUrl ?? '/register/jwks', parties.gatewayUrl));
  }

  /** @throws BadTicket, also if the gateway answers with an error or invalid keys; other errors if the gateway does not answer */
  async consume(token: string): Promise<Ticket> {
    const claims = await this.#verify(token);
    const { jti = '' } = claims;
    this.#forgetOldTickets();
    if (this.#usedTickets.has(jti)) throw new BadTicket('used before');
    this.#usedTickets.set(jti, Date.now());
    return claims.ticket;
  }

  async #verify(token: string): Promise<JWTPayload & { ticket: Ticket }> {
    try {
      const { payload } = await jwtVerify(token, this.#keys, {
        issuer: this.parties.gatewayUrl,
        audience: this.parties.issuer,
        algorithms: ['ES256'],
        typ: 'foyer-registration-ticket+jwt',
        requiredClaims: ['exp', 'jti', 'txn'],
      });
      return { ...payload, ticket: toTicket(payload) };
    } catch (error) {
      if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) throw new BadTicket(error.message);
      throw error;
    }
  }

  #forgetOldTickets(): void {
    for (const [jti, usedAtMs] of this.#usedTickets) if (usedAtMs < Date.now() - LIFETIME_MS) this.#usedTickets.delete(jti);
  }
}

/** The gateway has signed the payload, so its shape is not validated. */
function toTicket(payload: JWTPayload): Ticket {
  const claims = payload as JWTPayload & Pick<Ticket, 'txn' | 'locale' | 'hints' | 'refused'> & Record<string, string>;
  const { txn, locale, hints, refused } = claims;
  const commonMembers = { txn, locale, hints, returnUrl: claims['return_url'] ?? '', clientName: claims['client_name'] ?? '' };
  return refused ? { ...commonMembers, refused } : commonMembers;
}
