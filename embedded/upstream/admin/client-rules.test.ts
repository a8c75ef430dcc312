import { describe, expect, it } from '@jest/globals';
import { requireValidClient } from './client-rules.js';

describe('post_logout_redirect_uris', () => {
  it.each([
    ['https://shop.example:8443/out', true],
    ['https://maria@shop.example:8443/out', true],
    ['https://shop.example/out', false],
    ['http://shop.example:8443/out', false],
    ['https://shop.example:8443@evil.example/out', false],
  ])('%s is accepted beside a redirect URI with the same scheme, host and port: %p', (uri, isAccepted) => {
    const check = () =>
      requireValidClient({ redirect_uris: ['https://app:x@shop.example:8443/cb'], post_logout_redirect_uris: [uri] });
    if (isAccepted) expect(check).not.toThrow();
    else expect(check).toThrow();
  });
});
