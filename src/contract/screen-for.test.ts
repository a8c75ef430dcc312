import { describe, expect, it } from '@jest/globals';
import { screenFor } from './screen-for.js';

describe('screenFor', () => {
  it.each(['/login', '/login/native'])('[GEN-2] shows login at %s; login_hint if it alone has a state', (path) => {
    expect(screenFor(path, { login: {}, login_hint: {} })).toBe('login');
    expect(screenFor(path, { login_hint: {} })).toBe('login_hint');
    expect(screenFor(path, {})).toBe('login');
  });

  it.each([
    ['/consent', 'consent'],
    ['/consent/accept', 'consent'],
    ['/consent/reject', 'consent'],
    ['/logout', 'logout'],
    ['/logout/accept', 'logout'],
    ['/logout/reject', 'logout'],
    ['/logout/callback', 'logout'],
    ['/error', 'oauth_error'],
  ])('[GEN-2] returns, for %s, %s', (path, screen) => {
    expect(screenFor(path, {})).toBe(screen);
  });

  it.each(['/login/google/callback', '/login/apple/account', '/login/a-b2/callback'])(
    '[GEN-2] shows login at %s; accounts if it alone has a state',
    (path) => {
      expect(screenFor(path, { login: {}, accounts: {} })).toBe('login');
      expect(screenFor(path, { accounts: {} })).toBe('accounts');
      expect(screenFor(path, {})).toBe('login');
    },
  );

  it('[GEN-2] shows the overview or the confirmation at the provider paths of the account area', () => {
    expect(screenFor('/manage/oauth/google/connect', { manage_confirm: {} })).toBe('manage_confirm');
    expect(screenFor('/manage/oauth/google/disconnect', { manage: {} })).toBe('manage');
    expect(screenFor('/manage/oauth/google/else', {})).toBe('server_error');
  });

  it('[GEN-3] shows a server_error at any path', () => {
    expect(screenFor('/login', { login: {}, server_error: {} })).toBe('server_error');
  });

  it.each(['/', '/nowhere', '/login/X', '/login/x/y', '/login/x/callback/', '/login//callback', '/logins', '/__proto__', ''])(
    '[GEN-4] shows an error page at %s',
    (path) => {
      expect(screenFor(path, { login: {} })).toBe('server_error');
    },
  );
});
