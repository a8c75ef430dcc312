/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const listForms = () => [...document.querySelectorAll<HTMLFormElement>('main form')];
const readForms = () => listForms().map((form) => [form.getAttribute('action'), ...new FormData(form).keys()]);
const readHeading = () => screen.getByRole('heading', { level: 1 }).textContent.replaceAll('\u00ad', '');

describe('the page for the e-mail address', () => {
  it('[EML-1] [GEN-9] asks for the new address with a plain form, and shows the current address', async () => {
    await showFixture('manage-address');
    expect(readForms()).toEqual([['/manage/credentials/email', '_xsrf', 'email']]);
    expect(document.querySelector('main')?.textContent).toContain('m.musterfrau@beispiel.example');
    const field = screen.getByLabelText<HTMLInputElement>('New e\u2011mail address');
    expect([field.type, field.autocomplete, field.value, field.required]).toEqual(['email', 'email', '', true]);
    fireEvent.invalid(field);
    expect(document.querySelector('#email-error')?.textContent).toContain('like name@example.org');
  });

  it('[EML-1] asks for the code, can send another code, and links back to the address', async () => {
    await showFixture('manage-address-code');
    expect(readForms()).toEqual([
      ['/manage/credentials/email/code', '_xsrf', 'code'],
      ['/manage/credentials/email', '_xsrf', 'email'],
    ]);
    expect(new FormData(listForms()[1]).get('email')).toBe('maria@neu.example');
    expect(screen.getByRole('link', { name: 'Use another address' }).getAttribute('href')).toBe('/manage/credentials/email');
  });

  it.each([
    ['manage-address-invalid', 'This isn’t an e\u2011mail address', true],
    ['manage-address-taken', 'This e\u2011mail address isn’t available', true],
    ['manage-address-expired', 'The code has expired', true],
    ['manage-address-code-wrong', 'This code isn’t right', true],
    ['manage-address-elsewhere', 'Your e\u2011mail address is managed by your organisation', false],
  ])('[EML-1] [EML-2] explains the error of the fixture %s (%s)', async (fixture, words, hasForm) => {
    await showFixture(fixture);
    expect(screen.getByRole('alert').textContent).toContain(words);
    expect(listForms().length > 0).toBe(hasForm);
  });

  it.each([
    ['manage-address', 'Change e\u2011mail address', 'E\u2011Mail-Adresse ändern'],
    ['manage-address-none', 'Add e\u2011mail address', 'E\u2011Mail-Adresse hinzufügen'],
  ])('[EML-1] [I18-1] has a heading in both languages (%s)', async (fixture, english, german) => {
    await showFixture(fixture);
    expect(readHeading()).toBe(english);
    cleanup();
    await showFixture(fixture, 'de');
    expect(readHeading()).toBe(german);
  });
});

describe('the overview', () => {
  it('[EML-1] shows the address and whether it is confirmed, or "None" without an address', async () => {
    await showFixture('manage');
    const readRow = () => document.querySelector('a.row[href="/manage/credentials/email"]')?.textContent;
    expect(readRow()).toBe('E\u2011mail addressm.musterfrau@beispiel.example');
    cleanup();
    await showFixture('manage-address-row-unverified');
    expect(readRow()).toContain('Not confirmed');
    cleanup();
    await showFixture('manage-address-row-none');
    expect(readRow()).toBe('E\u2011mail addressNone');
  });
});

describe('"that was not me" behind the link in the mail to a former address', () => {
  it('[EML-3] states first that the former address is restored', async () => {
    await showFixture('not-me-email');
    expect(document.querySelector('.bullets li')?.textContent).toContain('m•••u@beispiel.example');
    expect(document.querySelectorAll('.bullets li')).toHaveLength(5);
  });
});
