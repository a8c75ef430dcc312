/** The pages for an unknown address, for a page that the rights do not allow, and for an error in the console itself. */
import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useHasSession, useSession } from '../session/session-context.js';
import { PageHeading } from '../ui/page-heading.js';
import { RightList } from '../ui/right-name.js';
import { PlainPage } from './plain-page.js';

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <PlainPage>
      <PageHeading title={t('not_found.title')} />
      <p>{t('not_found.text')}</p>
      <Link to="/" className="button primary">
        {t('not_found.go')}
      </Link>
    </PlainPage>
  );
}

/** Inside the shell if only the page in it has failed: the operator may use other pages. */
export function CrashPage({ error }: ErrorComponentProps) {
  const isInShell = useHasSession();
  const content = <Crash error={error} />;
  return isInShell ? <div className="page narrow-page">{content}</div> : <PlainPage>{content}</PlainPage>;
}

function Crash({ error }: { error: unknown }) {
  const { t } = useTranslation();
  return (
    <>
      <PageHeading title={t('crash.title')} />
      <p>{t('crash.text')}</p>
      <button type="button" className="button primary" onClick={() => location.reload()}>
        {t('crash.reload')}
      </button>
      {error instanceof Error && (
        <p className="muted small">
          <code>{error.message}</code>
        </p>
      )}
    </>
  );
}

/** Shown inside the shell, because the operator may use other pages. */
export function NotAllowedPage() {
  const { t } = useTranslation();
  const { rights } = useSession();
  return (
    <div className="page narrow-page">
      <PageHeading title={t('not_allowed.title')} />
      <p>{t('not_allowed.text')}</p>
      <RightList rights={rights} />
    </div>
  );
}
