/**
 * The built test kit as the tests of an app use it, and an app that signs in with a library that many apps use
 * (openid-client).
 */
import {
  ClientSecretBasic,
  ClientSecretPost,
  None,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ClientAuth,
  type IDToken,
} from 'openid-client';
import type { Foyer, RegisteredClient } from '../../test-kit/index.js';

type Kit = typeof import('../../test-kit/index.js');

/** A variable and not a literal, because there is nothing to compile against before the build. */
const BUILT = ['..', '..', 'dist', 'test-kit', 'index.js'].join('/');

export const REDIRECT_URI = 'http://localhost:1/callback';

const AUTH_METHODS: Readonly<Record<string, (secret: string) => ClientAuth>> = {
  client_secret_basic: ClientSecretBasic,
  client_secret_post: ClientSecretPost,
  none: () => None(),
};

export async function loadKit(): Promise<Kit> {
  return (await import(BUILT)) as Kit;
}

export interface AppSignIn {
  url: URL;
  /** Redeems the callback of the app. @throws the error of the library for `error` */
  finish(callbackUrl: string): Promise<IDToken>;
}

export class ExampleApp {
  private constructor(
    private readonly library: Awaited<ReturnType<typeof discovery>>,
    private readonly redirectUri: string,
  ) {}

  static async register(foyer: Foyer): Promise<ExampleApp> {
    return ExampleApp.create(await foyer.registerClient({ redirectUris: [REDIRECT_URI], name: 'Example' }));
  }

  static async create(
    { issuer, clientId, clientSecret, redirectUris }: RegisteredClient,
    { token_endpoint_auth_method: method = 'client_secret_basic' } = {},
  ): Promise<ExampleApp> {
    const proof = AUTH_METHODS[method];
    if (proof === undefined) throw new Error(`There is no ${method} here.`);
    const options = { execute: [allowInsecureRequests] };
    const library = await discovery(new URL(issuer), clientId, undefined, proof(clientSecret), options);
    return new ExampleApp(library, redirectUris[0] ?? REDIRECT_URI);
  }

  async beginSignIn(more: Record<string, string> = {}): Promise<AppSignIn> {
    const [pkceCodeVerifier, expectedNonce, expectedState] = [randomPKCECodeVerifier(), randomNonce(), randomState()];
    const url = buildAuthorizationUrl(this.library, {
      redirect_uri: this.redirectUri,
      scope: 'openid profile email',
      code_challenge: await calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      nonce: expectedNonce,
      state: expectedState,
      ...more,
    });
    const checks = { pkceCodeVerifier, expectedNonce, expectedState, idTokenExpected: true };
    const finish = async (callbackUrl: string): Promise<IDToken> => {
      const claims = (await authorizationCodeGrant(this.library, new URL(callbackUrl), checks)).claims();
      if (claims === undefined) throw new Error('The library found no claims.');
      return claims;
    };
    return { url, finish };
  }
}
