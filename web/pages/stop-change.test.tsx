/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const readHeading = () => screen.getByRole('heading', { level: 1 }).textContent.replaceAll('\u00ad', '');
const findForm = () => document.querySelector('form') ?? document.createElement('form');

describe('"stop this change"', () => {
  it('asks with a plain form that posts the token of the link, and states which change is planned and when', async () => {
    await showFixture('stop-change');
    expect(readHeading()).toBe('Stop this change?');
    expect([findForm().getAttribute('action'), findForm().method]).toEqual(['/stop-change', 'post']);
    expect([...new FormData(findForm()).keys()]).toEqual(['token', '_xsrf']);
    expect(findForm().textContent).toContain('reset your second factors');
    expect(findForm().querySelector('time')?.dateTime).toBe('2026-11-24T09:10:00.000Z');
    cleanup();
    await showFixture('stop-change-address');
    expect(findForm().textContent).toContain('to maria.neu@beispiel.example.');
  });

  it.each([
    ['stop-change-stopped', 'The change is stopped', 'Die Änderung ist verhindert'],
    ['stop-change-used', 'The change was already stopped', 'Die Änderung wurde bereits verhindert'],
    ['stop-change-done', 'It’s too late to stop this', 'Die Änderung lässt sich nicht mehr verhindern'],
    ['stop-change-ended', 'There is nothing to stop', 'Es gibt nichts zu verhindern'],
    ['stop-change-expired', 'This link is no longer valid', 'Dieser Link ist nicht mehr gültig'],
    ['stop-change-error', 'A technical error occurred', 'Ein technischer Fehler ist aufgetreten'],
  ])('[I18-1] has a result in both languages (%s: "%s")', async (fixture, english, german) => {
    await showFixture(fixture);
    expect(readHeading()).toBe(english);
    expect(document.querySelector('form')).toBeNull();
    cleanup();
    await showFixture(fixture, 'de');
    expect(readHeading()).toBe(german);
  });
});
