/** Apple's client secret: a JWT that this installation signs itself and renews before it expires. */
import { SignJWT, importPKCS8 } from 'jose';
import type { Clock } from '../config/clock.js';

/** Apple accepts up to six months; a short lifetime limits the damage of a leak. */
const LIFETIME_SECONDS = 3600;
const RENEW_BEFORE_SECONDS = 600;

export interface AppleKey {
  clientId: string;
  teamId: string;
  keyId: string;
  /** PEM, PKCS #8, P-256. */
  privateKey: string;
}

export class AppleClientSecret {
  #currentSecret: { secret: Promise<string>; audience: string; renewAt: number } | undefined;

  constructor(
    private readonly key: AppleKey,
    private readonly clock: Clock,
  ) {}

  /** @param audience Apple's issuer */
  get(audience: string): Promise<string> {
    const now = Math.floor(this.clock.now().getTime() / 1000);
    if (this.#currentSecret?.audience === audience && now < this.#currentSecret.renewAt) return this.#currentSecret.secret;
    const secret = this.#sign(audience, now);
    this.#currentSecret = { secret, audience, renewAt: now + LIFETIME_SECONDS - RENEW_BEFORE_SECONDS };
    return secret;
  }

  async #sign(audience: string, now: number): Promise<string> {
    const { clientId, teamId, keyId, privateKey } = this.key;
    return new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setSubject(clientId)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + LIFETIME_SECONDS)
      .sign(await importPKCS8(privateKey, 'ES256'));
  }
}
