import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../config/load-config.js';
import { buildConsentPage } from './consent.page.js';

const client = { id: 'portal', name: 'Portal', redirectUris: [], postLogoutRedirectUris: [] };
const flags = { isPublic: false, skipConsent: false, skipLogoutConsent: false };
const request = {
  ...{ challenge: 'c', flowId: 'f', loginSessionId: 's', skip: false, subject: '', requestUrl: '', acr: '' },
  ...{ requestedScope: ['profile'], requestedAudience: [], amr: [], uiLocales: [] },
  client: { ...client, ...flags, foyer: { confirmSession: false, returnUrls: [] } },
};
const account = {
  ...{ id: '01234567-89ab-4def-8123-456789abcdef', username: 'maria', displayName: 'Maria', emailVerified: false, groups: [] },
  ...{ status: 'active' as const, createdAt: new Date(0), updatedAt: new Date(0) },
};
const { consent: rules, language } = loadConfig({}).config;

function listDates(locale: string, birthdate = '1990-01-02'): unknown[] {
  const parts = {
    request,
    account: { ...account, attributes: { birthdate } },
    grantedScopes: [],
    error: null,
    xsrfToken: '',
    ticket: '',
    rules,
    language: language.offered.get(locale),
    options: {},
  };
  const { content } = buildConsentPage(parts);
  if (content.page !== 'consent') throw new Error('The page is not the consent page');
  const values = content.consent.scopes.flatMap((scope) => scope.values ?? []);
  return values.filter(({ claim }) => claim === 'updated_at' || claim === 'birthdate').map(({ value }) => value);
}

describe('the consent page', () => {
  it('[CON-3] writes dates in the format of each language, whichever language was shown before', () => {
    expect([listDates('en'), listDates('de'), listDates('en')]).toEqual([
      ['1 Jan 1970', '2 Jan 1990'],
      ['01.01.1970', '02.01.1990'],
      ['1 Jan 1970', '2 Jan 1990'],
    ]);
  });

  it('[CON-3] writes a birthdate that is not a day of the calendar as the app receives it', () => {
    expect([listDates('en', '1990-02-31'), listDates('en', '1990-13-01')]).toEqual([
      ['1 Jan 1970', '1990-02-31'],
      ['1 Jan 1970', '1990-13-01'],
    ]);
  });

  it('[CON-3] cuts a long value between two characters', () => {
    const birthdate = `${'x'.repeat(299)}😀😀`;
    expect(listDates('en', birthdate)[1]).toBe(`${'x'.repeat(299)}…`);
  });
});
