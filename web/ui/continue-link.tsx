/** The link that leaves a page: back to the app, otherwise to the start page of the installation. Without an address it renders nothing. */
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../src/contract/page-state.js';
import type { MessageKey } from '../i18n/phrase.js';
import { toBackPhrase } from './header.js';

interface Props {
  app: AppState;
  /** Smaller, for use in an alert. */
  compact?: boolean;
  /** The main action of the page. */
  isPrimary?: boolean;
  homeLabel?: MessageKey;
}

export function ContinueLink({ app, compact = false, isPrimary = false, homeLabel = 'app.go_to_sign_in' }: Props) {
  const { t } = useTranslation();
  const className = ['btn', compact && 'compact', isPrimary && 'primary'].filter(Boolean).join(' ');
  if (app.return_to_url) {
    return (
      <a className={className} href={app.return_to_url} rel="noreferrer">
        {t(...toBackPhrase(app))}
      </a>
    );
  }
  if (!app.home_url) return null;
  return (
    <a className={className} href={app.home_url}>
      {t(homeLabel)}
    </a>
  );
}
