/** The keys that one provider signs with: a current one, older ones that still stand in its list, and one of a stranger. */
import { exportJWK, generateKeyPair } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import { randomUUID } from 'node:crypto';

interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  jwk: JWK;
}

export class KeyRing {
  #current: Promise<SigningKey> | undefined;
  #stranger: Promise<SigningKey> | undefined;

  constructor(private readonly algorithm: string) {}

  current(): Promise<SigningKey> {
    return (this.#current ??= this.#make());
  }

  /** Nobody's who is listed. */
  stranger(): Promise<SigningKey> {
    return (this.#stranger ??= this.#make());
  }

  /** From now on with another key; the old one is gone from the list. */
  roll(): void {
    this.#current = undefined;
  }

  async list(): Promise<{ keys: JWK[] }> {
    return { keys: [(await this.current()).jwk] };
  }

  async #make(): Promise<SigningKey> {
    const { privateKey, publicKey } = await generateKeyPair(this.algorithm, { extractable: true });
    const kid = randomUUID();
    return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: this.algorithm, use: 'sig' } };
  }
}
