/** The preferences that this browser stores: language and theme. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { THEMES, chooseTheme, readTheme, type Theme } from '../browser/theme.js';
import { showLanguage } from '../i18n/i18n.js';
import { LANGUAGES, LANGUAGE_NAMES, storeLanguage, type ConsoleLanguage } from '../i18n/languages.js';
import { Choice } from '../ui/choice.js';

export function LanguageChoice() {
  const { t, i18n } = useTranslation();
  const choose = (language: ConsoleLanguage): void => {
    storeLanguage(language);
    // After an update, the file of the other language may be gone. The reloaded page has the new file.
    showLanguage(language).catch(() => location.reload());
  };
  return (
    <Choice
      label={t('menu.language')}
      options={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language], lang: language }))}
      value={LANGUAGES.find((language) => language === i18n.language) ?? 'en'}
      onChange={choose}
    />
  );
}

export function ThemeChoice() {
  const { t } = useTranslation();
  const [theme, setTheme] = useState(readTheme);
  const choose = (newTheme: Theme): void => {
    chooseTheme(newTheme);
    setTheme(newTheme);
  };
  const names = { system: t('menu.theme_system'), light: t('menu.theme_light'), dark: t('menu.theme_dark') };
  return (
    <Choice
      label={t('menu.theme')}
      options={THEMES.map((value) => ({ value, label: names[value] }))}
      value={theme}
      onChange={choose}
    />
  );
}
