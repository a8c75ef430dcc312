import { describe, expect, it } from '@jest/globals';
import { Keys } from './keys.js';

describe('Keys', () => {
  const keys = new Keys(['newest secret of the installation', 'older secret of the installation']);
  const older = new Keys(['older secret of the installation']);

  it('decrypts values that an older secret encrypted; the older secret alone does not decrypt newer values', () => {
    expect(keys.open('ticket', older.seal('ticket', 'kept'))).toBe('kept');
    expect(older.open('ticket', keys.seal('ticket', 'kept'))).toBeNull();
  });

  it('does not accept a value of another purpose', () => {
    expect(keys.open('ticket', keys.seal('challenge-result', 'x'))).toBeNull();
    expect(keys.verifyMac('xsrf', 'data', keys.mac('ticket', 'data'))).toBe(false);
  });

  it('refuses an encrypted value with any changed byte, and a value that is too short', () => {
    const sealed = Buffer.from(keys.seal('ticket', 'kept'), 'base64url');
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(keys.open('ticket', changed.toString('base64url'))).toBeNull();
    }
    expect(keys.open('ticket', '')).toBeNull();
  });

  it('verifies a MAC of any listed secret, and no other MAC', () => {
    expect(keys.verifyMac('xsrf', 'browser', older.mac('xsrf', 'browser'))).toBe(true);
    expect(keys.verifyMac('xsrf', 'browser', '')).toBe(false);
    expect(keys.verifyMac('xsrf', 'other', keys.mac('xsrf', 'browser'))).toBe(false);
  });

  it('reports that an older secret encrypted a value, so that it can be encrypted again', () => {
    expect(keys.openKept('totp-seed', older.seal('totp-seed', 'seed'))).toEqual({ plaintext: 'seed', outdated: true });
    expect(keys.openKept('totp-seed', keys.seal('totp-seed', 'seed'))).toEqual({ plaintext: 'seed', outdated: false });
  });

  it('returns the MACs of all secrets, newest first, so that values from before a rotation are found', () => {
    const all = keys.macs('recovery-code', 'code');
    expect(all).toEqual([keys.mac('recovery-code', 'code'), older.mac('recovery-code', 'code')]);
  });
});
