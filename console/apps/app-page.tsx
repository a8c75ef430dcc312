/** Everything about one app on one page, and what can be done with it. */
import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api-error.js';
import type { Client } from '../api/calls.js';
import { clientPeopleQuery, clientQuery } from '../api/queries.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { CopyButton } from '../ui/copy-button.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { BackIcon, DangerIcon, EditIcon, InfoIcon, KeyIcon, TrashIcon } from '../ui/icons.js';
import { Loading } from '../ui/load-state.js';
import { PageHeading } from '../ui/page-heading.js';
import { Tag } from '../ui/tag.js';
import { UserText } from '../ui/user-text.js';
import { toVisibleText } from '../ui/visible-text.js';
import { ChangeAppDialog, DeleteAppDialog, RotateSecretDialog } from './app-dialogs.js';
import { AppFacts } from './app-facts.js';
import { AppPeople } from './app-people.js';
import { AppPreview } from './app-preview.js';
import { SecretTag } from './apps-page.js';

const route = getRouteApi('/gate/apps/$client');

export function AppPage() {
  const { client: id } = route.useParams();
  const isAllowed = useAllowed();
  return isAllowed('clients.show') ? <App id={id} key={id} /> : <NotAllowedPage />;
}

function App({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data: client, error, refetch } = useQuery(clientQuery(id));
  if (error instanceof ApiError && error.status === 404) return <NoAppPage id={id} />;
  if (client) return <LoadedApp client={client} error={error} onRetry={() => void refetch()} />;
  return (
    <div className="page">
      {error === null ? (
        <Loading />
      ) : (
        <>
          <PageHeading title={t('apps.failed')} />
          <FaultAlert error={error} onRetry={() => void refetch()} />
        </>
      )}
    </div>
  );
}

function NoAppPage({ id }: { id: string }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  return (
    <div className="page narrow-page">
      <PageHeading title={t('apps.not_found')} />
      <p>{t('apps.not_found_text')}</p>
      <p className="row wrap">
        <Link to="/apps" search={{}} className="button primary">
          {t('apps.back')}
        </Link>
        {isAllowed('audit.ofAll') && (
          <Link to="/activity" search={{ client: id }} className="button">
            {t('apps.events')}
          </Link>
        )}
      </p>
    </div>
  );
}

type DialogName = 'change' | 'rotate' | 'delete';

function LoadedApp({ client, error, onRetry }: { client: Client; error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const close = (): void => setDialog(null);
  return (
    <div className="page">
      <Link to="/apps" search={{}} className="back">
        <BackIcon /> {t('nav.apps')}
      </Link>
      <AppHead client={client} />
      {error !== null && <FaultAlert error={error} onRetry={onRetry} />}
      {client.is_own && (
        <div className="alert">
          <InfoIcon />
          <p>{t('apps.own')}</p>
        </div>
      )}
      {client.foyer_faults.length > 0 && <Faults faults={client.foyer_faults} />}
      {!client.is_own && isAllowed('clients.change') && <AppActions client={client} onChoose={setDialog} />}
      <div className="person">
        <div className="person-main">
          {isAllowed('clients.preview') && <AppPreview client={client} />}
          {isAllowed('clients.people') && <AppPeople client={client} />}
        </div>
        <aside className="person-side" aria-label={t('apps.facts')}>
          <AppFacts client={client} />
        </aside>
      </div>
      {dialog === 'change' && <ChangeAppDialog client={client} onClose={close} />}
      {dialog === 'rotate' && <RotateSecretDialog client={client} onClose={close} />}
      {dialog === 'delete' && <DeleteAppDialog client={client} onClose={close} />}
    </div>
  );
}

/** The faults, which the server describes in English. */
function Faults({ faults }: { faults: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <div className="alert warning">
      <DangerIcon />
      <div className="alert-text">
        <strong>{t('apps.faults')}</strong>
        <ul lang="en">
          {faults.map((fault) => (
            <li key={fault}>
              <UserText text={fault} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function AppHead({ client: { client_id: id, client_name: name, is_public: isPublic } }: { client: Client }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  // The panel with the people sends the same query. `skip_consent` alone does not decide whether people are asked.
  const { data: firstPeople } = useQuery({ ...clientPeopleQuery(id, undefined), enabled: isAllowed('clients.people') });
  return (
    <div className="person-head">
      <div className="person-name">
        <PageHeading title={toVisibleText(name || id)}>
          <UserText text={name || id} />
        </PageHeading>
      </div>
      <div className="tags">
        <SecretTag isPublic={isPublic} />
        {firstPeople?.is_trusted === true && <Tag>{t('apps.trusted')}</Tag>}
      </div>
      <p className="person-id">
        <code>
          <UserText text={id} />
        </code>{' '}
        <CopyButton isIcon text={id} label={t('apps.copy_id')} />
      </p>
    </div>
  );
}

function AppActions({ client, onChoose }: { client: Client; onChoose(dialog: DialogName): void }) {
  const { t } = useTranslation();
  return (
    <div className="row wrap">
      <button type="button" className="button" data-action="change-app" onClick={() => onChoose('change')}>
        <EditIcon /> {t('apps.change')}
      </button>
      {!client.is_public && (
        <button type="button" className="button" data-action="rotate-secret" onClick={() => onChoose('rotate')}>
          <KeyIcon /> {t('apps.rotate')}
        </button>
      )}
      <button type="button" className="button" data-action="delete-app" onClick={() => onChoose('delete')}>
        <TrashIcon /> {t('apps.delete')}
      </button>
    </div>
  );
}
