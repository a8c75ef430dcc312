import type { Brand } from '../config/look-settings.js';

/** What Foyer reads of a client, for pages and decisions. The client's owner wrote the texts, so they are not trusted. */
export interface ClientProfile {
  id: string;
  name: string;
  /** When the client was registered under this id: ISO 8601, in whole seconds. */
  createdAt?: string;
  redirectUris: readonly string[];
  postLogoutRedirectUris: readonly string[];
  logoUri?: string;
  logoDarkUri?: string;
  clientUri?: string;
  policyUri?: string;
  tosUri?: string;
  /** Whether the client has no secret, so that anybody can make requests in its name. */
  isPublic: boolean;
  skipConsent: boolean;
  skipLogoutConsent: boolean;
  /** `metadata.foyer` of the client (`client-settings.ts`). */
  foyer: {
    /** Not validated; only `ClientLooks` reads and validates this value. */
    look?: unknown;
    confirmSession: boolean;
    returnUrls: readonly string[];
    /** `required`: signing in to this client always needs a second factor. */
    mfa?: 'required';
    /** The `acr_values` of sign-ins that allow a device of this client, because a device request cannot contain them. */
    deviceAcrValues?: readonly string[];
  };
  /** Present only if the installation uses the client's look. */
  look?: Brand;
}
