/** Switches the language of the page (I18-5). Two languages are links side by side; more than two are a list that opens without script. */
import { useTranslation } from 'react-i18next';
import type { LanguageLink } from '../../src/contract/page-state.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { keepUsername } from '../browser/kept-username.js';

export function LanguageSwitch({ links }: { links: readonly LanguageLink[] }) {
  const { t, i18n } = useTranslation();
  const currentLink = links.find(({ locale }) => locale === i18n.language);
  if (links.length < 2) return null;
  return (
    <nav aria-label={t('footer.language')}>
      {links.length === 2 || !currentLink ? (
        <LanguageList links={links} />
      ) : (
        <details>
          <summary>
            <MarkedPhrase
              i18nKey="footer.language_current"
              components={{ language: <bdi lang={currentLink.locale}>{currentLink.name}</bdi> }}
            />
          </summary>
          <LanguageList links={links} />
        </details>
      )}
    </nav>
  );
}

function LanguageList({ links }: { links: readonly LanguageLink[] }) {
  const { i18n } = useTranslation();
  return (
    <ul>
      {links.map(({ locale, url, name, dir }) => (
        <li key={locale}>
          <a
            href={url}
            lang={locale}
            dir={dir}
            hrefLang={locale}
            onClick={keepUsername}
            aria-current={locale === i18n.language ? 'true' : undefined}
          >
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}
