import { describe, expect, it } from '@jest/globals';
import { buildAddress } from './request-context.middleware.js';

describe('buildAddress', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:40001', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]:40001', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['unknown', 'peer'],
    ['', 'peer'],
    ['203.0.113.7:99999999', 'peer'],
    ['203.0.113.7\n', '203.0.113.7'],
  ])('reads %j as %s', (forwardedText, address) => {
    expect(buildAddress(forwardedText, 'peer')).toBe(address);
  });

  it('replaces a text of 8,000 characters by the address of the peer', () => {
    expect(buildAddress('x'.repeat(8000), 'peer')).toBe('peer');
  });
});
