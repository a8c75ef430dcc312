/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen, within } from '@testing-library/react';
import type { Locale } from '../../src/contract/locale.js';
import type { AppState } from '../../src/contract/page-state.js';
import { I18nextProvider } from 'react-i18next';
import { getI18n } from '../fixtures/shipped-i18n.js';
import { Shell } from './shell.js';

afterEach(cleanup);

const APP: AppState = {
  name: 'Haus Linde',
  login_address: 'https://login.example',
  footer_links: [
    { id: 'imprint', url: 'https://legal.example/imprint', german_only: false },
    { id: 'sfdr', url: 'https://legal.example/de/sfdr', german_only: true },
  ],
  language_links: [
    { locale: 'de', url: '?lng=de', name: 'Deutsch', dir: 'ltr' },
    { locale: 'en', url: '?lng=en', name: 'English', dir: 'ltr' },
  ],
};

function show(app: Partial<AppState>, locale: Locale = 'en') {
  render(
    <I18nextProvider i18n={getI18n(locale)}>
      <Shell app={{ ...APP, ...app }}>
        <h1>Page</h1>
      </Shell>
    </I18nextProvider>,
  );
}

describe('shell', () => {
  it('[GEN-5] links to the legal pages that have an address, and marks a German page on an English page', () => {
    show({});
    const legalLinks = within(screen.getByRole('navigation', { name: 'Legal' }));
    expect(legalLinks.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Imprint',
      'SFDR sustainability disclosure (German)',
    ]);
    expect(legalLinks.getByRole('link', { name: /German/ }).getAttribute('hreflang')).toBe('de');
    cleanup();
    show({}, 'de');
    const germanLink = screen.getByRole('link', { name: 'Nachhaltigkeit (SFDR)' });
    expect(germanLink.hasAttribute('hreflang')).toBe(false);
    cleanup();
    show({ footer_links: [] });
    expect(screen.queryByRole('navigation', { name: 'Legal' })).toBeNull();
  });

  it.each([
    ['en', ['Imprint', 'Privacy policy', 'Terms and conditions', 'SFDR sustainability disclosure']],
    ['de', ['Impressum', 'Datenschutz', 'AGB', 'Nachhaltigkeit (SFDR)']],
  ] as const)('[GEN-5] links to imprint, privacy policy, terms and SFDR disclosure, in this order (%s)', (locale, names) => {
    const ids = ['imprint', 'privacy', 'terms', 'sfdr'] as const;
    show({ footer_links: ids.map((id) => ({ id, url: `https://foyer.example/${id}`, german_only: false })) }, locale);
    const [legalNav] = screen.getAllByRole('navigation');
    const links = [...(legalNav?.querySelectorAll('a') ?? [])].map((link) => [link.textContent, link.getAttribute('href')]);
    expect(links).toEqual(names.map((name, index) => [name, `https://foyer.example/${ids[index] ?? ''}`]));
  });

  it('[GEN-6] links back to the app only if there is an address', () => {
    show({ return_to_url: 'https://portal.example/', return_to_name: 'Beispielportal' });
    expect(screen.getByRole('link', { name: 'Back to Beispielportal' }).getAttribute('href')).toBe('https://portal.example/');
    cleanup();
    show({ return_to_url: 'https://portal.example/' }, 'de');
    expect(screen.getByRole('link', { name: 'Zurück zur App' })).toBeTruthy();
    cleanup();
    show({});
    expect(within(screen.getByRole('banner')).queryByRole('link')).toBeNull();
  });

  it('[GEN-7] shows the name of the installation, or its logo with the name as alternative text', () => {
    show({});
    expect(screen.getByRole('banner').textContent).toContain('Haus Linde');
    cleanup();
    show({ logo_url: 'https://legal.example/logo.svg' });
    expect(screen.getByRole('img', { name: 'Haus Linde' }).getAttribute('src')).toBe('https://legal.example/logo.svg');
  });

  it('[LKS-2] shows the dark logo of the installation, if there is one, in the dark theme', () => {
    show({ logo_url: 'https://legal.example/logo.svg', logo_dark_url: 'https://legal.example/dark.svg' });
    const logo = screen.getByRole('img', { name: 'Haus Linde' });
    expect(logo.getAttribute('src')).toBe('https://legal.example/logo.svg');
    const source = logo.parentElement?.querySelector('source');
    expect([source?.getAttribute('media'), source?.getAttribute('srcset')]).toEqual([
      '(prefers-color-scheme: dark)',
      'https://legal.example/dark.svg',
    ]);
  });

  it('[I18-5] offers each language by its own name and marks the current language', () => {
    show({}, 'de');
    const languages = within(screen.getByRole('navigation', { name: 'Sprache' })).getAllByRole('link');
    expect(languages.map((link) => [link.textContent, link.lang, link.getAttribute('aria-current')])).toEqual([
      ['Deutsch', 'de', 'true'],
      ['English', 'en', null],
    ]);
  });

  it('[I18-5] [I18-8] offers more than two languages as a list that opens without script, each in its own direction', () => {
    const arabicLink = { locale: 'ar', url: '?lng=ar', name: 'العربية', dir: 'rtl' } as const;
    show({ language_links: [...(APP.language_links ?? []), arabicLink] }, 'de');
    const nav = screen.getByRole('navigation', { name: 'Sprache' });
    expect(nav.querySelector('details > summary')?.textContent).toBe('Sprache: Deutsch');
    const links = [...nav.querySelectorAll<HTMLAnchorElement>('details a')];
    expect(links.map((link) => [link.textContent, link.lang, link.dir, link.getAttribute('aria-current')])).toEqual([
      ['Deutsch', 'de', 'ltr', 'true'],
      ['English', 'en', 'ltr', null],
      ['العربية', 'ar', 'rtl', null],
    ]);
  });

  it('offers no choice of language if there is only one', () => {
    show({ language_links: (APP.language_links ?? []).slice(0, 1) });
    expect(screen.queryByRole('navigation', { name: 'Language' })).toBeNull();
  });

  it('[I18-3] offers no choice of language if the installation uses only the language of the browser', () => {
    const { language_links: _links, ...app } = APP;
    render(
      <I18nextProvider i18n={getI18n('en')}>
        <Shell app={app}>{null}</Shell>
      </I18nextProvider>,
    );
    expect(screen.queryByRole('navigation', { name: 'Language' })).toBeNull();
  });
});
