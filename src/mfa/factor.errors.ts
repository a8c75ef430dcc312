/** A stored factor cannot be decrypted: a fault of the installation, which the person cannot correct. */
export class FactorUnreadable extends Error {
  /** @param kind name of the kind of factor */
  constructor(kind: string) {
    super(
      `A stored second factor (${kind}) is encrypted with a secret that SECRETS_SYSTEM does not list: add that secret again.`,
    );
    this.name = 'FactorUnreadable';
  }
}
