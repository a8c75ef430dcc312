/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const heading = () => screen.getByRole('heading', { level: 1 }).textContent.replaceAll('\u00ad', '');
const form = () => document.querySelector('form') ?? document.createElement('form');
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Code' });

describe('the page for the code of a device', () => {
  it('[DEV-1] [GEN-9] is a plain form with one field, whose text no keyboard corrects', async () => {
    await showFixture('device');
    expect([form().getAttribute('action'), form().method]).toEqual(['/device', 'post']);
    expect([...new FormData(form()).keys()].sort()).toEqual(['_xsrf', 'device_challenge', 'user_code']);
    const given = ['autocapitalize', 'autocorrect', 'autocomplete', 'spellcheck'].map((name) => field().getAttribute(name));
    expect(given).toEqual(['none', 'off', 'off', 'false']);
    expect(form().textContent).toContain('Never enter a code that somebody has sent you');
  });

  it('[DEV-1] shows a code from the address, to be compared', async () => {
    await showFixture('device-prefilled');
    expect(heading()).toBe('Is this the code on your device?');
    expect([field().value, document.activeElement === field()]).toEqual(['Wd7pKa4x', false]);
  });

  it.each([
    ['device-wrong', 'code', 'No device is waiting with this code.'],
    ['device-empty', 'empty', 'Please enter the code that your device shows.'],
    ['device-limited', 'limited', 'Too many codes were entered.'],
  ])('[DEV-5] [ERR-2] %s says so', async (fixture, code, text) => {
    await showFixture(fixture);
    const alert = screen.getByRole('alert');
    expect([alert.dataset['code'], alert.querySelector('strong')?.textContent]).toEqual([code, text]);
  });

  it.each(['missing', 'expired', 'used', 'foreign', 'no-cookies'])('[DEV-7] %s: leads back only to the code', async (fault) => {
    await showFixture(`device-challenge-${fault}`);
    expect(screen.getByRole('link', { name: 'Enter the code again' }).getAttribute('href')).toBe('/device');
    expect(document.querySelector('form')).toBeNull();
  });
});

describe('the consent for a device', () => {
  it('[DEV-3] names the danger, and has a button to refuse', async () => {
    await showFixture('consent-device');
    expect(form().textContent).toContain('Somebody may have sent you this code.');
    expect(form().textContent).toContain('maria.musterfrau');
    expect(screen.getByRole('button', { name: 'Deny' }).getAttribute('formaction')).toBe('/consent/reject');
  });

  it('[DEV-7] an expired consent leads back to the code', async () => {
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
  ])('[DEV-4] [I18-1] %s says so in both languages', async (fixture, english, german) => {
    await showFixture(fixture);
    expect(heading()).toBe(english);
    cleanup();
    await showFixture(fixture, 'de');
    expect(heading()).toBe(german);
  });

  it('[DEV-2] the name of the app is text', async () => {
    await showFixture('device-success-hostile');
    expect(document.querySelector('script')).toBeNull();
    expect(screen.getByText(/<policy>/)).toBeTruthy();
  });
});
