/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const listButtons = () =>
  screen.queryAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent);
const listRows = () => [...document.querySelectorAll('.rows > .row')].map(({ textContent }) => textContent);

describe('the devices', () => {
  it('are listed with browser, credentials and address, each except this one with a button that signs it out', async () => {
    await showFixture('manage-devices');
    const [firstRow, secondRow, thirdRow] = listRows();
    expect(firstRow).toContain('Firefox, Windows This device');
    expect(firstRow).toContain('Password + Code');
    expect(firstRow).toContain('From 203.0.113.24');
    expect(secondRow).toContain('Passkey or security key');
    expect(thirdRow).toMatch(/^Unknown browser/);
    expect(listButtons()).toEqual(['Sign out: Safari, iOS', 'Sign out: Unknown browser', 'Yes, sign them out']);
    const question = screen.getByRole('button', { name: 'Yes, sign them out' }).closest('details');
    expect([question?.open, question?.querySelector('form')?.getAttribute('action')]).toEqual([false, '/manage/devices']);
    expect(question?.querySelector('summary')?.textContent).toContain('Sign out all others');
    const keys = [...document.querySelectorAll<HTMLInputElement>('.row input[name=key]')].map(({ value }) => value);
    expect(keys).toEqual(['d2', 'd3']);
    expect(screen.getByRole('link', { name: 'change your password' }).getAttribute('href')).toBe('/manage/credentials/password');
  });

  it('are followed by the trusted browsers, each with a button that ends the trust, and a question before the trust in all of them ends', async () => {
    await showFixture('manage-devices-trusted');
    const heading = screen.getByRole('heading', { level: 2, name: 'Trusted browsers' });
    const forms = [...(heading.closest('section')?.querySelectorAll('form') ?? [])];
    const target = '/manage/devices/trusted-browsers';
    expect(forms.map((form) => [form.getAttribute('action'), new FormData(form).get('key')])).toEqual([
      [target, 'b1'],
      [target, 'b2'],
      [target, null],
    ]);
    expect(forms.map((form) => form.closest('details')?.open)).toEqual([undefined, undefined, false]);
  });

  it('have no buttons if this device is the only one', async () => {
    await showFixture('manage-devices-alone');
    expect(listRows()).toHaveLength(1);
    expect(listButtons()).toEqual([]);
    expect(screen.getByRole('status').textContent).toBe('All other devices are signed out');
    expect(screen.queryByText(/sign it out/)).toBeNull();
    // A person who has just signed out an unfamiliar device needs this advice most.
    expect(screen.getByRole('link', { name: 'change your password' }).parentElement?.textContent).toBe(
      'Was there a device that you didn’t recognise? Then change your password, too.',
    );
  });
});
