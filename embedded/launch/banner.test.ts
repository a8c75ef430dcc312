import { describe, expect, it } from '@jest/globals';
import { buildBanner, type Addresses } from './banner.js';
import { Keys } from '../../src/config/keys.js';
import { deriveDemoPassword, toReadablePassword } from './demo-password.js';

const ADDRESSES: Addresses = {
  gateway: 'http://localhost:3000',
  operator: 'http://localhost:3001',
  dataDir: '.foyer',
  seconds: 1.26,
  embedded: {
    demoApp: 'http://localhost:5555',
    mailbox: 'http://localhost:8025',
    smtp: 'smtp://localhost:1025',
    upstream: 'http://localhost:4444',
    admin: 'http://localhost:4445',
    providers: 'http://localhost:4455',
    registration: 'http://localhost:5556',
    people: { url: 'http://localhost:5557', username: 'klara.vorbild', password: 'Ahorn-Mohn-Turm-815' },
    account: { username: 'maria.musterfrau', password: 'Linde-Kranich-Segel-472', state: 'ready' },
    console: {
      url: 'http://localhost:3001/console/',
      operator: { username: 'olga.operator', password: 'Birke-Schwalbe-Kiefer-390', state: 'ready' },
    },
  },
};

const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

describe('the banner', () => {
  it('lists the app first, then the demo account, the things to try and the other addresses', () => {
    expect(toLines(buildBanner(ADDRESSES, false))).toEqual([
      'Open http://localhost:5555',
      'Account   maria.musterfrau',
      'Password  Linde-Kranich-Segel-472',
      'Try these five things:',
      'Sign in                        http://localhost:5555/try/sign-in',
      'Sign in with a second factor   http://localhost:5555/try/second-factor',
      'Find a device and sign it out  http://localhost:5555/try/devices',
      'Sign in on a television        http://localhost:5555/try/television',
      'Request a new password         http://localhost:5555/try/password',
      'Sign-in pages  http://localhost:3000',
      'Mailbox        http://localhost:8025           smtp://localhost:1025',
      'Upstream       http://localhost:4444           admin http://localhost:4445',
      'Providers      http://localhost:4455           Google, Microsoft, Apple: Maria has one account, Jonas two, Nora none',
      'Registration   http://localhost:5556           creates accounts; opens with "Create an account" in the app',
      'People         http://localhost:5557           klara.vorbild, Ahorn-Mohn-Turm-815: a sign-in creates the account',
      'Console        http://localhost:3001/console/  olga.operator, Birke-Schwalbe-Kiefer-390',
      'Ready in 1.3 s. Data in .foyer. Command line: npm run foyer -- account list. Ctrl+C stops everything.',
    ]);
  });

  it('fits a terminal of 24 lines with 120 columns', () => {
    const bannerLines = buildBanner(ADDRESSES, false).split('\n');
    expect(bannerLines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...bannerLines.map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  it('hides the password once the person has changed it', () => {
    const account = { ...ADDRESSES.embedded!.account, state: 'changed' as const };
    const text = buildBanner({ ...ADDRESSES, embedded: { ...ADDRESSES.embedded!, account } }, false);
    expect(text).toContain('(changed; npm run foyer -- account list ');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(text).not.toContain(account.password);
  });

  it('shows commands with the port of the operator API if that is not the default', () => {
    const { console, ...otherAddresses } = ADDRESSES.embedded!;
    const account = { ...otherAddresses.account, state: 'changed' as const };
    const addresses = { ...ADDRESSES, operator: 'http://localhost:3201' };
    const text = buildBanner({ ...addresses, embedded: { ...otherAddresses, console: console!, account } }, false);
    expect(text).toContain('(changed; OPERATOR_PORT=3201 npm run foyer -- account list shows');
    expect(text).toContain('Command line: OPERATOR_PORT=3201 npm run foyer -- account list. ');
    expect(toLines(buildBanner({ ...addresses, embedded: otherAddresses }, false))).toContain(
      'Operator API   http://localhost:3201  OPERATOR_PORT=3201 npm run foyer -- account list',
    );
  });

  it('shows the operator without the password once the password was changed, and the operator API where there is no console', () => {
    const { console, ...otherAddresses } = ADDRESSES.embedded!;
    const operator = { ...console!.operator, state: 'changed' as const };
    const text = buildBanner({ ...ADDRESSES, embedded: { ...otherAddresses, console: { ...console!, operator } } }, false);
    expect(toLines(text)).toContain(
      'Console        http://localhost:3001/console/  olga.operator (the username or the password was changed)',
    );
    expect(text).not.toContain(operator.password);
    const linesWithoutConsole = toLines(buildBanner({ ...ADDRESSES, embedded: otherAddresses }, false));
    expect(linesWithoutConsole).toContain('Operator API   http://localhost:3001  npm run foyer -- account list');
    expect(linesWithoutConsole.join()).not.toContain('olga');
    expect(linesWithoutConsole.at(-1)).toBe('Ready in 1.3 s. Data in .foyer. Ctrl+C stops everything.');
  });

  it('is the same text with and without colours', () => {
    const colouredText = buildBanner(ADDRESSES, true);
    expect(colouredText).toContain('\u001b[1mhttp://localhost:5555\u001b[0m');
    expect(['\u001b[0m', '\u001b[1m', '\u001b[2m'].reduce((text, code) => text.replaceAll(code, ''), colouredText)).toBe(
      buildBanner(ADDRESSES, false),
    );
  });

  it('shows the address of a configured Hydra, no demo app, and no data directory if the database is configured', () => {
    const { gateway, operator, seconds } = ADDRESSES;
    expect(toLines(buildBanner({ gateway, operator, seconds, upstream: 'https://auth.example.com' }, false))).toEqual([
      'Foyer is ready at http://localhost:3000',
      'Hydra         https://auth.example.com',
      'Operator API  http://localhost:3001',
      'Ready in 1.3 s. Ctrl+C stops everything.',
    ]);
  });
});

describe('toReadablePassword', () => {
  it('derives the same password from the same key, and a different password from a different key', () => {
    const key = Buffer.from('0102030405060708', 'hex');
    expect(toReadablePassword(key)).toMatch(/^([A-Z][a-z]+-){3}\d{3}$/);
    expect(toReadablePassword(key)).toBe(toReadablePassword(Buffer.from(key)));
    expect(toReadablePassword(key)).not.toBe(toReadablePassword(Buffer.from('0202030405060708', 'hex')));
    expect(toReadablePassword(key)).not.toBe(toReadablePassword(Buffer.from('0102030405060808', 'hex')));
  });
});

describe('deriveDemoPassword', () => {
  it('gives each person of the demo a different password, which is the same at every start', () => {
    const derivePasswords = () =>
      (['maria', 'olga', 'klara'] as const).map((person) => deriveDemoPassword(new Keys(['a secret']), person));
    expect(new Set(derivePasswords()).size).toBe(3);
    expect(derivePasswords()).toEqual(derivePasswords());
  });
});
