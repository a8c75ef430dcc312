/** What runs and who runs it: operators, their sessions, health. Each part is a page of its own. */
import { Link, Navigate, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { PhraseKey } from '../i18n/i18n.js';
import { useSession } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';

const PARTS = [
  { to: '/installation/operators', label: 'installation.operators', operation: 'operators.list' },
  { to: '/installation/sessions', label: 'installation.sessions', operation: 'operators.sessions' },
  { to: '/installation/health', label: 'installation.health', operation: 'operatorHealth.health' },
  { to: '/installation/mails', label: 'installation.mails', operation: 'mails.list' },
  { to: '/installation/sources', label: 'installation.sources', operation: 'sources.list' },
  { to: '/installation/doctor', label: 'installation.doctor', operation: 'doctor.run' },
  { to: '/installation/settings', label: 'installation.settings', operation: 'settings.list' },
] as const satisfies readonly { to: string; label: PhraseKey; operation: string }[];

function useParts() {
  const { operations } = useSession();
  return PARTS.filter(({ operation }) => operations.includes(operation));
}

export function InstallationPage() {
  const { t } = useTranslation();
  const parts = useParts();
  return (
    <div className="page">
      {parts.length > 1 && (
        <nav className="tabs" aria-label={t('nav.installation')}>
          {parts.map(({ to, label }) => (
            <Link key={to} to={to} className="tab">
              {t(label)}
            </Link>
          ))}
        </nav>
      )}
      <Outlet />
    </div>
  );
}

export function InstallationStart() {
  const [first] = useParts();
  return first ? <Navigate to={first.to} replace /> : <NotAllowedPage />;
}
