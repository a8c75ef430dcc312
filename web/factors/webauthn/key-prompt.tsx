/** The view shown while the browser waits for a security key. */
import { useTranslation } from 'react-i18next';
import '../../styles/account.css';

export function KeyPrompt() {
  const { t } = useTranslation();
  return (
    <div className="key-prompt needs-script">
      <svg viewBox="0 0 112 48" aria-hidden="true">
        <path d="M4 15h17v18H4zM10 21v.1M10 27v.1" />
        <rect className="body" x="21" y="8" width="56" height="32" rx="9" />
        <circle cx="50" cy="24" r="9" />
        <circle className="knob" cx="50" cy="24" r="5" />
        <path className="wave" d="M86 13a18 18 0 0 1 0 22" />
        <path className="wave" d="M94 7a28 28 0 0 1 0 34" />
      </svg>
      <p role="status">{t('factor.waiting')}</p>
    </div>
  );
}
