import { describe, expect, it } from '@jest/globals';
import { findDefaultName } from './default-name.js';

const GOOGLE = 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4';
const YUBIKEY = 'fa2b99dc-9e39-4257-8f92-4a30d23c4118';
const ZEROS = '00000000-0000-0000-0000-000000000000';

describe('the name of a new passkey', () => {
  it.each([
    [GOOGLE, 'Google Password Manager'],
    ['fbfc3007-154e-4ecc-8c0b-6e020557d7bd', 'iCloud Keychain'],
    ['08987058-cadc-4b81-b6e1-30de50dcbe96', 'Windows Hello'],
    ['d548826e-79b4-db40-a3d8-11116f7e8349', 'Bitwarden'],
    [YUBIKEY, 'YubiKey'],
  ])('for the AAGUID %s is %s', (aaguid, name) => {
    expect(findDefaultName(aaguid, [])).toBe(name);
  });

  it.each([ZEROS, 'ffffffff-ffff-4fff-8fff-ffffffffffff', '', '__proto__', 'constructor'])(
    'for the unknown AAGUID %j is Passkey',
    (aaguid) => {
      expect(findDefaultName(aaguid, [])).toBe('Passkey');
    },
  );

  it('ends with the first free number if the name is taken', () => {
    const name = 'Google Password Manager';
    expect(findDefaultName(GOOGLE, [name])).toBe(`${name} 2`);
    expect(findDefaultName(GOOGLE, [name, `${name} 2`, `${name} 4`])).toBe(`${name} 3`);
    expect(findDefaultName(GOOGLE, [`${name} 2`])).toBe(name);
    expect(findDefaultName(GOOGLE, ['iCloud Keychain'])).toBe(name);
  });
});
