import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../config/load-config.js';
import { findWorkingKinds } from './registry.js';

describe('kinds that can be set up', () => {
  const namesAt = (PUBLIC_URL: string) => findWorkingKinds(loadConfig({ PUBLIC_URL }).config).map(({ name }) => name);

  it('need a browser that takes them, which an address of numbers has not', () => {
    expect(namesAt('http://localhost:3000')).toEqual(['totp', 'fido2', 'passkey']);
    expect(namesAt('http://127.0.0.1:3000')).toEqual(['totp']);
  });
});
