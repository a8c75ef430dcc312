import { describe, expect, it } from '@jest/globals';
import { Keys } from './keys.js';

describe('Keys', () => {
  const keys = new Keys(['newest secret of the installation', 'older secret of the installation']);
  const older = new Keys(['older secret of the installation']);

  it('opens what an older secret sealed, and not the other way round', () => {
    expect(keys.open('ticket', older.seal('ticket', 'kept'))).toBe('kept');
    expect(older.open('ticket', keys.seal('ticket', 'kept'))).toBeNull();
  });

  it('keeps purposes apart', () => {
    expect(keys.open('ticket', keys.seal('challenge-result', 'x'))).toBeNull();
    expect(keys.verifyMac('xsrf', 'data', keys.mac('ticket', 'data'))).toBe(false);
  });

  it('refuses every sealed value with one changed byte, and anything too short', () => {
    const sealed = Buffer.from(keys.seal('ticket', 'kept'), 'base64url');
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(keys.open('ticket', changed.toString('base64url'))).toBeNull();
    }
    expect(keys.open('ticket', '')).toBeNull();
  });

  it('verifies a MAC of any listed secret and no other', () => {
    expect(keys.verifyMac('xsrf', 'browser', older.mac('xsrf', 'browser'))).toBe(true);
    expect(keys.verifyMac('xsrf', 'browser', '')).toBe(false);
    expect(keys.verifyMac('xsrf', 'other', keys.mac('xsrf', 'browser'))).toBe(false);
  });

  it('reports what an older secret has sealed, so that it can be sealed again', () => {
    expect(keys.openKept('totp-seed', older.seal('totp-seed', 'seed'))).toEqual({ plaintext: 'seed', outdated: true });
    expect(keys.openKept('totp-seed', keys.seal('totp-seed', 'seed'))).toEqual({ plaintext: 'seed', outdated: false });
  });

  it('finds what was stored before a rotation by the MACs of all secrets, the newest first', () => {
    const all = keys.macs('recovery-code', 'code');
    expect(all).toEqual([keys.mac('recovery-code', 'code'), older.mac('recovery-code', 'code')]);
  });
});
