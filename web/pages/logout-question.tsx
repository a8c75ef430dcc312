/** Does this person want to log out? Asked because a logout can be begun by any page that knows the address (OUT-2). */
import type { ReactNode } from 'react';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { LogoutState } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { phrase } from '../phrases/phrase.js';
import type { Phrase } from '../phrases/phrase.js';
import { Say, usePhrases } from '../phrases/say.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Plate } from '../ui/plate.js';
import { Sign } from '../ui/sign.js';

interface Props {
  heading: Phrase;
  logout: LogoutState;
  appName: string;
}

export function LogoutQuestion({ heading, logout, appName: app }: Props) {
  const { text } = usePhrases();
  const what = logout.client ? phrase('logout.what_client', { app, client: logout.client.name }) : phrase('logout.what', { app });
  return (
    <Form
      className="flow"
      action={PATHS.logoutAccept}
      hidden={{ [FIELDS.logoutChallenge]: logout.logout_challenge, [FIELDS.xsrf]: logout.xsrf_token }}
    >
      <Sign heading={heading}>
        <p>
          <Say phrase={what} marks={{ name: (words: ReactNode) => <b>{words}</b> }} />
        </p>
      </Sign>
      {logout.account && <Plate account={logout.account} label="account.signed_in_as" />}
      <div className="pair">
        <SubmitButton label={text('logout.cancel')} busyLabel={text('app.one_moment')} formAction={PATHS.logoutReject} />
        <SubmitButton primary label={text('logout.accept')} busyLabel={text('logout.accepting')} />
      </div>
    </Form>
  );
}
