/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const readHeading = () => screen.getByRole('heading', { level: 1 }).textContent.replaceAll('\u00ad', '');
const findForm = () => document.querySelector('form') ?? document.createElement('form');
const readForm = () => [findForm().getAttribute('action'), findForm().method, [...new FormData(findForm()).keys()]];

describe('the page for the help desk', () => {
  it('asks for a name with a plain form, and addresses only people who have called the help desk themselves', async () => {
    await showFixture('support');
    expect(readForm()).toEqual(['/support', 'post', ['_xsrf', 'username']]);
    expect(screen.getByText(/only if you have called the help desk yourself/)).toBeDefined();
    cleanup();
    await showFixture('support-by-email');
    expect(screen.getByLabelText(/Username or e.mail/)).toBeDefined();
  });

  it('asks for the code with a plain form, and warns that nobody else may know the code', async () => {
    await showFixture('support-code');
    expect(readForm()).toEqual(['/support/code', 'post', ['_xsrf', 'code']]);
    expect(screen.getByText(/not even to the help desk/)).toBeDefined();
    cleanup();
    await showFixture('support-code-wrong');
    expect(screen.getByRole('alert').textContent).toContain('This code isn’t right');
  });

  it('shows the words with the operator and the warning of the account area, or that no check is open', async () => {
    await showFixture('support-words');
    expect(screen.getByText('lantern river tulip').getAttribute('lang')).toBe('en');
    expect(screen.getByText(/Never tell them to somebody who calls/)).toBeDefined();
    expect(document.body.textContent).toContain('Olga Operator');
    expect(readForm()).toEqual(['/support/end', 'post', ['_xsrf']]);
    cleanup();
    await showFixture('support-words-none');
    expect(screen.getByText('No check is open at the moment.')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Look again' }).getAttribute('href')).toBe('/support/words');
  });

  it.each([
    ['support-ended', 'This page is no longer open', 'Diese Seite ist nicht mehr offen'],
    ['support-words', 'Words for the help desk', 'Wörter für den Helpdesk'],
  ])('[I18-1] has a heading in both languages (%s: "%s")', async (fixture, english, german) => {
    await showFixture(fixture);
    expect(readHeading()).toBe(english);
    cleanup();
    await showFixture(fixture, 'de');
    expect(readHeading()).toBe(german);
  });
});
