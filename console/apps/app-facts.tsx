/** The registration of an app. */
import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Client } from '../api/calls.js';
import { useAllowed } from '../session/session-context.js';
import { Moment } from '../ui/moment.js';
import { Panel } from '../ui/panel.js';
import { UserText } from '../ui/user-text.js';
import { LISTS, TEXTS } from './app-form.js';
import { ClaimValue } from './claim-list.js';

export function AppFacts({ client }: { client: Client }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const { foyer, created_at: createdAt, updated_at: updatedAt } = client;
  return (
    <Panel title={t('apps.facts')}>
      <dl className="fact-list stacked">
        {LISTS.map((name) => (
          <Fact key={name} label={t(`apps.field_${name}`)} values={client[name]} />
        ))}
        {TEXTS.filter((name) => name !== 'client_name').map((name) => (
          <Fact key={name} label={t(`apps.field_${name}`)} values={client[name] === '' ? [] : [client[name]]} />
        ))}
        <Fact label={t('apps.audience')} values={client.audience} />
        <Fact label={t('apps.grant_types')} values={client.grant_types} />
        <Fact label={t('apps.auth_method')} values={[client.token_endpoint_auth_method]} />
        {Object.keys(foyer).length > 0 && (
          <Row label={t('apps.settings')}>
            <ClaimValue name="foyer" value={foyer} />
          </Row>
        )}
        {createdAt !== null && (
          <Row label={t('people.created')}>
            <Moment at={createdAt} isFirst />
          </Row>
        )}
        {updatedAt !== null && (
          <Row label={t('facts.changed')}>
            <Moment at={updatedAt} isFirst />
          </Row>
        )}
      </dl>
      {isAllowed('audit.ofAll') && (
        <p className="panel-text">
          <Link to="/activity" search={{ client: client.client_id }}>
            {t('apps.events')}
          </Link>
        </p>
      )}
    </Panel>
  );
}

/** Shows addresses as text, not as links, because the owner of the app wrote them. */
function Fact({ label, values }: { label: string; values: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <Row label={label}>
      {values.length === 0 && <span className="muted">{t('facts.none')}</span>}
      {values.length === 1 && <UserText text={values[0] ?? ''} />}
      {values.length > 1 && (
        <ul>
          {values.map((value) => (
            <li key={value}>
              <UserText text={value} />
            </li>
          ))}
        </ul>
      )}
    </Row>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
