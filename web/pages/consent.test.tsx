/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen, within } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';
import * as icons from './scope-icons.js';

afterEach(cleanup);

const readForm = (page: HTMLElement) => new FormData(page.querySelector('form') ?? undefined);
const listRows = () => screen.getAllByRole('listitem').filter((row) => row.querySelector('.row'));
const readHeading = () => screen.getByRole('heading', { level: 1 }).textContent;

describe('consent', () => {
  it('[CON-1] [CON-4] posts the challenge, the anti-forgery value, and the required and ticked scopes to /consent/accept', async () => {
    const page = await showFixture('consent');
    expect(page.querySelector('form')?.getAttribute('action')).toBe('/consent/accept');
    screen.getByRole('checkbox', { name: /E\u2011mail address/ }).click();
    const data = readForm(page);
    expect(data.get('consent_challenge')).toHaveLength(1_200);
    expect(data.get('_xsrf')).toHaveLength(43);
    expect(data.getAll('scopes')).toEqual(['openid', 'profile']);
  });

  it('[CON-2] names the client, or shows "An app", and links to its privacy policy, but not to terms that it does not have', async () => {
    await showFixture('consent');
    expect(readHeading()).toBe('Beispielportal would like to access your account');
    expect(screen.getByRole('link', { name: 'privacy policy' }).getAttribute('href')).toBe('https://portal.example/privacy');
    cleanup();
    await showFixture('consent-unnamed-client');
    expect(readHeading()).toBe('An app would like to access your account');
    cleanup();
    await showFixture('consent-redirect');
    expect(screen.queryByRole('link', { name: 'terms of service' })).toBeNull();
  });

  it('[CON-3] shows icon and description of each built-in scope, in both languages', async () => {
    await showFixture('consent-many');
    const names = listRows().map((row) => row.querySelector('b')?.textContent);
    expect(names).toEqual([
      'Unique user ID',
      'User profile',
      'E\u2011mail address',
      'Postal address',
      'Phone number',
      'Account management',
      // The app requests this scope under both of its names; the page shows it once.
      'Background data retrieval',
      'Full access to the finance and insurance folder',
    ]);
    expect(listRows().every((row) => row.querySelector('svg') && row.querySelector('small')?.textContent)).toBe(true);
    cleanup();
    await showFixture('consent-many', 'de');
    const texts = listRows().map((row) =>
      [...row.querySelectorAll('b, small')].map((text) => text.textContent.replaceAll('\u00ad', '')),
    );
    expect(texts).toEqual([
      ['Eindeutige Benutzer-ID', 'Damit die App Sie wiedererkennt'],
      ['Benutzerprofil', 'Name, Benutzername, Bild, Sprache und weitere Angaben Ihres Profils'],
      ['E\u2011Mail-Adresse', 'Ihre hinterlegte E\u2011Mail-Adresse'],
      ['Anschrift', 'Ihre hinterlegte Postanschrift'],
      ['Telefonnummer', 'Ihre hinterlegte Telefonnummer'],
      ['Kontoverwaltung', 'Passwort, Benutzername und Sicherheitsfaktoren verwalten', ' weitreichend'],
      ['Datenabruf im Hintergrund', 'Auch dann, wenn Sie die App gerade nicht benutzen'],
      [
        'Vollzugriff auf den Finanz- und Versicherungsordner',
        'Verträge und Dokumente lesen, ändern und löschen',
        ' weitreichend',
      ],
    ]);
  });

  it('[CON-3] shows in a closed list the values that the app would receive, and marks the scopes without data', async () => {
    const page = await showFixture('consent-values');
    const data = page.querySelector('details');
    expect([data?.open, data?.querySelector('summary')?.textContent]).toEqual([false, 'Show the data']);
    const pairs = [...(data?.querySelectorAll('dt') ?? [])].map((name) => [
      name.textContent,
      name.nextElementSibling?.textContent,
    ]);
    expect(pairs).toEqual([
      ['Name', 'Maria Musterfrau'],
      ['Username', 'maria.musterfrau'],
      ['Picture', expect.stringContaining('https://portal.example/pictures/')],
      ['Last change', '2 Mar 2026'],
      ['E\u2011mail address', 'maria.musterfrau@example.org'],
      ['E\u2011mail address verified', 'yes'],
      ['Postal address', 'Am Ring 1, 50667 Köln'],
      ['Groups', 'Einkauf, Betriebsrat'],
      ['https://portal.example/cost_centre', '4711'],
      ['Department', '<b>Einkauf</b>'],
    ]);
    expect(listRows().filter((row) => row.textContent.includes('Nothing is on file at present.'))).toHaveLength(1);
    expect(data?.closest('form')).not.toBeNull();
  });

  it('[CON-10] asks only for new scopes, and posts them with the scopes that were granted before', async () => {
    const page = await showFixture('consent-new');
    expect(screen.getAllByRole('checkbox').map((box) => box.closest('li')?.querySelector('b')?.textContent)).toEqual([
      'Postal address',
      'Account management',
    ]);
    expect(screen.getByRole('group', { name: 'New access requested' })).toBeTruthy();
    const grantedScopes = ['openid', 'profile', 'email', 'phone', 'offline_access', 'folder'];
    const foldedTitles = [...page.querySelectorAll('details li b')].map(({ textContent }) => textContent);
    expect(foldedTitles).toHaveLength(grantedScopes.length);
    screen.getByRole('checkbox', { name: /Account management/ }).click();
    expect(readForm(page).getAll('scopes')).toEqual(['address', ...grantedScopes]);
    expect(readForm(page).getAll('granted')).toEqual(grantedScopes);
    cleanup();
    const pageWithoutGrants = await showFixture('consent');
    expect(screen.getByRole('group', { name: 'Requested access' })).toBeTruthy();
    expect(pageWithoutGrants.querySelector('details, [name=granted]')).toBeNull();
  });

  it('[CON-3] shows a different icon for each scope, and the same icon for both names of background access', async () => {
    await showFixture('consent-many');
    const shapes = listRows().map((row) => row.querySelector('.icon')?.innerHTML);
    const { IdCardIcon, PersonIcon, MailIcon, AddressIcon, PhoneIcon, SlidersIcon, BackgroundIcon, FolderIcon } = icons;
    const expected = [IdCardIcon, PersonIcon, MailIcon, AddressIcon, PhoneIcon, SlidersIcon, BackgroundIcon, FolderIcon];
    expect(shapes).toEqual(expected.map((Expected) => render(<Expected />).container.querySelector('.icon')?.innerHTML));
    expect(new Set(shapes).size).toBe(expected.length);
    cleanup();
    await showFixture('consent-offline');
    expect(listRows()[1]?.querySelector('.icon')?.innerHTML).toBe(shapes[6]);
  });

  it('[CON-3] marks only far-reaching scopes', async () => {
    await showFixture('consent-many');
    expect(screen.getAllByText('far-reaching').map((mark) => mark.closest('li')?.querySelector('b')?.textContent)).toEqual([
      'Account management',
      'Full access to the finance and insurance folder',
    ]);
    cleanup();
    await showFixture('consent');
    expect(screen.queryByText('far-reaching')).toBeNull();
  });

  it('[CON-3] shows the texts of the scope catalogue, and the name of an unknown scope', async () => {
    await showFixture('consent-catalogue', 'de');
    const texts = listRows().map((row) => row.textContent);
    expect(texts[1]).toBe('Kontostände lesenSalden und Umsätze der letzten 90 Tage');
    expect(texts[3]).toBe('urn:portal:unknown:scope');
  });

  it('[CON-4] does not allow refusing the scope openid', async () => {
    await showFixture('consent');
    const [openidRow] = listRows();
    expect(within(openidRow ?? document.body).queryByRole('checkbox')).toBeNull();
    expect(openidRow?.textContent).toContain('required');
  });

  it('isolates the values and the name of the account from the direction of the page', async () => {
    const page = await showFixture('consent-values', 'ar');
    expect([...page.querySelectorAll('dd bdi')].map(({ textContent }) => textContent)).toContain('maria.musterfrau@example.org');
    expect([...page.querySelectorAll('.account-chip bdi')].map(({ textContent }) => textContent)).toEqual([
      'Maria Musterfrau',
      'maria.musterfrau',
    ]);
  });

  it('[CON-5] denies with a form, or with a link if the server has sent an address for it', async () => {
    await showFixture('consent');
    expect(screen.getByRole('button', { name: 'Deny' }).getAttribute('formaction')).toBe('/consent/reject');
    cleanup();
    await showFixture('consent-redirect');
    expect(screen.getByRole('link', { name: 'Deny' }).getAttribute('href')).toContain('error=access_denied');
    expect(screen.queryByRole('button', { name: 'Deny' })).toBeNull();
  });

  it('[CON-5] denies with a link when the challenge has expired', async () => {
    await showFixture('consent-challenge-expired-refusal');
    expect(screen.getByRole('link', { name: 'Back to the app' }).getAttribute('href')).toContain('error=access_denied');
    expect(screen.getByRole('link', { name: 'Start again' })).toBeTruthy();
  });

  it('[CON-6] states that the consent failed and that nothing was shared', async () => {
    await showFixture('consent-challenge-expired');
    const alert = screen.getByRole('alert');
    expect(alert.dataset['code']).toBe('failed');
    expect(alert.querySelector('strong')?.textContent).toBe('Consent failed!');
    expect(alert.textContent).toContain('Nothing has been shared');
  });

  it('[CON-6] states that the request was already answered, and offers to continue before it offers a restart', async () => {
    await showFixture('consent-challenge-used');
    const alert = within(screen.getByRole('alert'));
    expect(screen.getByRole('alert').textContent).toContain('Your answer still stands');
    expect(screen.getByRole('alert').textContent).not.toContain('Nothing has been shared');
    expect(alert.getAllByRole('link').map((link) => link.textContent)).toEqual(['Go to sign-in', 'Start again']);
  });

  it.each(['missing', 'foreign', 'expired', 'used'])('[CON-6] offers no decision if the challenge is %s', async (fault) => {
    const page = await showFixture(`consent-challenge-${fault}`);
    expect(screen.getByRole('alert').querySelector('strong')?.textContent).toBe('Consent failed!');
    expect(page.querySelector('form')).toBeNull();
  });

  it('[CON-7] hides scopes and Allow when the app requests invalid scopes', async () => {
    const page = await showFixture('consent-invalid-scopes');
    const alert = screen.getByRole('alert');
    expect(alert.dataset['code']).toBe('invalid-scope-requested');
    expect(alert.querySelector('strong')?.textContent).toBe('The application requested invalid scopes!');
    expect(page.querySelector('[name=scopes]')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Allow' })).toBeNull();
    expect(page.querySelector('form')?.getAttribute('action')).toBe('/consent/reject');
  });

  it('shows the names of clients and scopes as text', async () => {
    const page = await showFixture('consent-hostile');
    expect(readHeading()).toContain('<policy>{{count}}</policy> $t(login.heading)');
    expect(page.querySelectorAll('script, policy, .rows b b')).toHaveLength(0);
    // The name is isolated, so that a reversed writing direction ends with the name.
    expect(screen.getByRole('heading', { level: 1 }).querySelector('bdi')?.textContent).toMatch(/\u202E/);
  });
});
