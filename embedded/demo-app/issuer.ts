/** One client's view of the issuer. Discovery runs on first use, so the start order does not matter. */
import * as oidc from 'openid-client';
import { IssuerUnreachable } from './protocol-errors.js';

export interface IssuerSettings {
  issuer: string;
  clientId: string;
  /** Absent for a public client. */
  clientSecret?: string;
}

const TIMEOUT_SECONDS = 10;

export class Issuer {
  #found: Promise<oidc.Configuration> | undefined;

  constructor(private readonly settings: IssuerSettings) {}

  /** A failed discovery is not cached, so that the next request tries again. @throws IssuerUnreachable */
  configuration(): Promise<oidc.Configuration> {
    this.#found ??= this.#discover().catch((error: unknown) => {
      this.#found = undefined;
      throw new IssuerUnreachable(this.settings.issuer, { cause: error });
    });
    return this.#found;
  }

  /** The next request discovers again. */
  forget(): void {
    this.#found = undefined;
  }

  #discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    // Without TLS the token endpoint's answer is not authenticated, so the ID token's signature is always verified.
    const insecure = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
    const authentication = clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret);
    return oidc.discovery(new URL(issuer), clientId, clientSecret, authentication, {
      timeout: TIMEOUT_SECONDS,
      execute: [...insecure, oidc.enableNonRepudiationChecks],
    });
  }
}
