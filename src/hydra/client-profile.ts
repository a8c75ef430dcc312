import type { Brand } from '../config/look-settings.js';

/** What pages may show of the client. Written by the client's owner: untrusted text. */
export interface ClientProfile {
  id: string;
  name: string;
  /** When it was registered under this id: ISO 8601, in whole seconds. */
  createdAt?: string;
  redirectUris: readonly string[];
  postLogoutRedirectUris: readonly string[];
  logoUri?: string;
  logoDarkUri?: string;
  clientUri?: string;
  policyUri?: string;
  tosUri?: string;
  /** Without a secret anybody can make requests in its name. */
  isPublic: boolean;
  skipConsent: boolean;
  skipLogoutConsent: boolean;
  /** `metadata.foyer` of the client (`client-settings.ts`). */
  foyer: {
    /** As it is written; only `ClientLooks` reads it. */
    look?: unknown;
    confirmSession: boolean;
    returnUrls: readonly string[];
    /** `required`: signing in to this client always needs a second factor. */
    mfa?: 'required';
    /** What a sign-in has to prove that allows a device of this client; its request cannot say so. As `acr_values`. */
    deviceAcrValues?: readonly string[];
  };
  /** Only of clients whose look the installation uses. */
  look?: Brand;
}
