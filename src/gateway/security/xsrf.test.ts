import { describe, expect, it } from '@jest/globals';
import { Keys } from '../../config/keys.js';
import { Xsrf } from './xsrf.js';

const xsrf = new Xsrf(new Keys(['a secret of this installation for tests']));

describe('Xsrf', () => {
  it('verifies its own value for the same browser and no other', () => {
    const value = xsrf.issue('browser-a');
    expect(xsrf.verify('browser-a', value)).toBe(true);
    expect(xsrf.verify('browser-b', value)).toBe(false);
  });

  it('issues a different value every time', () => {
    expect(xsrf.issue('browser-a')).not.toBe(xsrf.issue('browser-a'));
  });

  it.each([undefined, null, '', 'x', 7, ['a'], {}, 'A'.repeat(86), 'A'.repeat(100_000)])('refuses %.20p', (value) => {
    expect(xsrf.verify('browser-a', value)).toBe(false);
  });

  it('refuses a value in which any byte was changed', () => {
    const bytes = Buffer.from(xsrf.issue('browser-a'), 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changedBytes = Buffer.from(bytes);
      changedBytes[index] = (changedBytes[index] ?? 0) ^ 0x80;
      expect(xsrf.verify('browser-a', changedBytes.toString('base64url'))).toBe(false);
    }
  });
});
