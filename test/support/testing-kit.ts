/** The built test kit as an app's tests get it, and an app to sign in to, by a library that real apps use (openid-client). */
import {
  ClientSecretBasic,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { IDToken } from 'openid-client';
import type { Foyer, RegisteredClient } from '../../testing/index.js';

type Kit = typeof import('../../testing/index.js');

/** Not written as a literal: there is nothing to compile against before the build. */
const BUILT = ['..', '..', 'dist', 'testing', 'index.js'].join('/');

export const REDIRECT_URI = 'http://localhost:1/callback';

export async function builtKit(): Promise<Kit> {
  return (await import(BUILT)) as Kit;
}

export interface AskedSignIn {
  url: URL;
  /** What the app does with the address it is called at. @throws what the library throws for `error` */
  finish(callbackUrl: string): Promise<IDToken>;
}

export class ExampleApp {
  private constructor(private readonly library: Awaited<ReturnType<typeof discovery>>) {}

  static async registeredAt(foyer: Foyer): Promise<ExampleApp> {
    return ExampleApp.of(await foyer.registerClient({ redirectUris: [REDIRECT_URI], name: 'Example' }));
  }

  static async of({ issuer, clientId, clientSecret }: RegisteredClient): Promise<ExampleApp> {
    const options = { execute: [allowInsecureRequests] };
    return new ExampleApp(await discovery(new URL(issuer), clientId, undefined, ClientSecretBasic(clientSecret), options));
  }

  async asks(more: Record<string, string> = {}): Promise<AskedSignIn> {
    const [pkceCodeVerifier, expectedNonce, expectedState] = [randomPKCECodeVerifier(), randomNonce(), randomState()];
    const url = buildAuthorizationUrl(this.library, {
      redirect_uri: REDIRECT_URI,
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
