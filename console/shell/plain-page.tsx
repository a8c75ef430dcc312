/** A page without navigation: the name of the product, one card, and the choice of the language. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DoorMark } from '../ui/icons.js';
import { LanguageChoice } from './preferences.js';

export function PlainPage({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className="plain">
      <header className="plain-head">
        <span className="brand">
          <DoorMark /> Foyer <span className="brand-part">{t('app.console')}</span>
        </span>
      </header>
      <main className="plain-card">{children}</main>
      <footer className="plain-foot">
        <LanguageChoice />
      </footer>
    </div>
  );
}
