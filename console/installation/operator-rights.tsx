/** The rights of an operator: the origin and the end of each right, and the button that revokes it. */
import { useTranslation } from 'react-i18next';
import { nameActor } from '../activity/actor-name.js';
import type { Operator, OperatorRight } from '../api/calls.js';
import { useAllowed, useSession } from '../session/session-context.js';
import { Moment } from '../ui/moment.js';
import { Phrase } from '../ui/phrase.js';
import { RightName, useRightName } from '../ui/right-name.js';
import { RowButton } from '../ui/row-button.js';
import { UserText } from '../ui/user-text.js';

export function OperatorRights({ operator, onRevoke }: { operator: Operator; onRevoke(right: string): void }) {
  const { account_id: id, username, rights } = operator;
  const { operator: currentOperator } = useSession();
  return (
    <ul className="items">
      {rights.map((right) => (
        <RightItem
          key={`${right.right} ${right.by}`}
          right={right}
          onRevoke={() => onRevoke(right.right)}
          username={username}
          isOwn={id === currentOperator.account_id}
        />
      ))}
    </ul>
  );
}

interface RightItemProps {
  right: OperatorRight;
  username: string;
  isOwn: boolean;
  onRevoke(): void;
}

function RightItem({
  right: { right, by: origin, granted_at: at, granted_by: grantor, ends_at: endsAt, reason },
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
          {origin === 'setting' && t('operators.by_setting')}
          {origin === 'grant' && (
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
      {origin === 'grant' && !isOwn && isAllowed('operators.revoke') && (
        <RowButton action="revoke" text={t('operators.revoke')} label={`${nameRight(right)}, ${username}`} onClick={onRevoke} />
      )}
    </li>
  );
}
