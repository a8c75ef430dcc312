/** Legal links (GEN-5) and the language switch (I18-5). */
import { useTranslation } from 'react-i18next';
import type { AppState, FooterLink } from '../../src/contract/page-state.js';
import { LanguageSwitch } from './language-switch.js';

export function Footer({ app }: { app: AppState }) {
  const { t } = useTranslation();
  return (
    <footer className="foot">
      {app.footer_links.length > 0 && (
        <nav aria-label={t('footer.legal')}>
          <ul>
            {app.footer_links.map((link) => (
              <li key={link.id}>
                <LegalLink link={link} />
              </li>
            ))}
          </ul>
        </nav>
      )}
      {app.language_links && <LanguageSwitch links={app.language_links} />}
    </footer>
  );
}

function LegalLink({ link }: { link: FooterLink }) {
  const { t, i18n } = useTranslation();
  const name = t(`footer.${link.id}`);
  const isForeign = link.german_only && i18n.language !== 'de';
  return (
    <a href={link.url} hrefLang={isForeign ? 'de' : link.locale === i18n.language ? undefined : link.locale} rel="noreferrer">
      {isForeign ? t('footer.german_only', { link: name }) : name}
    </a>
  );
}
