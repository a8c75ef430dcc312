/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const readHeading = () => screen.getByRole('heading', { level: 1 }).textContent.replaceAll('\u00ad', '');
const findForm = () => document.querySelector('form') ?? document.createElement('form');
const findField = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Code' });

describe('the page for the code of a device', () => {
  it('[DEV-1] [GEN-9] has a plain form with one field, whose text keyboards do not correct', async () => {
    await showFixture('device');
    expect([findForm().getAttribute('action'), findForm().method]).toEqual(['/device', 'post']);
    expect([...new FormData(findForm()).keys()].sort()).toEqual(['_xsrf', 'device_challenge', 'user_code']);
    const attributes = ['autocapitalize', 'autocorrect', 'autocomplete', 'spellcheck'].map((name) =>
      findField().getAttribute(name),
    );
    expect(attributes).toEqual(['none', 'off', 'off', 'false']);
    expect(findForm().textContent).toContain('Never enter a code that somebody has sent you');
  });

  it('[DEV-1] fills in a code from the address, and asks the person to compare it', async () => {
    await showFixture('device-prefilled');
    expect(readHeading()).toBe('Is this the code on your device?');
    expect([findField().value, document.activeElement === findField()]).toEqual(['Wd7pKa4x', false]);
  });

  it.each([
    ['device-wrong', 'code', 'No device is waiting for this code.'],
    ['device-empty', 'empty', 'Please enter the code that your device shows.'],
    ['device-limited', 'limited', 'Too many codes were entered.'],
  ])('[DEV-5] [ERR-2] explains the error of the fixture %s (%s)', async (fixture, code, text) => {
    await showFixture(fixture);
    const alert = screen.getByRole('alert');
    expect([alert.dataset['code'], alert.querySelector('strong')?.textContent]).toEqual([code, text]);
  });

  it.each(['missing', 'expired', 'used', 'foreign', 'no-cookies'])(
    '[DEV-7] offers only to enter a code again if the challenge cannot be used (%s)',
    async (fault) => {
      await showFixture(`device-challenge-${fault}`);
      expect(screen.getByRole('link', { name: 'Enter the code again' }).getAttribute('href')).toBe('/device');
      expect(document.querySelector('form')).toBeNull();
    },
  );
});

describe('the consent for a device', () => {
  it('[DEV-3] warns of an attacker, and has a button to refuse', async () => {
    await showFixture('consent-device');
    expect(findForm().textContent).toContain('Somebody may have sent you this code.');
    expect(findForm().textContent).toContain('maria.musterfrau');
    expect(screen.getByRole('button', { name: 'Deny' }).getAttribute('formaction')).toBe('/consent/reject');
  });

  it('[DEV-7] offers to enter a code again if the challenge has expired', async () => {
    await showFixture('consent-device-expired');
    expect(screen.getByRole('link', { name: 'Enter the code again' }).getAttribute('href')).toContain('/oauth2/device/verify');
  });
});

describe('the end of a device request', () => {
  it.each([
    ['device-success', 'Your device has access', 'Ihr Gerät hat Zugriff'],
    ['device-denied', 'Nothing was allowed', 'Es wurde nichts zugelassen'],
    ['device-unmet', 'The app asks for a stronger sign-in', 'Die App verlangt eine stärkere Anmeldung'],
    ['device-failed', 'The device gets no access', 'Das Gerät erhält keinen Zugriff'],
  ])('[DEV-4] [I18-1] has a heading in both languages (%s: "%s")', async (fixture, english, german) => {
    await showFixture(fixture);
    expect(readHeading()).toBe(english);
    cleanup();
    await showFixture(fixture, 'de');
    expect(readHeading()).toBe(german);
  });

  it('[DEV-2] shows the name of the app as text', async () => {
    await showFixture('device-success-hostile');
    expect(document.querySelector('script')).toBeNull();
    expect(screen.getByText(/<policy>/)).toBeTruthy();
  });
});
