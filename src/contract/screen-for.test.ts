import { describe, expect, it } from '@jest/globals';
import { screenFor } from './screen-for.js';

describe('screenFor', () => {
  it.each(['/login', '/login/native'])('[GEN-2] %s: login, else login_hint, else login', (path) => {
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
  ])('[GEN-2] %s shows %s', (path, screen) => {
    expect(screenFor(path, {})).toBe(screen);
  });

  it.each(['/login/google/callback', '/login/apple/account', '/login/a-b2/callback'])(
    '[GEN-2] %s: login, else accounts, else login',
    (path) => {
      expect(screenFor(path, { login: {}, accounts: {} })).toBe('login');
      expect(screenFor(path, { accounts: {} })).toBe('accounts');
      expect(screenFor(path, {})).toBe('login');
    },
  );

  it('[GEN-2] the ways to and from a provider in the account area show its first page, or the question', () => {
    expect(screenFor('/manage/oauth/google/connect', { manage_confirm: {} })).toBe('manage_confirm');
    expect(screenFor('/manage/oauth/google/disconnect', { manage: {} })).toBe('manage');
    expect(screenFor('/manage/oauth/google/else', {})).toBe('server_error');
  });

  it('[GEN-3] a server_error replaces any route', () => {
    expect(screenFor('/login', { login: {}, server_error: {} })).toBe('server_error');
  });

  it.each(['/', '/nowhere', '/login/X', '/login/x/y', '/login/x/callback/', '/login//callback', '/logins', '/__proto__', ''])(
    '[GEN-4] %s is an error page',
    (path) => {
      expect(screenFor(path, { login: {} })).toBe('server_error');
    },
  );
});
