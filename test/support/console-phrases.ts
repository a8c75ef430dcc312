/** Provides components of the console with its English phrases, without loading a module. */
import { readFileSync } from 'node:fs';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

export async function startConsolePhrases(): Promise<void> {
  const translation = JSON.parse(readFileSync('locales/console/en.json', 'utf8')) as Record<string, string>;
  const options = { keySeparator: false, nsSeparator: false, interpolation: { escapeValue: false } } as const;
  await i18next.use(initReactI18next).init({ ...options, lng: 'en', resources: { en: { translation } } });
}
