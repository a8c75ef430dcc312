import { describe, expect, it } from '@jest/globals';
import { isScopeAllowed, readAudiences, requireAudiences, requireScopes } from './scopes.js';

describe('isScopeAllowed', () => {
  it.each([
    ['openid', 'openid', true],
    ['openid', 'openid2', false],
    ['openid', 'open', false],
    ['users.*', 'users.read', true],
    ['users.*', 'users.read.own', true],
    ['users.*', 'users', false],
    ['users.*', 'users.', false],
    ['users.*.own', 'users.read.own', true],
    ['users.*.own', 'users.read.other', false],
    ['*', 'anything', true],
    ['users', 'users.read', false],
  ])('%s allows %s: %s', (pattern, scope, expected) => {
    expect(isScopeAllowed([pattern], scope)).toBe(expected);
  });
});

describe('requireScopes', () => {
  it('names the refused scope', () => {
    expect(() => requireScopes({ scope: 'openid email' }, ['openid', 'admin'])).toThrow(
      expect.objectContaining({
        code: 'invalid_scope',
        description:
          "The requested scope is invalid, unknown, or malformed. The OAuth 2.0 Client is not allowed to request scope 'admin'.",
      }),
    );
  });
});

describe('requireAudiences', () => {
  const client = { audience: ['https://api.example/v1', 'plain'] };

  it.each(['https://api.example/v1', 'https://api.example/v1/', 'https://api.example/v1/users', 'plain'])(
    'allows %s',
    (audience) => {
      expect(() => requireAudiences(client, [audience])).not.toThrow();
    },
  );

  it.each(['https://api.example', 'https://api.example/v10', 'http://api.example/v1', 'https://evil.example/v1', 'plainer', ''])(
    'refuses %j',
    (audience) => {
      expect(() => requireAudiences(client, [audience])).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    },
  );
});

describe('readAudiences', () => {
  it('splits a single parameter at spaces, and does not split several parameters but drops empty ones', () => {
    expect(readAudiences(['a  b'])).toEqual(['a', 'b']);
    expect(readAudiences(['a b', '', 'c'])).toEqual(['a b', 'c']);
    expect(readAudiences([])).toEqual([]);
  });
});
