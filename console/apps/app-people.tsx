/** The people who have granted access to an app, one page at a time, and the dialog that removes this access. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, complete, toReasonHeader, type Client, type ClientPerson } from '../api/calls.js';
import { accountKey, clientKey, clientPeopleQuery } from '../api/queries.js';
import { PersonLink } from '../installation/person-link.js';
import { toUserOperand } from '../people/actions.js';
import { useAllowed, useSession } from '../session/session-context.js';
import { ListState } from '../ui/load-state.js';
import { Moment } from '../ui/moment.js';
import { useNotices } from '../ui/notice.js';
import { Panel } from '../ui/panel.js';
import { Phrase } from '../ui/phrase.js';
import { ReasonDialog } from '../ui/reason-dialog.js';
import { RowButton } from '../ui/row-button.js';
import { UserText } from '../ui/user-text.js';

export function AppPeople({ client }: { client: Client }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const [cursor, setCursor] = useState<string>();
  const [personToRemove, setPersonToRemove] = useState<ClientPerson | null>(null);
  const { data, error, isPlaceholderData, refetch } = useQuery(clientPeopleQuery(client.client_id, cursor));
  const nextCursor = data?.next_cursor;
  // The last person of a later page was removed.
  if (cursor !== undefined && !isPlaceholderData && data?.people.length === 0) setCursor(undefined);
  return (
    <Panel title={t('apps.people')}>
      <ListState
        error={error}
        onRetry={() => void refetch()}
        rows={data?.people}
        none={t(data?.is_trusted ? 'apps.people_trusted' : 'apps.people_none')}
      >
        <ul className="items">
          {data?.people.map((person) => (
            <PersonItem
              key={person.account_id}
              person={person}
              {...(isAllowed('accountApps.remove') ? { onRemove: () => setPersonToRemove(person) } : {})}
            />
          ))}
        </ul>
      </ListState>
      {(cursor !== undefined || nextCursor !== undefined) && (
        <p className="pager">
          {cursor === undefined ? (
            <span />
          ) : (
            <button type="button" className="button" onClick={() => setCursor(undefined)}>
              {t('pager.first')}
            </button>
          )}
          {nextCursor !== undefined && (
            <button type="button" className="button" onClick={() => setCursor(nextCursor)}>
              {t('pager.next')}
            </button>
          )}
        </p>
      )}
      {personToRemove && <RemoveDialog client={client} person={personToRemove} onClose={() => setPersonToRemove(null)} />}
    </Panel>
  );
}

function PersonItem({ person, onRemove }: { person: ClientPerson; onRemove?: () => void }) {
  const { t } = useTranslation();
  const { account_id: id, display_name: name, username, scopes, granted_at: at } = person;
  return (
    <li>
      <div className="item-text">
        <b>
          <PersonLink id={id} name={name} />
        </b>
        <p className="muted">
          <UserText text={username} /> · <Phrase phrase="apps.granted" values={{ time: <Moment at={at} /> }} />
        </p>
        <p className="muted">
          <UserText text={scopes.join(' ')} />
        </p>
      </div>
      {onRemove && <RowButton action="remove-access" text={t('apps.remove')} label={username} onClick={onRemove} />}
    </li>
  );
}

function RemoveDialog({ client, person, onClose }: { client: Client; person: ClientPerson; onClose(): void }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const notices = useNotices();
  const { operator } = useSession();
  const values = {
    name: (
      <b>
        <UserText text={person.display_name} />
      </b>
    ),
    app: <UserText text={client.client_name || client.client_id} />,
  };
  const user = toUserOperand({ id: person.account_id, username: person.username });
  const run = async (reason: string): Promise<void> => {
    const params = { path: { id: person.account_id, client: client.client_id } };
    await complete(api.DELETE('/operator/v1/accounts/{id}/apps/{client}', { params, headers: toReasonHeader(reason) }));
    notices.show(<Phrase phrase="apps.removed" values={values} />);
    void cache.invalidateQueries({ queryKey: clientKey(client.client_id) });
    void cache.invalidateQueries({ queryKey: accountKey(person.account_id) });
    onClose();
  };
  return (
    <ReasonDialog
      title={<Phrase phrase="apps.remove_title" values={values} />}
      effects={[t('apps.remove_effect'), t(person.account_id === operator.account_id ? 'apps.remove_own' : 'apps.remove_seen')]}
      command={{ words: ['account', 'app-remove', user, client.client_id] }}
      confirm={t('apps.remove_confirm')}
      isDanger
      run={run}
      onClose={onClose}
    />
  );
}
