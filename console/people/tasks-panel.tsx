/** What a person has to do at the next sign-in, and the terms that the person has accepted. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Acceptance, AccountDetail, AccountTask } from '../api/calls.js';
import { acceptancesQuery, termsTextQuery } from '../api/queries.js';
import { useAllowed } from '../session/session-context.js';
import { Dialog } from '../ui/dialog.js';
import { Moment } from '../ui/moment.js';
import { Panel } from '../ui/panel.js';
import { Phrase } from '../ui/phrase.js';
import { RowButton } from '../ui/row-button.js';
import { UserText } from '../ui/user-text.js';
import { Item, QueryState } from './person-panels.js';

export function TasksPanel({ account: { tasks } }: { account: AccountDetail }) {
  const { t } = useTranslation();
  if (tasks.length === 0) return null;
  return (
    <Panel title={t('tasks.title')}>
      <ul className="items">
        {tasks.map((task) => (
          <TaskItem key={task.kind + (task.terms ?? '')} task={task} />
        ))}
      </ul>
    </Panel>
  );
}

function TaskItem({ task }: { task: AccountTask }) {
  const { t } = useTranslation();
  const { kind, client_ids: clients, later_until: laterUntil } = task;
  return (
    <Item title={<TaskTitle task={task} />}>
      {kind === 'password' && t('tasks.password_text')}
      {clients !== null && <Phrase phrase="tasks.clients" values={{ clients: <UserText text={clients.join(', ')} /> }} />}
      {clients !== null && laterUntil !== null && ' · '}
      {laterUntil !== null && <Phrase phrase="tasks.later" values={{ time: <Moment at={laterUntil} /> }} />}
    </Item>
  );
}

function TaskTitle({ task: { kind, terms, version, fields } }: { task: AccountTask }) {
  const { t } = useTranslation();
  switch (kind) {
    case 'terms':
      return <Phrase phrase="tasks.terms" values={{ terms: terms ?? '', version: version ?? '' }} />;
    case 'fields':
      return <Phrase phrase="tasks.fields" values={{ fields: <UserText text={fields.join(', ')} /> }} />;
    case 'password':
    case 'email':
    case 'factor':
      return t(`tasks.${kind}`);
  }
}

/** Hidden if the person has accepted no terms, because most installations have no terms. */
export function AcceptedTermsPanel({ account: { id } }: { account: AccountDetail }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const query = useQuery({ ...acceptancesQuery(id), enabled: isAllowed('accountTerms.list') });
  const [shownAcceptance, setShownAcceptance] = useState<Acceptance | null>(null);
  if (!isAllowed('accountTerms.list') || query.isLoading || query.data?.acceptances.length === 0) return null;
  return (
    <Panel title={t('terms.title')}>
      <QueryState query={query}>
        <ul className="items">
          {query.data?.acceptances.map((acceptance) => (
            // Terms that were accepted together have the same time.
            <AcceptanceItem
              key={`${acceptance.accepted_at} ${acceptance.terms}`}
              acceptance={acceptance}
              onShow={setShownAcceptance}
            />
          ))}
        </ul>
        {query.data?.next_cursor !== undefined && (
          <p className="panel-body muted">
            <Phrase phrase="terms.more" values={{ command: <code>foyer account terms list {id}</code> }} />
          </p>
        )}
      </QueryState>
      {shownAcceptance && <TextDialog acceptance={shownAcceptance} onClose={() => setShownAcceptance(null)} />}
    </Panel>
  );
}

interface AcceptanceItemProps {
  acceptance: Acceptance;
  onShow(acceptance: Acceptance): void;
}

function AcceptanceItem({ acceptance, onShow }: AcceptanceItemProps) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const { terms, version, client_id: client, accepted_at: at, withdrawn_at: end } = acceptance;
  return (
    <Item
      title={<TermsName acceptance={acceptance} />}
      action={
        isAllowed('terms.text') && (
          <RowButton
            action="terms_text"
            text={t('terms.text')}
            label={`${terms}, ${version}`}
            onClick={() => onShow(acceptance)}
          />
        )
      }
    >
      <Phrase phrase="terms.accepted" values={{ time: <Moment at={at} />, client: <UserText text={client} /> }} />
      {end !== null && (
        <>
          {' · '}
          <Phrase phrase="terms.withdrawn" values={{ time: <Moment at={end} /> }} />
        </>
      )}
    </Item>
  );
}

const TermsName = ({ acceptance: { terms, version } }: { acceptance: Acceptance }) => (
  <Phrase phrase="terms.name" values={{ terms, version }} />
);

/** The text as the person saw it, in its language. */
function TextDialog({ acceptance, onClose }: { acceptance: Acceptance; onClose(): void }) {
  const query = useQuery(termsTextQuery(acceptance.sha256));
  return (
    <Dialog title={<TermsName acceptance={acceptance} />} onClose={onClose}>
      <div className="dialog-body">
        <QueryState query={query}>
          <div className="terms-text" lang={acceptance.language} dir="auto" tabIndex={0}>
            {query.data?.text}
          </div>
        </QueryState>
      </div>
    </Dialog>
  );
}
