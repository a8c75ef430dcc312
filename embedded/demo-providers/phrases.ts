/** The texts of the demo providers' pages in both languages, and the choice of the language. */
import { chooseLanguage, type SiteLanguage } from '../site/language.js';
import type { SiteRequest } from '../site/read-request.js';

const de = {
  title: 'Demo-Anbieter',
  demo: 'Demo',
  about: 'Diese Anbieter simulieren auf diesem Rechner Google, Microsoft, Apple und eine Firma, gehören aber nicht zu ihnen.',
  choose: (provider: string) => `Mit ${provider} anmelden`,
  chooseText: 'Welche dieser erfundenen Personen sind Sie? Ein Passwort ist nicht nötig.',
  cancel: 'Abbrechen',
  firstConsent: 'Beim ersten Mal übermittelt Apple der App Ihren Namen.',
  redirecting: 'Sie werden weitergeleitet …',
  proceed: 'Weiter',
  notice: 'Diese Anfrage kann nicht beantwortet werden.',
  noticeText: (provider: string) => `${provider} lehnt die Anfrage ab:`,
  people: 'Personen',
  idAt: (provider: string) => `Kennung bei ${provider}`,
  faults: 'Fehler zum Ausprobieren',
  faultsText:
    'Was ein Anbieter falsch machen kann. Sie können für jeden Anbieter einen Fehler einschalten; er bleibt, bis Sie ihn ausschalten.',
  none: 'keiner',
  apply: 'Übernehmen',
  roll: 'Schlüssel tauschen',
  forget: 'Zustimmungen vergessen',
  back: 'Zur Übersicht',
  error: 'Das hat nicht geklappt.',
};

export type Phrases = typeof de;

const en: Phrases = {
  title: 'Demo providers',
  demo: 'Demo',
  about: 'These providers simulate Google, Microsoft, Apple and a company on this machine, but do not belong to them.',
  choose: (provider: string) => `Sign in with ${provider}`,
  chooseText: 'Which of these made-up people are you? No password is needed.',
  cancel: 'Cancel',
  firstConsent: 'The first time, Apple sends your name to the app.',
  redirecting: 'Taking you back …',
  proceed: 'Continue',
  notice: 'This request cannot be answered.',
  noticeText: (provider: string) => `${provider} refuses the request:`,
  people: 'People',
  idAt: (provider: string) => `ID at ${provider}`,
  faults: 'Faults to try',
  faultsText: 'What a provider can do wrong. You can turn on one fault for each provider; it stays on until you turn it off.',
  none: 'none',
  apply: 'Apply',
  roll: 'Change keys',
  forget: 'Forget consents',
  back: 'Overview',
  error: 'That did not work.',
};

export function findPhrases(language: SiteLanguage): Phrases {
  return language === 'de' ? de : en;
}

/** The language that the client requests comes first, because the person uses the client in that language. */
export function toLanguage(request: SiteRequest | null): SiteLanguage {
  const tag = request?.url.searchParams.get('ui_locales') ?? request?.url.searchParams.get('hl');
  return chooseLanguage(tag?.slice(0, 2), request?.headers['accept-language']);
}
