/** The texts of the registration service in both languages. The compiler checks that both have the same keys, except in `faults`. */
import type { SiteLanguage } from '../site/language.js';

const de = {
  name: 'Registrierung',
  demo: 'Demo',
  footer: 'Dieser Registrierungsdienst ist erfunden: ein kleines Programm, wie Sie selbst eines anschließen würden.',
  heading: 'Neues Konto',
  lead: (client: string) => `Mit diesem Konto melden Sie sich bei ${client} an. Danach geht es dort weiter.`,
  invitation: (code: string) => `Ihre Einladung: „${code}“`,
  username: 'Benutzername',
  usernameHint: '3 bis 64 Zeichen: Buchstaben, Ziffern und . _ - + @',
  displayName: 'Name',
  email: 'E-Mail (freiwillig)',
  emailHint:
    'Mit „Passwort vergessen?“ auf der Anmeldeseite fordern Sie einen Link an diese Adresse an, mit dem Sie ein Passwort festlegen.',
  submit: 'Konto anlegen',
  cancel: 'Zurück zur Anmeldung',
  faults: {
    'username-taken': 'Dieser Benutzername ist vergeben. Bitte wählen Sie einen anderen.',
    'email-taken': 'Diese Adresse gehört zu einem anderen Konto. Bitte verwenden Sie eine andere.',
    reserved: 'Dieser Benutzername kann nicht verwendet werden. Bitte wählen Sie einen anderen.',
    missing: 'Bitte füllen Sie dieses Feld aus.',
    'too-short': 'Das ist zu kurz.',
    'too-long': 'Das ist zu lang.',
    characters: 'Das enthält Zeichen, die hier nicht erlaubt sind.',
    format: 'Bitte prüfen Sie die Schreibweise.',
  } as Readonly<Record<string, string>>,
  otherFault: 'Das wurde nicht angenommen. Bitte prüfen Sie Ihre Angaben.',
  stale: 'Diese Registrierung ist nicht mehr gültig',
  staleText: 'Bitte beginnen Sie noch einmal in der App, aus der Sie gekommen sind.',
  broken: 'Das hat nicht geklappt',
  brokenText: 'Bitte versuchen Sie es in einem Moment noch einmal.',
};

export type Phrases = typeof de;

const en: Phrases = {
  name: 'Registration',
  demo: 'Demo',
  footer: 'This registration service is made up: a small program like one that you would connect yourself.',
  heading: 'New account',
  lead: (client) => `You will use this account to sign in to ${client}, where you continue afterwards.`,
  invitation: (code) => `Your invitation: “${code}”`,
  username: 'Username',
  usernameHint: '3 to 64 characters: letters, digits and . _ - + @',
  displayName: 'Name',
  email: 'E-mail (optional)',
  emailHint: 'With “Forgot password?” on the sign-in page, you request a link to this address that lets you set a password.',
  submit: 'Create account',
  cancel: 'Back to sign-in',
  faults: {
    'username-taken': 'This username is taken. Please choose another one.',
    'email-taken': 'This address belongs to another account. Please use another one.',
    reserved: 'This username cannot be used. Please choose another one.',
    missing: 'Please fill in this field.',
    'too-short': 'This is too short.',
    'too-long': 'This is too long.',
    characters: 'This contains characters that cannot be used here.',
    format: 'Please check the spelling.',
  },
  otherFault: 'This was not accepted. Please check what you entered.',
  stale: 'This registration is no longer valid',
  staleText: 'Please start again in the app that you came from.',
  broken: 'That did not work',
  brokenText: 'Please try again in a moment.',
};

export function findPhrases(language: SiteLanguage): Phrases {
  return language === 'de' ? de : en;
}
