/** The state of the installation and its operators, health first. Each part is a page of its own. */
import { Link, Navigate, Outlet, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { PhraseKey } from '../i18n/i18n.js';
import { useSession } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { Fold } from '../ui/fold.js';

const PARTS = [
  { to: '/installation/health', label: 'installation.health', operation: 'operatorHealth.health' },
  { to: '/installation/mails', label: 'installation.mails', operation: 'mails.list' },
  { to: '/installation/events', label: 'installation.events', operation: 'sinks.list' },
  { to: '/installation/sources', label: 'installation.sources', operation: 'sources.list' },
  { to: '/installation/doctor', label: 'installation.doctor', operation: 'doctor.run' },
  { to: '/installation/settings', label: 'installation.settings', operation: 'settings.list' },
  { to: '/installation/operators', label: 'installation.operators', operation: 'operators.list' },
  { to: '/installation/sessions', label: 'installation.sessions', operation: 'operators.sessions' },
] as const satisfies readonly { to: string; label: PhraseKey; operation: string }[];

function useParts() {
  const { operations } = useSession();
  return PARTS.filter(({ operation }) => operations.includes(operation));
}

export function InstallationPage() {
  const parts = useParts();
  return (
    <div className="page">
      {parts.length > 1 && <Parts parts={parts} />}
      <Outlet />
    </div>
  );
}

/** On a phone the list of the parts opens below the name of the current part. */
function Parts({ parts }: { parts: ReturnType<typeof useParts> }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const currentPart = parts.find(({ to }) => pathname.endsWith(to));
  return (
    <nav className="parts" aria-label={t('nav.installation')}>
      {/* Opening another part closes the list again. */}
      <Fold key={currentPart?.to} className="tabs" label={t(currentPart?.label ?? 'nav.installation')}>
        {parts.map(({ to, label }) => (
          <Link key={to} to={to} className="tab">
            {t(label)}
          </Link>
        ))}
      </Fold>
    </nav>
  );
}

export function InstallationStart() {
  const [firstPart] = useParts();
  return firstPart ? <Navigate to={firstPart.to} replace /> : <NotAllowedPage />;
}
