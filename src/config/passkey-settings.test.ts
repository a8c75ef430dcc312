import { describe, expect, it } from '@jest/globals';
import { surveyConfig } from './load-config.js';

const findFaults = (env: Record<string, string>) =>
  surveyConfig({ PUBLIC_URL: 'https://login.example.org', ...env }).faults.filter((fault) => fault.startsWith('PASSKEY'));

describe('the relying party of passkeys', () => {
  it.each(['login.example.org', 'example.org', 'LOGIN.example.org'])('may be %s', (id) => {
    expect(findFaults({ PASSKEY_RP_ID: id })).toEqual([]);
  });

  it.each(['org', 'example.com', 'ogin.example.org', 'sub.login.example.org', 'ample.org'])('may not be %s', (id) => {
    expect(findFaults({ PASSKEY_RP_ID: id })).toEqual([
      'PASSKEY_RP_ID: must be the host of PUBLIC_URL, login.example.org, or a parent domain of it',
    ]);
  });

  it('must not be the end of an IP address', () => {
    expect(findFaults({ PUBLIC_URL: 'https://10.0.0.1', PASSKEY_RP_ID: '0.0.1' })).toHaveLength(1);
  });

  it('is the host of the public address by default', () => {
    expect(surveyConfig({ PUBLIC_URL: 'https://login.example.org:8443' }).config.passkeys).toEqual({
      mode: 'on',
      offer: 'ask',
      rpId: 'login.example.org',
      origins: [],
    });
  });
});

describe('passkeys at an IP address', () => {
  it.each(['http://127.0.0.1:3000', 'https://10.0.0.1', 'https://[2001:db8::1]'])(
    'are not offered, because browsers refuse them: %s',
    (url) => {
      expect(surveyConfig({ PUBLIC_URL: url, PASSKEYS: 'preferred' }).config.passkeys.mode).toBe('off');
    },
  );
});

describe('related origins', () => {
  it('must be https or on this machine, and must not have an IP address', () => {
    expect(findFaults({ PASSKEY_ORIGINS: 'https://shop.example,http://localhost:8080' })).toEqual([]);
    expect(findFaults({ PASSKEY_ORIGINS: 'http://shop.example' })).toHaveLength(1);
    expect(findFaults({ PASSKEY_ORIGINS: 'https://10.0.0.1,https://[2001:db8::1]' })).toHaveLength(2);
  });
});
