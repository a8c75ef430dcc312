/** Shows the pages of a signed-in operator; without a session, the page that leads to the sign-in or states what went wrong. */
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api-error.js';
import { setShownOperator } from '../api/send.js';
import { PlainPage } from '../shell/plain-page.js';
import { Shell } from '../shell/shell.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { Loading } from '../ui/load-state.js';
import { NoticeProvider } from '../ui/notice.js';
import { PageHeading } from '../ui/page-heading.js';
import { IdleWatch } from './idle-watch.js';
import { ProofDialog } from './proof-dialog.js';
import { SessionProvider } from './session-context.js';
import { buildSignInUrl, sessionQuery } from './session.js';

export function SessionGate() {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  if (session) {
    setShownOperator(session.operator.account_id);
    return (
      <SessionProvider value={session}>
        <NoticeProvider>
          <Shell>
            <Outlet />
          </Shell>
          <ProofDialog />
          <IdleWatch />
        </NoticeProvider>
      </SessionProvider>
    );
  }
  if (error === null) {
    return (
      <PlainPage>
        <Loading />
      </PlainPage>
    );
  }
  if (error instanceof ApiError && error.status === 401) return <SignInPage />;
  return <NoSessionPage error={error} onRetry={() => void refetch()} />;
}

function SignInPage() {
  const { t } = useTranslation();
  return (
    <PlainPage>
      <PageHeading title={t('sign_in.title')} />
      <p>{t('sign_in.text')}</p>
      <a className="button primary" href={buildSignInUrl(location.pathname + location.search)}>
        {t('sign_in.go')}
      </a>
    </PlainPage>
  );
}

function NoSessionPage({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <PlainPage>
      <PageHeading title={t('no_session.title')} />
      <FaultAlert error={error} onRetry={onRetry} />
    </PlainPage>
  );
}
