import { describe, expect, it } from '@jest/globals';
import { Keys } from './keys.js';

describe('Keys', () => {
  const keys = new Keys(['newest secret of the installation', 'older secret of the installation']);
  const olderKeys = new Keys(['older secret of the installation']);

  it('decrypts values that an older secret encrypted; the older secret alone does not decrypt newer values', () => {
    expect(keys.open('ticket', olderKeys.seal('ticket', 'kept'))).toBe('kept');
    expect(olderKeys.open('ticket', keys.seal('ticket', 'kept'))).toBeNull();
  });

  it('does not accept a value of another purpose', () => {
    expect(keys.open('ticket', keys.seal('challenge-result', 'x'))).toBeNull();
    expect(keys.verifyMac('xsrf', 'data', keys.mac('ticket', 'data'))).toBe(false);
  });

  it('refuses an encrypted value with any changed byte, and a value that is too short', () => {
    const sealedBytes = Buffer.from(keys.seal('ticket', 'kept'), 'base64url');
    for (let index = 0; index < sealedBytes.length; index++) {
      const changedBytes = Buffer.from(sealedBytes);
      changedBytes[index] = (changedBytes[index] ?? 0) ^ 1;
      expect(keys.open('ticket', changedBytes.toString('base64url'))).toBeNull();
    }
    expect(keys.open('ticket', '')).toBeNull();
  });

  it('verifies a MAC of any listed secret, and no other MAC', () => {
    expect(keys.verifyMac('xsrf', 'browser', olderKeys.mac('xsrf', 'browser'))).toBe(true);
    expect(keys.verifyMac('xsrf', 'browser', '')).toBe(false);
    expect(keys.verifyMac('xsrf', 'other', keys.mac('xsrf', 'browser'))).toBe(false);
  });

  it('reports that an older secret encrypted a value, so that it can be encrypted again', () => {
    expect(keys.openKept('totp-seed', olderKeys.seal('totp-seed', 'seed'))).toEqual({ plaintext: 'seed', outdated: true });
    expect(keys.openKept('totp-seed', keys.seal('totp-seed', 'seed'))).toEqual({ plaintext: 'seed', outdated: false });
  });

  it('returns the MACs of all secrets, newest first, so that values from before a rotation are found', () => {
    const macs = keys.macs('recovery-code', 'code');
    expect(macs).toEqual([keys.mac('recovery-code', 'code'), olderKeys.mac('recovery-code', 'code')]);
  });
});
