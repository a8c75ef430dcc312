/**
 * The OAuth client of the television. It uses device authorization (RFC 8628) and is a public client, because anyone could read a
 * secret out of a device. It stores nothing about people.
 */
import * as oidc from 'openid-client';
import { Issuer, type IssuerSettings } from './issuer.js';
import { translateErrors } from './protocol-errors.js';
import { readTokens, type TokenSet } from './token-set.js';

export interface DeviceCodes {
  deviceCode: string;
  userCode: string;
  /** The address that the person types. */
  verificationUri: string;
  /** The address for a QR code; it contains the user code if the issuer provides such an address. */
  completeUri: string;
  lifetimeSeconds: number;
  intervalSeconds: number;
}

/** The issuer does not offer device authorization. */
export class NoDeviceAuthorization extends Error {
  override readonly name = 'NoDeviceAuthorization';
}

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code';
const SCOPE = 'openid profile';
/** The default of RFC 8628, section 3.2. */
const DEFAULT_INTERVAL_SECONDS = 5;

export class DeviceClient {
  readonly #issuer: Issuer;

  constructor(settings: Omit<IssuerSettings, 'clientSecret'>) {
    this.#issuer = new Issuer(settings);
  }

  /** @throws NoDeviceAuthorization, OAuthError, ProtocolFailure, IssuerUnreachable */
  async start(): Promise<DeviceCodes> {
    const issuer = await this.#issuer.discover();
    if (issuer.serverMetadata().device_authorization_endpoint === undefined) {
      // Hydra may be updated later, so the next request reads its discovery document again.
      this.#issuer.forget();
      throw new NoDeviceAuthorization();
    }
    const codes = await translateErrors(oidc.initiateDeviceAuthorization(issuer, { scope: SCOPE }));
    return {
      deviceCode: codes.device_code,
      userCode: codes.user_code,
      verificationUri: codes.verification_uri,
      completeUri: codes.verification_uri_complete ?? codes.verification_uri,
      lifetimeSeconds: codes.expires_in,
      intervalSeconds: codes.interval ?? DEFAULT_INTERVAL_SECONDS,
    };
  }

  /**
   * Sends one request to the token endpoint and verifies the ID token.
   * @throws OAuthError, also while the person has not decided; ProtocolFailure, IssuerUnreachable
   */
  async redeem(deviceCode: string): Promise<TokenSet> {
    const issuer = await this.#issuer.discover();
    const answer = await translateErrors(oidc.genericGrantRequest(issuer, GRANT_TYPE, { device_code: deviceCode }));
    return readTokens(answer, { scopes: SCOPE.split(' ') });
  }

  /** Revokes the access token (RFC 7009). @throws OAuthError, ProtocolFailure, IssuerUnreachable */
  async revoke({ accessToken }: TokenSet): Promise<void> {
    await translateErrors(oidc.tokenRevocation(await this.#issuer.discover(), accessToken));
  }
}
