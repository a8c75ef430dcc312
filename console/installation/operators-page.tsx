/** Who may use the console, with which rights, and until when. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Operator, OperatorRight } from '../api/calls.js';
import { operatorsQuery } from '../api/queries.js';
import { useAllowed, useSession } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { PlusIcon } from '../ui/icons.js';
import { Initials } from '../ui/initials.js';
import { ListState } from '../ui/load-state.js';
import { Moment } from '../ui/moment.js';
import { PageHeading } from '../ui/page-heading.js';
import { Pager } from '../ui/pager.js';
import { Phrase } from '../ui/phrase.js';
import { RightName, useRightName } from '../ui/right-name.js';
import { RowButton } from '../ui/row-button.js';
import { UserText } from '../ui/user-text.js';
import { nameActor } from '../activity/actor-name.js';
import { StatusTag } from '../people/status-tags.js';
import { GrantDialog, RevokeDialog } from './rights-dialogs.js';
import { PersonLink } from './person-link.js';

const route = getRouteApi('/gate/installation/operators');

export function OperatorsPage() {
  const isAllowed = useAllowed();
  return isAllowed('operators.list') ? <Operators /> : <NotAllowedPage />;
}

interface Revoking {
  operator: Operator;
  right: string;
}

function Operators() {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const { cursor } = route.useSearch();
  const { data, error, refetch } = useQuery(operatorsQuery(cursor));
  const [isGranting, setIsGranting] = useState(false);
  const [revoking, setRevoking] = useState<Revoking | null>(null);
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
          <OperatorCard key={operator.account_id} operator={operator} onRevoke={(right) => setRevoking({ operator, right })} />
        ))}
      </ListState>
      <Pager to="/installation/operators" filters={{ cursor }} next={data?.next_cursor} />
      {isGranting && <GrantDialog onClose={() => setIsGranting(false)} />}
      {revoking && <RevokeDialog operator={revoking.operator} right={revoking.right} onClose={() => setRevoking(null)} />}
    </>
  );
}

function OperatorCard({ operator, onRevoke }: { operator: Operator; onRevoke(right: string): void }) {
  const { account_id: id, display_name: name, username, status, rights } = operator;
  const { operator: own } = useSession();
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
      <ul className="items">
        {rights.map((right) => (
          <RightItem
            key={`${right.right} ${right.by}`}
            right={right}
            onRevoke={() => onRevoke(right.right)}
            username={username}
            isOwn={id === own.account_id}
          />
        ))}
      </ul>
    </section>
  );
}

interface RightItemProps {
  right: OperatorRight;
  username: string;
  isOwn: boolean;
  onRevoke(): void;
}

function RightItem({
  right: { right, by, granted_at: at, granted_by: grantor, ends_at: endsAt, reason },
  username,
  isOwn,
  onRevoke,
}: RightItemProps) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const nameRight = useRightName();
  return (
    <li>
      <div className="item-text">
        <b>
          <RightName right={right} />
        </b>
        <p className="muted">
          {by === 'setting' && t('operators.by_setting')}
          {by === 'grant' && (
            <Phrase
              phrase="operators.by_grant"
              values={{ time: at === null ? '–' : <Moment at={at} />, name: <UserText text={nameActor(grantor, t)} /> }}
            />
          )}
          {endsAt !== null && (
            <>
              {' · '}
              <Phrase phrase="sessions.ends" values={{ time: <Moment at={endsAt} /> }} />
            </>
          )}
        </p>
        {reason !== null && (
          <p className="event-reason">
            <Phrase phrase="event_reason" values={{ reason: <UserText text={reason} /> }} />
          </p>
        )}
      </div>
      {by === 'grant' && !isOwn && isAllowed('operators.revoke') && (
        <RowButton action="revoke" text={t('operators.revoke')} label={`${nameRight(right)}, ${username}`} onClick={onRevoke} />
      )}
    </li>
  );
}
