/** The menu of the operator: who is signed in, with which rights, and the preferences of this browser. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../session/session-context.js';
import { PATHS, signOut } from '../session/session.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { DownIcon, SignOutIcon } from '../ui/icons.js';
import { Initials } from '../ui/initials.js';
import { Moment } from '../ui/moment.js';
import { Phrase } from '../ui/phrase.js';
import { RightList } from '../ui/right-name.js';
import { UserText } from '../ui/user-text.js';
import { LanguageChoice, ThemeChoice } from './preferences.js';

const MENU = 'operator-menu';

export function OperatorMenu() {
  const { t } = useTranslation();
  const { operator, rights, ends_at: endsAt } = useSession();
  return (
    <>
      <button type="button" className="menu-button" popoverTarget={MENU} aria-label={t('menu.open')}>
        <Initials name={operator.display_name} />
        <DownIcon />
      </button>
      <div id={MENU} popover="auto" className="menu" role="dialog" aria-label={t('menu.open')}>
        <div className="menu-who">
          <b>
            <UserText text={operator.display_name} />
          </b>
          <span className="muted">
            <UserText text={operator.username} />
          </span>
        </div>
        <RightList rights={rights} />
        <p className="muted small">
          <Phrase phrase="menu.ends" values={{ time: <Moment at={endsAt} /> }} />
        </p>
        <LanguageChoice />
        <ThemeChoice />
        <SignOutButton />
      </div>
    </>
  );
}

function SignOutButton() {
  const { t } = useTranslation();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const leave = (): void => {
    setIsBusy(true);
    setError(null);
    signOut().then(
      // `replace`, so that Back does not lead to a page of the ended session.
      () => location.replace(PATHS.signedOut),
      (cause: unknown) => {
        setError(cause);
        setIsBusy(false);
      },
    );
  };
  return (
    <>
      {error !== null && <FaultAlert error={error} />}
      <button type="button" className="button wide" onClick={leave} aria-busy={isBusy} disabled={isBusy}>
        <SignOutIcon /> {t('menu.sign_out')}
      </button>
    </>
  );
}
