/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import { ACTIVITIES } from '../../src/contract/manage-data-state.js';
import { showFixture } from '../fixtures/show-fixture.js';
import { ACTIVITY_WORDS } from './activity-words.js';

afterEach(cleanup);

const listHrefs = () => screen.queryAllByRole('link').map((link) => link.getAttribute('href'));
const findForm = (action: string) => document.querySelector(`form[action="${action}"][method=post]`);

describe('the page for the deletion of the account', () => {
  it('[DEL-1] states when the account is deleted and who is notified, links to the apps, and has a form that requests the deletion', async () => {
    await showFixture('manage-deletion');
    expect(screen.getByText(/in 7 days/)).toBeDefined();
    expect(screen.getByText(/We’ll send you an e.mail/)).toBeDefined();
    expect(screen.queryByText(/a new, empty account/)).toBeNull();
    expect(findForm('/manage/deletion')?.querySelector('input[name=_xsrf]')).not.toBeNull();
    expect(listHrefs()).toContain('/manage/apps');
  });

  it('[DEL-1] states that a person of a user source can get a new account, and that without an address nobody is notified', async () => {
    await showFixture('manage-deletion-elsewhere');
    expect(screen.getByText(/a new, empty account/)).toBeDefined();
    expect(screen.getByText(/nobody is notified/)).toBeDefined();
  });

  it('[DEL-2] offers, like the overview, only to keep the account during the waiting period', async () => {
    for (const name of ['manage-deletion-due', 'manage-deletion-banner']) {
      await showFixture(name);
      expect(screen.getByText(/Your account will be deleted on/)).toBeDefined();
      expect(findForm('/manage/deletion/cancel')?.textContent).toContain('Keep my account');
      expect(findForm('/manage/deletion')).toBeNull();
      cleanup();
    }
  });
});

describe('the page behind the link in the mail', () => {
  it('[DEL-2] asks with a form whether to keep the account, and shows the result', async () => {
    await showFixture('keep-account');
    expect(findForm('/keep-account')?.querySelector('input[name=token]')).not.toBeNull();
    cleanup();
    await showFixture('keep-account-done');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Your account stays');
    expect(findForm('/keep-account')).toBeNull();
  });
});

describe('the activity', () => {
  it('[ACT-1] is listed by day, with the known details of each event', async () => {
    await showFixture('manage-activity');
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toHaveLength(3);
    const rows = [...document.querySelectorAll('.rows > .row')].map(({ textContent }) => textContent);
    expect(rows[0]).toContain('Beispielportal');
    expect(rows[0]).toContain('Password + Code\u00a0· Firefox, Windows');
    expect(rows[0]).not.toContain('203.0.113.x');
    expect(rows[0]).toMatch(/\d\d:\d\d$/);
    expect(rows[1]).toContain('Authenticator app');
    expect(rows[2]).toContain('By an administrator');
    expect(rows[3]).toContain('From 2001:db8:85a3:0:x');
    expect(rows[3]).toMatch(/3\u00a0times since \d\d:\d\d/);
    expect(listHrefs()).toEqual(expect.arrayContaining(['/manage/credentials/password', '/manage/devices']));
    expect(listHrefs().some((href) => href?.includes('cursor='))).toBe(false);
  });

  it('[ACT-1] marks sign-ins, changes and refused attempts differently, and can show only one of these kinds', async () => {
    await showFixture('manage-activity');
    const tones = [...document.querySelectorAll('.rows > .row > .tile')].map(({ className }) => className.trim());
    expect(tones).toEqual(['tile success', 'tile', 'tile', 'tile danger', 'tile', 'tile success']);
    const filter = within(screen.getByRole('navigation', { name: 'Show' }));
    expect(filter.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/manage/activity',
      '/manage/activity?show=sign-ins',
      '/manage/activity?show=changes',
      '/manage/activity?show=refused',
    ]);
    expect(filter.getByRole('link', { current: 'page' }).textContent).toBe('All');
    cleanup();
    await showFixture('manage-activity-refused');
    expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Refused');
    expect(listHrefs()).toContain('/manage/activity?show=refused&cursor=51');
    cleanup();
    await showFixture('manage-activity-none-shown');
    expect(screen.getByText('There’s nothing of this kind.')).toBeTruthy();
    expect(listHrefs()).toContain('/manage/activity');
  });

  it('[ACT-1] explains what will be listed if nothing has happened yet', async () => {
    await showFixture('manage-activity-none');
    expect(screen.getByText(/^Nothing yet\. Your sign-ins, changes .* will be listed here\.$/)).toBeTruthy();
    expect(screen.queryByRole('navigation', { name: 'Show' })).toBeNull();
    expect(screen.queryByText(/Was something here not done by you/)).toBeNull();
  });

  it('[ACT-1] has a different text for each event, and is split into pages', async () => {
    await showFixture('manage-activity-all');
    const names = [...document.querySelectorAll('.rows b')].map(({ textContent }) => textContent);
    expect(names).toHaveLength(ACTIVITIES.length);
    expect(new Set(Object.values(ACTIVITY_WORDS)).size).toBe(ACTIVITIES.length);
    expect(new Set(names).size).toBe(ACTIVITIES.length);
    expect(listHrefs()).toEqual(expect.arrayContaining(['/manage/activity?cursor=63', '/manage/activity']));
  });
});

describe('the overview', () => {
  it('[DEL-1] [ACT-1] links to the activity and to the deletion, unless the installation has disabled them', async () => {
    await showFixture('manage');
    expect(listHrefs()).toEqual(expect.arrayContaining(['/manage/activity', '/manage/deletion']));
    cleanup();
    await showFixture('manage-features-none');
    expect(listHrefs().filter((href) => ['/manage/activity', '/manage/deletion'].includes(href ?? ''))).toEqual([]);
  });
});
