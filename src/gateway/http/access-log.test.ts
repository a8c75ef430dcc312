import { describe, expect, it } from '@jest/globals';
import { toLoggedPath } from './access-log.js';

const TOKEN = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF';

describe('the path in the access log', () => {
  it.each(['/', '/login', '/login/google/callback', '/password-reset/reset-form', '/api/v1/rpc/user/manage/mfa-init-fido2'])(
    'contains %s unchanged',
    (path) => {
      expect(toLoggedPath(path)).toBe(path);
    },
  );

  it.each([
    [`/password-reset/reset-form%3Freset_token=${TOKEN}`, '/password-reset/reset-form/…'],
    [`/manage%3Ft=ory_at_${TOKEN}`, '/manage/…'],
    [`/manage;t=${TOKEN}`, '/manage/…'],
    [`/manage/t=${TOKEN}`, '/manage/t/…'],
    [`/manage/${TOKEN}`, '/manage/…'],
    [`/manage/error/${TOKEN.toLowerCase()}`, '/manage/error/…'],
    [`/not-me/${encodeURIComponent(`?token=${TOKEN}`)}`, '/not-me//…'],
    [`/eyJhbGciOiJub25lIn0.${TOKEN}.x`, '/…'],
  ])('[S-39] contains no token: %s becomes %s', (path, expected) => {
    const loggedPath = toLoggedPath(path);
    expect(loggedPath).not.toMatch(/Zm9v|zm9v|eyJ/);
    expect(loggedPath).toBe(expected);
  });
});
