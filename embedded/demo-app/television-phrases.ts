/** The texts of the television in both languages. */
import type { SiteLanguage } from '../site/language.js';

const de = {
  title: 'Fernseher',
  off: {
    title: 'Ihre Verträge auf dem großen Bildschirm',
    text: 'Diese Seite stellt einen Fernseher dar: ein Gerät ohne Tastatur, auf dem niemand ein Passwort eintippen möchte.',
  },
  signIn: 'Anmelden',
  waiting: 'Auf dem Fernseher anmelden',
  open: 'Öffnen Sie auf Ihrem Telefon oder Computer',
  enter: 'Geben Sie diesen Code ein',
  caseCounts: 'Groß- und Kleinschreibung beachten.',
  allow: 'Melden Sie sich dort an und erlauben Sie den Zugriff',
  camera: 'Oder mit der Kamera öffnen',
  qrCode: 'QR-Code mit der Adresse und dem Code',
  remainingTime: (minutes: number) =>
    `Der Fernseher wartet. Der Code gilt noch ${minutes === 1 ? 'eine Minute' : `${minutes} Minuten`}.`,
  newCode: 'Neuer Code',
  signedIn: 'Dieser Fernseher ist angemeldet. Ihr Passwort hat er nie gesehen.',
  signOut: 'Vom Fernseher abmelden',
  back: 'Zurück',
  denied: { title: 'Der Zugriff wurde abgelehnt', text: 'Jemand hat diesen Code eingegeben und den Zugriff nicht erlaubt.' },
  expired: {
    title: 'Der Code ist abgelaufen',
    text: 'Der Fernseher wurde mit diesem Code nicht rechtzeitig angemeldet. Fordern Sie einen neuen an.',
  },
  failed: { title: 'Die Anmeldung kam nicht zustande', text: 'Der Anmeldedienst hat nicht wie erwartet geantwortet.' },
  unsupported: {
    title: 'Anmeldung mit Code nicht möglich',
    text: 'Diese Version von Hydra kann keine Geräte anmelden; das ist ab Version 25.4 möglich.',
  },
  busy: {
    title: 'Zu viele Fernseher warten',
    text: 'Die Demo-App kann derzeit keine weiteren Codes ausgeben. Bitte versuchen Sie es in ein paar Minuten noch einmal.',
  },
};

export type TelevisionPhrases = typeof de;

const en: TelevisionPhrases = {
  title: 'Television',
  off: {
    title: 'Your contracts on the big screen',
    text: 'This page represents a television: a device without a keyboard, on which nobody wants to type a password.',
  },
  signIn: 'Sign in',
  waiting: 'Sign in on the television',
  open: 'On your phone or computer, open',
  enter: 'Enter this code',
  caseCounts: 'The code is case-sensitive.',
  allow: 'Sign in there and allow access',
  camera: 'Or open it with the camera',
  qrCode: 'QR code with the address and the code',
  remainingTime: (minutes: number) =>
    `The television is waiting. The code is valid for another ${minutes === 1 ? 'minute' : `${minutes} minutes`}.`,
  newCode: 'New code',
  signedIn: 'This television is signed in. It has never seen your password.',
  signOut: 'Sign out of the television',
  back: 'Back',
  denied: { title: 'Access was denied', text: 'Somebody entered this code and did not allow access.' },
  expired: { title: 'The code has expired', text: 'The television was not signed in with this code in time. Request a new one.' },
  failed: { title: 'You could not be signed in', text: 'The sign-in service did not answer as expected.' },
  unsupported: {
    title: 'Sign-in with a code is not available',
    text: 'This version of Hydra cannot sign in devices; version 25.4 and later can.',
  },
  busy: {
    title: 'Too many televisions are waiting',
    text: 'The demo app cannot issue more codes at the moment. Please try again in a few minutes.',
  },
};

export function findTelevisionPhrases(language: SiteLanguage): TelevisionPhrases {
  return language === 'de' ? de : en;
}
