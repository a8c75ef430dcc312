/** Who may use the console, with which rights, and until when. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Operator } from '../api/calls.js';
import { operatorsQuery } from '../api/queries.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { PlusIcon } from '../ui/icons.js';
import { Initials } from '../ui/initials.js';
import { ListState } from '../ui/load-state.js';
import { PageHeading } from '../ui/page-heading.js';
import { Pager } from '../ui/pager.js';
import { UserText } from '../ui/user-text.js';
import { StatusTag } from '../people/status-tags.js';
import { GrantDialog, RevokeDialog } from './rights-dialogs.js';
import { OperatorRights } from './operator-rights.js';
import { PersonLink } from './person-link.js';

const route = getRouteApi('/gate/installation/operators');

export function OperatorsPage() {
  const isAllowed = useAllowed();
  return isAllowed('operators.list') ? <Operators /> : <NotAllowedPage />;
}

interface Revocation {
  operator: Operator;
  right: string;
}

function Operators() {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const { cursor } = route.useSearch();
  const { data, error, refetch } = useQuery(operatorsQuery(cursor));
  const [isGranting, setIsGranting] = useState(false);
  const [revocation, setRevocation] = useState<Revocation | null>(null);
  return (
    <>
      <div className="page-head">
        <PageHeading title={t('installation.operators')} />
        {isAllowed('operators.grant') && (
          <button type="button" className="button primary" data-action="grant" onClick={() => setIsGranting(true)}>
            <PlusIcon /> {t('operators.grant')}
          </button>
        )}
      </div>
      <ListState error={error} onRetry={() => void refetch()} rows={data?.operators} none={t('operators.none')}>
        {data?.operators.map((operator) => (
          <OperatorCard key={operator.account_id} operator={operator} onRevoke={(right) => setRevocation({ operator, right })} />
        ))}
      </ListState>
      <Pager to="/installation/operators" filters={{ cursor }} nextCursor={data?.next_cursor} />
      {isGranting && <GrantDialog onClose={() => setIsGranting(false)} />}
      {revocation && <RevokeDialog operator={revocation.operator} right={revocation.right} onClose={() => setRevocation(null)} />}
    </>
  );
}

function OperatorCard({ operator, onRevoke }: { operator: Operator; onRevoke(right: string): void }) {
  const { account_id: id, display_name: name, username, status } = operator;
  return (
    <section className="panel" aria-labelledby={`operator-${id}`}>
      <div className="panel-head">
        <div className="who">
          <Initials name={name} />
          <h2 id={`operator-${id}`} tabIndex={-1}>
            <PersonLink id={id} name={name} />
          </h2>
          <span className="muted">
            <UserText text={username} />
          </span>
        </div>
        {status !== 'active' && <StatusTag status={status} />}
      </div>
      <OperatorRights operator={operator} onRevoke={onRevoke} />
    </section>
  );
}
