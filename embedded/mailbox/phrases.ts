/** All texts of the mailbox in both languages. */
import type { SiteLanguage } from '../site/language.js';

const de = {
  title: 'Postfach',
  about: 'Hier kommt an, was Foyer auf diesem Rechner verschickt. Nichts davon verlässt ihn.',
  noMail: 'Noch keine Post.',
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
  empty: 'Die Nachricht hat keinen Text.',
  gone: 'Diese Nachricht gibt es nicht (mehr).',
  fault: 'Das hat nicht geklappt.',
};

export type Phrases = typeof de;

const en: Phrases = {
  title: 'Mailbox',
  about: 'What Foyer sends on this machine arrives here. None of it leaves the machine.',
  noMail: 'No mail yet.',
  refresh: 'Refresh',
  pause: 'Refresh by itself: on',
  resume: 'Refresh by itself: off',
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
  empty: 'The message has no text.',
  gone: 'There is no such message (any more).',
  fault: 'That did not work.',
};

export function phrasesOf(language: SiteLanguage): Phrases {
  return language === 'de' ? de : en;
}
