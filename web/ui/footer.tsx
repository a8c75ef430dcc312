/** The quiet line below: legal links (GEN-5) and the language switch (I18-5). */
import type { Locale } from '../../src/contract/locale.js';
import type { AppState, FooterLink } from '../../src/contract/page-state.js';
import { phrase } from '../phrases/phrase.js';
import { usePhrases } from '../phrases/say.js';

/** Each language by its own name, whatever the page speaks. */
const LANGUAGE_NAMES: Record<Locale, string> = { de: 'Deutsch', en: 'English' };

export function Footer({ app }: { app: AppState }) {
  const { locale, text } = usePhrases();
  return (
    <footer className="foot">
      {app.footer_links.length > 0 && (
        <nav aria-label={text('footer.legal')}>
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
        <nav aria-label={text('footer.language')}>
          <ul>
            {app.language_links.map((link) => (
              <li key={link.locale}>
                <a
                  href={link.url}
                  lang={link.locale}
                  hrefLang={link.locale}
                  aria-current={link.locale === locale ? 'true' : undefined}
                >
                  {LANGUAGE_NAMES[link.locale]}
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
  const { locale, text } = usePhrases();
  const name = text(`footer.${link.id}`);
  const foreign = link.german_only && locale !== 'de';
  return (
    <a href={link.url} hrefLang={foreign ? 'de' : undefined} rel="noreferrer">
      {foreign ? text(phrase('footer.german_only', { link: name })) : name}
    </a>
  );
}
