import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../config/load-config.js';
import { findWorkingKinds } from './registry.js';

describe('kinds that can be set up', () => {
  const findNames = (PUBLIC_URL: string) => findWorkingKinds(loadConfig({ PUBLIC_URL }).config).map(({ name }) => name);

  it('exclude security keys and passkeys if PUBLIC_URL has an IP address, because browsers refuse them there', () => {
    expect(findNames('http://localhost:3000')).toEqual(['totp', 'fido2', 'passkey']);
    expect(findNames('http://127.0.0.1:3000')).toEqual(['totp']);
  });
});
