/** What a page may know of the client that asks. All of it was written by the client's owner: untrusted text. */
export interface ClientProfile {
  id: string;
  name: string;
  redirectUris: readonly string[];
  postLogoutRedirectUris: readonly string[];
  logoUri?: string;
  clientUri?: string;
  policyUri?: string;
  tosUri?: string;
  /** Without a secret anybody may ask in its name. */
  isPublic: boolean;
  skipConsent: boolean;
  skipLogoutConsent: boolean;
  /** `metadata.foyer` of the client; unknown members are ignored. */
  foyer: {
    confirmSession: boolean;
    returnUrls: readonly string[];
    /** `required`: nobody signs in to this client without a second factor. */
    mfa?: 'required';
  };
}
