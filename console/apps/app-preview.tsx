/** A preview of an app: what people see on the consent page, and the claims of one person. No token is issued. */
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
import { ClaimList, ClaimValue } from './claim-list.js';
import { UserText } from '../ui/user-text.js';

export function AppPreview({ client }: { client: Client }) {
  const { t } = useTranslation();
  const { operator } = useSession();
  const [otherPerson, setOtherPerson] = useState<Account | null>(null);
  const person = otherPerson ?? { id: operator.account_id, display_name: operator.display_name };
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
          <PersonChoice person={otherPerson} onChoose={setOtherPerson} isMissing={false} />
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
  const { shown_name: name, client_id: id, brand_colour: colour, bytes, most_bytes: mostBytes } = preview;
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
        {preview.logo_address === null ? (
          t('apps.preview_no_logo')
        ) : (
          <>
            {t('apps.field_logo_uri')}: <UserText text={shorten(preview.logo_address)} />
          </>
        )}
        {colour !== null && (
          <>
            {' · '}
            {t('apps.preview_colour')}: <Swatch colour={colour} /> <code>{colour}</code>
          </>
        )}
      </p>
      <ul className="items" aria-label={t('apps.field_scope')}>
        {preview.scopes.map((scope) => (
          <ScopeItem key={scope.scope} scope={scope} />
        ))}
      </ul>
      {bytes > mostBytes && <p className="unverified">{t('apps.preview_too_large', { bytes })}</p>}
      <details className="command">
        <summary>{t('apps.preview_claims')}</summary>
        <div className="stack claims">
          <ClaimList title={t('apps.id_token')} claims={preview.id_token} />
          <ClaimList title={t('apps.access_token')} claims={preview.access_token} />
        </div>
      </details>
    </>
  );
}

/** An SVG element, because the content security policy allows no inline styles. */
function Swatch({ colour }: { colour: string }) {
  return (
    <svg className="swatch" viewBox="0 0 1 1" aria-hidden="true">
      <rect width="1" height="1" fill={colour} />
    </svg>
  );
}

interface ScopeWords {
  title: PhraseKey;
  text: PhraseKey;
}

const OFFLINE_WORDS: ScopeWords = { title: 'scope.offline', text: 'scope.offline_text' };

/** The words of the consent page; a test compares the phrases. */
const WORDS: Readonly<Record<string, ScopeWords>> = {
  openid: { title: 'scope.openid', text: 'scope.openid_text' },
  profile: { title: 'scope.profile', text: 'scope.profile_text' },
  email: { title: 'scope.email', text: 'scope.email_text' },
  address: { title: 'scope.address', text: 'scope.address_text' },
  phone: { title: 'scope.phone', text: 'scope.phone_text' },
  id: { title: 'scope.account', text: 'scope.account_text' },
  offline: OFFLINE_WORDS,
  offline_access: OFFLINE_WORDS,
  folder: { title: 'scope.folder', text: 'scope.folder_text' },
};

function ScopeItem({ scope: { scope, title, description, is_known, is_far_reaching, claims } }: { scope: PreviewedScope }) {
  const { t } = useTranslation();
  const words = title === null && Object.hasOwn(WORDS, scope) ? WORDS[scope] : undefined;
  return (
    <li>
      <div className="item-text">
        <b>{words ? t(words.title) : <UserText text={title ?? scope} />}</b>{' '}
        {description === null ? words && t(words.text) : <UserText text={description} />}{' '}
        {!is_known && <Tag tone="warning">{t('apps.scope_unknown')}</Tag>}
        {is_far_reaching && <Tag tone="warning">{t('apps.scope_far')}</Tag>}
        {claims.map(({ claim, title: claimTitle, value }) => (
          <div key={claim} className="muted">
            <UserText text={claimTitle ?? claim} />: <ClaimValue name={claim} value={value} />
          </div>
        ))}
      </div>
    </li>
  );
}

const MAX_LENGTH = 300;

const shorten = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
