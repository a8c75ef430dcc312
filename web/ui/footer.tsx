/** Legal links (GEN-5) and the language switch (I18-5). */
import { useTranslation } from 'react-i18next';
import { LANGUAGES } from '../../src/contract/locale.js';
import type { AppState, FooterLink } from '../../src/contract/page-state.js';
import { keepUsername } from '../browser/kept-username.js';

export function Footer({ app }: { app: AppState }) {
  const { t, i18n } = useTranslation();
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
      {app.language_links && (
        <nav aria-label={t('footer.language')}>
          <ul>
            {app.language_links.map((link) => (
              <li key={link.locale}>
                <a
                  href={link.url}
                  lang={link.locale}
                  hrefLang={link.locale}
                  onClick={keepUsername}
                  aria-current={link.locale === i18n.language ? 'true' : undefined}
                >
                  {LANGUAGES[link.locale].name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </footer>
  );
}

function LegalLink({ link }: { link: FooterLink }) {
  const { t, i18n } = useTranslation();
  const name = t(`footer.${link.id}`);
  const foreign = link.german_only && i18n.language !== 'de';
  return (
    <a href={link.url} hrefLang={foreign ? 'de' : undefined} rel="noreferrer">
      {foreign ? t('footer.german_only', { link: name }) : name}
    </a>
  );
}
