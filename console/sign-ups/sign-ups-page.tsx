/** The people who signed up and wait for a decision, with what they have entered. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SignUp } from '../api/calls.js';
import { signUpsQuery } from '../api/queries.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { ListState } from '../ui/load-state.js';
import { Moment } from '../ui/moment.js';
import { PageHeading } from '../ui/page-heading.js';
import { Pager } from '../ui/pager.js';
import { Phrase } from '../ui/phrase.js';
import { RowButton } from '../ui/row-button.js';
import { UserText } from '../ui/user-text.js';
import { ApproveDialog, RefuseDialog } from './sign-up-dialogs.js';

type DialogState = { dialog: 'approve' | 'refuse'; signUp: SignUp } | null;

const route = getRouteApi('/gate/sign-ups');

export function SignUpsPage() {
  const isAllowed = useAllowed();
  return isAllowed('signUps.list') ? <SignUps /> : <NotAllowedPage />;
}

function SignUps() {
  const { t } = useTranslation();
  const { cursor } = route.useSearch();
  const { data, error, refetch } = useQuery(signUpsQuery(cursor));
  const [dialogState, setDialogState] = useState<DialogState>(null);
  const close = (): void => setDialogState(null);
  return (
    <div className="page">
      <PageHeading title={t('sign_ups.title')} />
      <p className="muted">{t('sign_ups.text')}</p>
      <ListState error={error} onRetry={() => void refetch()} rows={data?.sign_ups} none={t('sign_ups.none')}>
        <div className="panel">
          <ul className="items">
            {data?.sign_ups.map((signUp) => (
              <SignUpItem key={signUp.id} signUp={signUp} onChoose={(dialog) => setDialogState({ dialog, signUp })} />
            ))}
          </ul>
        </div>
      </ListState>
      <Pager to="/sign-ups" filters={{ cursor }} nextCursor={data?.next_cursor} />
      {dialogState?.dialog === 'approve' && <ApproveDialog signUp={dialogState.signUp} onClose={close} />}
      {dialogState?.dialog === 'refuse' && <RefuseDialog signUp={dialogState.signUp} onClose={close} />}
    </div>
  );
}

interface SignUpItemProps {
  signUp: SignUp;
  onChoose(dialog: 'approve' | 'refuse'): void;
}

function SignUpItem({ signUp, onChoose }: SignUpItemProps) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const { email, username, display_name: name, attributes, client_name: app, asked_at: at, expires_at: end } = signUp;
  return (
    <li className="finding">
      <div className="item-text">
        <b>
          <UserText text={name ?? email} />
        </b>
        {name !== null && (
          <p>
            <UserText text={email} />
          </p>
        )}
        {username !== null && (
          <p>
            {t('facts.username')}: <UserText text={username} />
          </p>
        )}
        {Object.entries(attributes).map(([attribute, text]) => (
          <p key={attribute}>
            <code>{attribute}</code> <UserText text={text} />
          </p>
        ))}
        <p className="muted">
          <Phrase
            phrase="sign_ups.about"
            values={{ app: <UserText text={app} />, since: <Moment at={at} />, until: <Moment at={end} /> }}
          />
        </p>
      </div>
      <div className="row wrap">
        {isAllowed('signUps.approve') && (
          <RowButton action="sign_up_approve" text={t('sign_ups.approve')} label={email} onClick={() => onChoose('approve')} />
        )}
        {isAllowed('signUps.refuse') && (
          <RowButton action="sign_up_refuse" text={t('sign_ups.refuse')} label={email} onClick={() => onChoose('refuse')} />
        )}
      </div>
    </li>
  );
}
