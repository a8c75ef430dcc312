import { expect, it } from '@jest/globals';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { VERSION } from './kept-requests.js';

/** Every member, so that the compiler asks for a new one here. */
type Full<T> = T extends readonly unknown[] | string | boolean ? T : { [Name in keyof T]-?: Full<NonNullable<T[Name]>> };

/** A request of a session, which alone names a subject, is never kept; nor is a look as it was written. */
type KeptClient = Omit<LoginRequest['client'], 'foyer'> & { foyer: Omit<LoginRequest['client']['foyer'], 'look'> };

const REQUEST: Full<Omit<LoginRequest, 'upstreamSubject' | 'client'> & { client: KeptClient }> = {
  challenge: 'c',
  skip: false,
  subject: 's',
  sessionId: 'sid',
  requestUrl: 'https://op.example/oauth2/auth',
  requestedScope: ['openid'],
  loginHint: 'maria',
  idTokenHint: { subject: 's', username: 'maria' },
  uiLocales: ['de'],
  acrValues: ['urn:foyer:acr:mfa'],
  client: {
    id: 'a',
    name: 'App',
    createdAt: '2026-03-01T10:00:00.000Z',
    redirectUris: ['https://app.example/'],
    postLogoutRedirectUris: ['https://app.example/'],
    logoUri: 'https://app.example/logo',
    logoDarkUri: 'https://app.example/dark',
    look: { brandColour: '#1a5fb4', brandColourDark: '#8fb4ff', brandRadius: '4px' },
    clientUri: 'https://app.example/',
    policyUri: 'https://app.example/policy',
    tosUri: 'https://app.example/terms',
    isPublic: false,
    skipConsent: false,
    skipLogoutConsent: false,
    foyer: { confirmSession: false, returnUrls: ['https://app.example/'], mfa: 'required', deviceAcrValues: ['phr'] },
  },
};

function membersOf(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? membersOf(member, `${path}${name}.`)
      : [`${path}${name}`],
  );
}

/** Another version of the gateway may read what this one has kept: with other members, raise `VERSION` and write both here. */
it('the version of a kept request says which members it has', () => {
  expect({ version: VERSION, members: membersOf(REQUEST).sort() }).toEqual({
    version: 4,
    members: [
      'acrValues',
      'challenge',
      'client.clientUri',
      'client.createdAt',
      'client.foyer.confirmSession',
      'client.foyer.deviceAcrValues',
      'client.foyer.mfa',
      'client.foyer.returnUrls',
      'client.id',
      'client.isPublic',
      'client.logoDarkUri',
      'client.logoUri',
      'client.look.brandColour',
      'client.look.brandColourDark',
      'client.look.brandRadius',
      'client.name',
      'client.policyUri',
      'client.postLogoutRedirectUris',
      'client.redirectUris',
      'client.skipConsent',
      'client.skipLogoutConsent',
      'client.tosUri',
      'idTokenHint.subject',
      'idTokenHint.username',
      'loginHint',
      'requestUrl',
      'requestedScope',
      'sessionId',
      'skip',
      'subject',
      'uiLocales',
    ],
  });
});
