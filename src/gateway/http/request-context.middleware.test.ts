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
    ['x'.repeat(8000), 'peer'],
    ['203.0.113.7:99999999', 'peer'],
    ['203.0.113.7\n', '203.0.113.7'],
  ])('reads %.40j as %s', (forwardedText, address) => {
    expect(buildAddress(forwardedText, 'peer')).toBe(address);
  });
});
