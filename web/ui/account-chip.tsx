/** The account that a page is about, with an optional action. */
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { toInitials } from '../../src/contract/initials.js';
import type { AccountState } from '../../src/contract/page-state.js';
import { useBrokenImage } from '../browser/broken-image.js';
import { Isolated } from '../i18n/isolated.js';
import type { MessageKey } from '../i18n/phrase.js';

interface Props {
  account: AccountState;
  label?: MessageKey;
  /** Shows the account id as a tooltip (HNT-2). */
  showId?: boolean;
  /** The larger form, for the top of the account area. */
  large?: boolean;
  /** Address of the person's picture. */
  picture?: string | undefined;
  /** Shown below the name. */
  note?: ReactNode;
  children?: ReactNode;
}

export function AccountChip({ account, label, showId = false, large = false, picture, note, children }: Props) {
  const { t } = useTranslation();
  return (
    <div
      className={large ? 'account-chip large' : 'account-chip'}
      title={showId ? t('account.id', { id: account.id }) : undefined}
    >
      <span className="avatar" aria-hidden="true">
        {toInitials(account.name)}
        {picture && <Portrait url={picture} />}
      </span>
      <p>
        {label && <small>{t(label)}</small>}
        <b>
          <Isolated text={account.name} />
        </b>
        {account.username !== account.name && (
          <small>
            <Isolated text={account.username} />
          </small>
        )}
        {note}
      </p>
      {children}
    </div>
  );
}

/** The picture covers the initials, which stay visible if the picture cannot be loaded. */
function Portrait({ url }: { url: string }) {
  const image = useRef<HTMLImageElement>(null);
  const broken = useBrokenImage(image);
  return <img ref={image} alt="" src={url} referrerPolicy="no-referrer" hidden={broken} />;
}
