/** Answers to the gateway, signed with a key that is generated at the start of the process. */
import { SignJWT, calculateJwkThumbprint, exportJWK, generateKeyPair, type CryptoKey, type JWK, type JWTPayload } from 'jose';

const LIFETIME = '5m';

export class Answers {
  private constructor(
    private readonly parties: { gatewayUrl: string; issuer: string },
    private readonly key: CryptoKey,
    private readonly publicJwk: JWK & { kid: string },
  ) {}

  static async create(parties: { gatewayUrl: string; issuer: string }): Promise<Answers> {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const jwk = await exportJWK(publicKey);
    return new Answers(parties, privateKey, { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' });
  }

  get keys(): { keys: JWK[] } {
    return { keys: [this.publicJwk] };
  }

  /** @param answer has one of the members `account`, `sub` and `error` */
  sign(txn: string, answer: JWTPayload): Promise<string> {
    return new SignJWT({ ...answer, txn })
      .setProtectedHeader({ alg: 'ES256', typ: 'foyer-registration-answer+jwt', kid: this.publicJwk.kid })
      .setIssuer(this.parties.issuer)
      .setAudience(this.parties.gatewayUrl)
      .setIssuedAt()
      .setExpirationTime(LIFETIME)
      .sign(this.key);
  }
}
