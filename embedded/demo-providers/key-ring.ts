/** The signing keys of one provider: the published key, and a key that is never published. */
import { exportJWK, generateKeyPair, type CryptoKey, type JWK } from 'jose';
import { randomUUID } from 'node:crypto';

interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  jwk: JWK;
}

export class KeyRing {
  #currentKey: Promise<SigningKey> | undefined;
  #foreignKey: Promise<SigningKey> | undefined;

  constructor(private readonly algorithm: string) {}

  getCurrentKey(): Promise<SigningKey> {
    return (this.#currentKey ??= this.#make());
  }

  getForeignKey(): Promise<SigningKey> {
    return (this.#foreignKey ??= this.#make());
  }

  /** Discards the current key, which is then no longer published; the next use makes a new one. */
  replace(): void {
    this.#currentKey = undefined;
  }

  async list(): Promise<{ keys: JWK[] }> {
    return { keys: [(await this.getCurrentKey()).jwk] };
  }

  async #make(): Promise<SigningKey> {
    const { privateKey, publicKey } = await generateKeyPair(this.algorithm, { extractable: true });
    const kid = randomUUID();
    return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: this.algorithm, use: 'sig' } };
  }
}
