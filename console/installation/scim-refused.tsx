/** The refused requests of a SCIM source, each with the account that it concerns or that conflicts with it, if there is one. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ScimFault } from '../api/calls.js';
import { scimFaultsQuery } from '../api/queries.js';
import type { PhraseKey } from '../i18n/i18n.js';
import { useAllowed } from '../session/session-context.js';
import { ListState } from '../ui/load-state.js';
import { Moment } from '../ui/moment.js';
import { Phrase } from '../ui/phrase.js';
import { RowButton } from '../ui/row-button.js';
import { UserText } from '../ui/user-text.js';
import { PersonLink } from './person-link.js';
import { DismissDialog, OfferDialog, type ScimSource } from './scim-dialogs.js';

type DialogState = { dialog: 'offer' | 'dismiss'; fault: ScimFault } | null;

export function RefusedScimRequests({ source }: { source: ScimSource }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(scimFaultsQuery(source.id));
  const [dialogState, setDialogState] = useState<DialogState>(null);
  const close = (): void => setDialogState(null);
  return (
    <section aria-labelledby={`refused-${source.id}`}>
      <div className="panel-body">
        <h2 id={`refused-${source.id}`} tabIndex={-1}>
          {t('scim.refused', { source: source.name })}
        </h2>
      </div>
      <ListState error={error} onRetry={() => void refetch()} rows={error === null ? data?.faults : undefined} none={null}>
        <ul className="items">
          {data?.faults.map((fault) => (
            <RefusedItem key={fault.id} source={source} fault={fault} onChoose={(dialog) => setDialogState({ dialog, fault })} />
          ))}
        </ul>
      </ListState>
      {data?.next_cursor !== undefined && <p className="panel-body muted">{t('scim.refused_more', { id: source.id })}</p>}
      {dialogState?.dialog === 'offer' && <OfferDialog source={source} fault={dialogState.fault} onClose={close} />}
      {dialogState?.dialog === 'dismiss' && <DismissDialog source={source} fault={dialogState.fault} onClose={close} />}
    </section>
  );
}

/** The phrases of the values of `scimType` (RFC 7644, section 3.12). */
const CODES: Readonly<Record<string, PhraseKey>> = {
  uniqueness: 'scim.code_uniqueness',
  invalidValue: 'scim.code_invalidValue',
  mutability: 'scim.code_mutability',
  invalidSyntax: 'scim.code_unreadable',
  invalidPath: 'scim.code_unreadable',
  noTarget: 'scim.code_unreadable',
};

interface RefusedItemProps {
  source: ScimSource;
  fault: ScimFault;
  onChoose(dialog: 'offer' | 'dismiss'): void;
}

function RefusedItem({ source, fault, onChoose }: RefusedItemProps) {
  const { t } = useTranslation();
  const { method, resource, subject, code, field, detail, account, times, last_at: at } = fault;
  const phrase = Object.hasOwn(CODES, code) ? CODES[code] : undefined;
  return (
    <li className="finding">
      <div className="item-text">
        <b>{t(phrase ?? 'scim.code_refused')}</b>
        <p>
          <UserText text={subject} />
          {field !== null && <FieldName field={field} />}
        </p>
        <p className="muted" lang="en">
          <UserText text={detail} />
        </p>
        {account !== null && (
          <p>
            <Phrase phrase="scim.in_the_way" values={{ person: <PersonLink id={account.id} name={account.username} /> }} />
          </p>
        )}
        <p className="muted">
          <code>
            {method} {resource}
          </code>
          {' · '}
          <Phrase phrase="scim.times" count={times} values={{ count: times, time: <Moment at={at} /> }} />
        </p>
      </div>
      <RefusedButtons source={source} fault={fault} onChoose={onChoose} />
    </li>
  );
}

function FieldName({ field }: { field: string }) {
  const name = (
    <code>
      <UserText text={field} />
    </code>
  );
  return (
    <>
      {' · '}
      <Phrase phrase="scim.field" values={{ field: name }} />
    </>
  );
}

/** Offers the source an account only if that account conflicts with a person of the source. */
function RefusedButtons({ source, fault: { account, code, resource, subject }, onChoose }: RefusedItemProps) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const isOffered = account?.is_offered === true;
  const canOffer = account?.can_be_offered === true && !isOffered && code === 'uniqueness' && resource === 'User';
  return (
    <div className="row wrap">
      {isOffered && <span className="muted">{t('scim.offered', { source: source.name })}</span>}
      {canOffer && isAllowed('scimOffers.offer') && (
        <RowButton
          action="scim_offer"
          text={t('scim.offer', { source: source.name })}
          label={account.username}
          onClick={() => onChoose('offer')}
        />
      )}
      {isAllowed('scimFaults.dismiss') && (
        <RowButton action="scim_dismiss" text={t('scim.dismiss')} label={subject} onClick={() => onChoose('dismiss')} />
      )}
    </div>
  );
}
