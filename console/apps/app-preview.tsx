/** What people would see of an app, and what it would learn of one of them. No token is issued. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Account, Client, ClientPreview, PreviewedScope } from '../api/calls.js';
import { clientPreviewQuery } from '../api/queries.js';
import type { PhraseKey } from '../i18n/i18n.js';
import { PersonChoice } from '../people/person-choice.js';
import { useSession } from '../session/session-context.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { Loading } from '../ui/load-state.js';
import { Panel } from '../ui/panel.js';
import { Phrase } from '../ui/phrase.js';
import { Tag } from '../ui/tag.js';
import { UserText } from '../ui/user-text.js';

export function AppPreview({ client }: { client: Client }) {
  const { t } = useTranslation();
  const { operator } = useSession();
  const [chosen, setChosen] = useState<Account | null>(null);
  const person = chosen ?? { id: operator.account_id, display_name: operator.display_name };
  const { data, error, refetch } = useQuery(clientPreviewQuery(client.client_id, person.id));
  const name = (
    <b>
      <UserText text={person.display_name} />
    </b>
  );
  return (
    <Panel title={t('apps.preview')}>
      <div className="panel-text stack">
        <p>
          <Phrase phrase="apps.preview_for" values={{ name }} />
        </p>
        <details className="command">
          <summary>{t('apps.preview_other')}</summary>
          <PersonChoice chosen={chosen} onChoose={setChosen} isMissing={false} />
        </details>
        {error !== null && <FaultAlert error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Loading />}
        {data && <Preview preview={data} />}
      </div>
    </Panel>
  );
}

function Preview({ preview }: { preview: ClientPreview }) {
  const { t } = useTranslation();
  const { shown_name: name, client_id: id, brand_colour: colour, bytes, most_bytes: most } = preview;
  return (
    <>
      <p>
        <Phrase
          phrase={preview.asks_consent ? 'apps.preview_asks' : 'apps.preview_trusted'}
          values={{ name: <UserText text={name || id} /> }}
        />{' '}
        {preview.requires_second_factor && t('apps.preview_factor')}
      </p>
      <p className="muted">
        {preview.logo_address === null ? t('apps.preview_no_logo') : <UserText text={toShort(preview.logo_address)} />}
        {colour !== null && (
          <>
            {' · '}
            <code>{colour}</code>
          </>
        )}
      </p>
      <ul className="items" aria-label={t('apps.field_scope')}>
        {preview.scopes.map((scope) => (
          <ScopeItem key={scope.scope} scope={scope} />
        ))}
      </ul>
      {bytes > most && <p className="unverified">{t('apps.preview_too_large', { bytes })}</p>}
      <details className="command">
        <summary>{t('apps.preview_claims')}</summary>
        <pre className="claims">
          <UserText text={JSON.stringify({ id_token: preview.id_token, access_token: preview.access_token }, null, 2)} />
        </pre>
      </details>
    </>
  );
}

const WORDS: Readonly<Record<string, PhraseKey>> = {
  openid: 'scope.openid',
  profile: 'scope.profile',
  email: 'scope.email',
  address: 'scope.address',
  phone: 'scope.phone',
  id: 'scope.account',
  offline: 'scope.offline',
  offline_access: 'scope.offline',
  folder: 'scope.folder',
};

function ScopeItem({ scope: { scope, title, is_known, is_far_reaching, claims } }: { scope: PreviewedScope }) {
  const { t } = useTranslation();
  const words = Object.hasOwn(WORDS, scope) ? WORDS[scope] : undefined;
  return (
    <li>
      <div className="item-text">
        <b>{title === null ? words === undefined ? <UserText text={scope} /> : t(words) : <UserText text={title} />}</b>{' '}
        {!is_known && <Tag tone="warning">{t('apps.scope_unknown')}</Tag>}
        {is_far_reaching && <Tag tone="warning">{t('apps.scope_far')}</Tag>}
        {claims.map(({ claim, title: claimTitle, value }) => (
          <p key={claim} className="muted">
            <UserText text={claimTitle ?? claim} />: <UserText text={toShort(toText(value))} />
          </p>
        ))}
      </div>
    </li>
  );
}

const LONGEST = 300;

const toShort = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
