/** The name or logo of the installation, and the link back to the app (GEN-6). */
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../src/contract/page-state.js';
import { phrase, type Phrase } from '../i18n/phrase.js';
import { ThemedImage } from './themed-image.js';

export function Header({ app }: { app: AppState }) {
  const { t } = useTranslation();
  return (
    <header className="top">
      <span className="brand">
        {app.logo_url ? (
          <ThemedImage darkUrl={app.logo_dark_url}>
            <img src={app.logo_url} alt={app.name} />
          </ThemedImage>
        ) : (
          <>
            <Door /> {app.name}
          </>
        )}
      </span>
      {app.return_to_url && (
        <a className="back" href={app.return_to_url} rel="noreferrer">
          {t(...toBackPhrase(app))}
        </a>
      )}
    </header>
  );
}

/** The text of the links to `return_to_url`. */
export function toBackPhrase(app: AppState): Phrase {
  return app.return_to_name ? phrase('app.back_to', { name: app.return_to_name }) : phrase('app.back');
}

const Door = () => (
  <svg viewBox="3 2.5 18 24" aria-hidden="true">
    <path className="door" d="M3 26.5V12a9 9 0 0 1 18 0v14.5Z" />
    <circle className="knob" cx="16.5" cy="17" r="1.6" />
  </svg>
);
