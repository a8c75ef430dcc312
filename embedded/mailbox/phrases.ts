/** All texts of the mailbox in both languages. */
import type { SiteLanguage } from '../site/language.js';

const de = {
  title: 'Postfach',
  demo: 'Demo',
  about: 'Hier kommt alles an, was Foyer auf diesem Rechner verschickt. Nichts davon verlässt den Rechner.',
  noMail: 'Noch keine Nachrichten.',
  refresh: 'Aktualisieren',
  pause: 'Automatisch aktualisieren: an',
  resume: 'Automatisch aktualisieren: aus',
  deleteAll: 'Alle löschen',
  back: 'Alle Nachrichten',
  noSubject: '(ohne Betreff)',
  from: 'Von',
  to: 'An',
  date: 'Datum',
  unread: 'ungelesen',
  attachments: 'Anhänge',
  views: { html: 'Gestaltet', text: 'Text', source: 'Quelltext' },
  viewsLabel: 'Ansicht',
  openSeparately: 'Nachricht auf einer eigenen Seite öffnen',
  empty: 'Die Nachricht hat keinen Text.',
  notFound: 'Diese Nachricht gibt es nicht oder nicht mehr.',
  error: 'Das hat nicht geklappt.',
};

export type Phrases = typeof de;

const en: Phrases = {
  title: 'Mailbox',
  demo: 'Demo',
  about: 'Everything that Foyer sends on this machine arrives here. Nothing leaves the machine.',
  noMail: 'No messages yet.',
  refresh: 'Refresh',
  pause: 'Refresh automatically: on',
  resume: 'Refresh automatically: off',
  deleteAll: 'Delete all',
  back: 'All messages',
  noSubject: '(no subject)',
  from: 'From',
  to: 'To',
  date: 'Date',
  unread: 'unread',
  attachments: 'Attachments',
  views: { html: 'Styled', text: 'Text', source: 'Source' },
  viewsLabel: 'View',
  openSeparately: 'Open the message on a page of its own',
  empty: 'The message has no text.',
  notFound: 'This message does not exist, or no longer exists.',
  error: 'That did not work.',
};

export function findPhrases(language: SiteLanguage): Phrases {
  return language === 'de' ? de : en;
}
