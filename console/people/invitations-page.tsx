/** The invitations to create an account: the list, and the dialogs that invite, resend and withdraw. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Invitation } from '../api/calls.js';
import { nameActor } from '../activity/actor-name.js';
import { invitationsQuery } from '../api/queries.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { DataTable, type Columns } from '../ui/data-table.js';
import { FilterSelect } from '../ui/filter-select.js';
import { ListState } from '../ui/load-state.js';
import { Moment } from '../ui/moment.js';
import { PageHeading } from '../ui/page-heading.js';
import { Pager } from '../ui/pager.js';
import { Phrase } from '../ui/phrase.js';
import { RowButton } from '../ui/row-button.js';
import { Tag } from '../ui/tag.js';
import { UserText } from '../ui/user-text.js';
import { InviteDialog, InviteFileDialog, ResendDialog, WithdrawDialog } from './invitation-dialogs.js';
import { INVITATION_STATES, isInvitationState, type InvitationFilters } from './invitation-filters.js';

const route = getRouteApi('/gate/people/invitations');

type DialogState = { kind: 'invite' | 'file' } | { kind: 'resend' | 'withdraw'; invitation: Invitation } | null;

export function InvitationsPage() {
  const isAllowed = useAllowed();
  return isAllowed('invitations.list') ? <Invitations /> : <NotAllowedPage />;
}

function Invitations() {
  const { t } = useTranslation();
  const filters = route.useSearch();
  const { data, error, isPlaceholderData, refetch } = useQuery(invitationsQuery(filters));
  const [dialog, setDialog] = useState<DialogState>(null);
  return (
    <div className="page">
      <div className="page-head">
        <PageHeading title={t('invitations.title')} />
        <InviteButtons onOpen={setDialog} />
      </div>
      <p className="muted">{t('invitations.text')}</p>
      <StateFilter filters={filters} />
      <ListState
        error={error}
        onRetry={() => void refetch()}
        rows={error === null ? data?.invitations : undefined}
        none={t(filters.state === undefined ? 'invitations.none' : 'invitations.none_found')}
      >
        <InvitationTable invitations={data?.invitations ?? []} isOutdated={isPlaceholderData} onOpen={setDialog} />
      </ListState>
      {error === null && <Pager to="/people/invitations" filters={filters} nextCursor={data?.next_cursor} />}
      <InvitationDialog dialog={dialog} onClose={() => setDialog(null)} />
    </div>
  );
}

function InviteButtons({ onOpen }: { onOpen(dialog: DialogState): void }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  return (
    <div className="row wrap">
      {isAllowed('invitations.create') && (
        <button type="button" className="button primary" data-action="invite" onClick={() => onOpen({ kind: 'invite' })}>
          {t('invitations.invite')}
        </button>
      )}
      {isAllowed('invitations.createMany') && (
        <button type="button" className="button" data-action="invite_file" onClick={() => onOpen({ kind: 'file' })}>
          {t('invitations.file')}
        </button>
      )}
    </div>
  );
}

function InvitationDialog({ dialog, onClose }: { dialog: DialogState; onClose(): void }) {
  switch (dialog?.kind) {
    case 'invite':
      return <InviteDialog onClose={onClose} />;
    case 'file':
      return <InviteFileDialog onClose={onClose} />;
    case 'resend':
      return <ResendDialog invitation={dialog.invitation} onClose={onClose} />;
    case 'withdraw':
      return <WithdrawDialog invitation={dialog.invitation} onClose={onClose} />;
    case undefined:
      return null;
  }
}

interface TableProps {
  invitations: readonly Invitation[];
  isOutdated: boolean;
  onOpen(dialog: DialogState): void;
}

function InvitationTable({ invitations, isOutdated, onOpen }: TableProps) {
  const { t } = useTranslation();
  const columns = useMemo(
    (): Columns<Invitation> => [
      { id: 'email', header: t('change.email'), cell: ({ row }) => <PersonCell invitation={row.original} /> },
      { id: 'state', header: t('invitations.state'), cell: ({ row }) => <StateCell invitation={row.original} /> },
      {
        id: 'client',
        header: t('invitations.app'),
        cell: ({ row }) => row.original.client_id !== null && <UserText text={row.original.client_id} />,
      },
      { id: 'by', header: t('invitations.by'), cell: ({ row }) => <UserText text={nameActor(row.original.invited_by, t)} /> },
      { id: 'sent', header: t('invitations.sent'), cell: ({ row }) => <Moment at={row.original.sent_at} isFirst /> },
      {
        id: 'action',
        header: () => <span className="only-heard">{t('actions.title')}</span>,
        cell: ({ row }) => <Actions invitation={row.original} onOpen={onOpen} />,
      },
    ],
    [t, onOpen],
  );
  return (
    <div className="table-frame">
      <DataTable
        label={t('invitations.title')}
        columns={columns}
        rows={invitations}
        toKey={({ id }) => id}
        isOutdated={isOutdated}
      />
    </div>
  );
}

function PersonCell({ invitation: { email, display_name: name, account_id: id, username } }: { invitation: Invitation }) {
  return (
    <div>
      <UserText text={email} />
      {name !== null && (
        <p className="muted">
          <UserText text={name} />
        </p>
      )}
      {id !== null && (
        <p>
          <Link to="/people/$id" params={{ id }}>
            <UserText text={username ?? id} />
          </Link>
        </p>
      )}
    </div>
  );
}

function StateCell({ invitation: { state, has_account: hasAccount, expires_at: expiresAt } }: { invitation: Invitation }) {
  const { t } = useTranslation();
  const { phrase, tone } = INVITATION_STATES[state];
  return (
    <div>
      <Tag tone={tone}>{t(phrase)}</Tag>
      {state === 'open' && (
        <p className="muted">
          <Phrase phrase="invitations.until" values={{ time: <Moment at={expiresAt} /> }} />
        </p>
      )}
      {hasAccount && <p>{t('invitations.has_account')}</p>}
    </div>
  );
}

function Actions({ invitation, onOpen }: { invitation: Invitation; onOpen(dialog: DialogState): void }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const { state, email, has_account: hasAccount } = invitation;
  if (state === 'used' || state === 'withdrawn') return null;
  return (
    <div className="row wrap">
      {isAllowed('invitations.resend') && !hasAccount && (
        <RowButton
          action="resend"
          text={t('invitations.resend')}
          label={email}
          onClick={() => onOpen({ kind: 'resend', invitation })}
        />
      )}
      {isAllowed('invitations.withdraw') && (
        <RowButton
          action="withdraw"
          text={t('invitations.withdraw')}
          label={email}
          onClick={() => onOpen({ kind: 'withdraw', invitation })}
        />
      )}
    </div>
  );
}

function StateFilter({ filters: { state } }: { filters: InvitationFilters }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  return (
    <div className="filters">
      <FilterSelect
        label={t('invitations.state')}
        value={state}
        choices={Object.entries(INVITATION_STATES).map(([name, { phrase }]) => [name, t(phrase)])}
        onChoose={(value) => void navigate({ search: isInvitationState(value) ? { state: value } : {} })}
      />
    </div>
  );
}
