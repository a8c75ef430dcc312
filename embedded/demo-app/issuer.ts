/** The issuer as one client sees it. Discovery runs on first use, so the issuer may start later than the demo app. */
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
  #discovery: Promise<oidc.Configuration> | undefined;

  constructor(private readonly settings: IssuerSettings) {}

  /** A failed discovery is not cached, so that the next request tries again. @throws IssuerUnreachable */
  discover(): Promise<oidc.Configuration> {
    this.#discovery ??= this.#fetchConfiguration().catch((error: unknown) => {
      this.#discovery = undefined;
      throw new IssuerUnreachable(this.settings.issuer, { cause: error });
    });
    return this.#discovery;
  }

  /** Makes the next request read the discovery document again. */
  forget(): void {
    this.#discovery = undefined;
  }

  #fetchConfiguration(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    // Without TLS the token endpoint's answer is not authenticated, so the ID token's signature is always verified.
    const insecureOptions = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
    const authentication = clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret);
    return oidc.discovery(new URL(issuer), clientId, clientSecret, authentication, {
      timeout: TIMEOUT_SECONDS,
      execute: [...insecureOptions, oidc.enableNonRepudiationChecks],
    });
  }
}
