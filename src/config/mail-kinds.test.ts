import { describe, expect, it } from '@jest/globals';
import { mailLayout, mailSender, smtpServer } from './mail-kinds.js';

describe('the address of a mail server', () => {
  it.each([
    ['smtps://mail.example.org', { host: 'mail.example.org', port: 465, encryption: 'tls' }],
    ['smtp://mail.example.org?starttls=required', { host: 'mail.example.org', port: 587, encryption: 'starttls' }],
    ['smtp://localhost:1025', { host: 'localhost', port: 1025, encryption: 'none' }],
    ['smtp://[::1]/', { host: '::1', port: 25, encryption: 'none' }],
    [
      'smtps://foyer%40example.org:a%2Fb%3Ac@mail.example.org:2465',
      { host: 'mail.example.org', port: 2465, encryption: 'tls', login: { user: 'foyer@example.org', password: 'a/b:c' } },
    ],
  ])('%s is read', (text, value) => {
    expect(smtpServer.read(text)).toEqual({ value });
  });

  it.each([
    'mail.example.org',
    'https://mail.example.org',
    'smtp://',
    'smtp://mail.example.org?starttls=optional',
    'smtp://mail.example.org?starttls=required&tls=off',
    'smtps://mail.example.org?starttls=required',
    'smtp://mail.example.org/inbox',
    'smtp://mail.example.org#x',
    'smtp://user@mail.example.org',
    'smtp://:word@mail.example.org',
    'smtp://a:%ZZ@mail.example.org',
    'smtp://mail example.org',
    'smtp://mail.example.org:0',
    'smtp://mail%0d%0a.example.org',
  ])('%s is refused', (text) => {
    expect(smtpServer.read(text)).toEqual({ fault: expect.any(String) });
  });
});

describe('the sender of mails', () => {
  it.each([
    ['foyer@example.org', { address: 'foyer@example.org' }],
    ['Foyer <foyer@localhost>', { name: 'Foyer', address: 'foyer@localhost' }],
    ['"Müller, Maier & Co" <no-reply@login.example.org>', { name: 'Müller, Maier & Co', address: 'no-reply@login.example.org' }],
    ['<foyer@example.org>', { address: 'foyer@example.org' }],
  ])('%s is read', (text, value) => {
    expect(mailSender.read(text)).toEqual({ value });
  });

  it.each([
    'foyer',
    'a@b, c@d',
    'a@b <c@d>, e@f',
    'Foyer <a@b> x',
    'Foyer <a b@c>',
    'x\r\nBcc: evil@example.org <a@b>',
    '@b',
    'a@',
  ])('%j is refused', (text) => {
    expect(mailSender.read(text)).toEqual({ fault: expect.any(String) });
  });
});

describe('the layout of mails', () => {
  it.each([
    ['<p>{{content}}</p>', 'needs {{footer}} exactly once'],
    ['{{content}}{{content}}{{footer}}', 'needs {{content}} exactly once'],
    ['{{content}}{{footer}}{{user}}', 'has the unknown placeholder {{user}}; the placeholders are {{language}}'],
    ['{{content}}{{footer}}<SCRIPT>', 'has a script'],
    ['{{content}}{{footer}}<form action="x">', 'has a script, a frame or a form'],
  ])('is refused if it is %s, with the fault that it %s', (layout, fault) => {
    expect(mailLayout.read(layout)).toEqual({ fault: expect.stringContaining(fault) });
  });

  it('is not changed', () => {
    const layout = '<html lang="{{language}}"><body>{{header}}{{content}}<hr>{{footer}}</body></html>';
    expect(mailLayout.read(layout)).toEqual({ value: layout });
  });
});
