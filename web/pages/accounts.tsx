/** Asks which of several accounts, all connected to the same identity, should be used (ACC-1 … 3). */
import { FIELDS } from '../../src/contract/form-fields.js';
import { toInitials } from '../../src/contract/initials.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { Isolated } from '../i18n/isolated.js';
import { phrase } from '../i18n/phrase.js';
import { Form, useSubmission } from '../ui/form.js';
import { GoIcon } from '../ui/icons.js';
import { Heading } from '../ui/heading.js';

export const heading = () => phrase('accounts.heading');

export function Page({ state }: { state: PageOf<'accounts'> }) {
  const { accounts, token, login_challenge, xsrf_token, ticket, provider } = state.accounts;
  return (
    <Form
      className="flow"
      action={`${PATHS.login}/${provider.id}${PATHS.providerAccount}`}
      hidden={{
        [FIELDS.loginChallenge]: login_challenge,
        [FIELDS.xsrf]: xsrf_token,
        [FIELDS.token]: token,
        [FIELDS.ticket]: ticket,
      }}
    >
      <Heading
        heading={heading()}
        backLink={{
          href: `${PATHS.loginNative}?${FIELDS.loginChallenge}=${encodeURIComponent(login_challenge)}`,
          label: 'accounts.back',
        }}
      >
        <p>
          <MarkedPhrase i18nKey="accounts.text" components={{ provider: <Isolated text={provider.name} /> }} />
        </p>
      </Heading>
      <ul className="rows boxed">
        {accounts.map((account) => (
          <li key={account.id}>
            <AccountButton account={account} />
          </li>
        ))}
      </ul>
    </Form>
  );
}

/**
 * Two accounts may have the same name, so the line below the name shows the group. Without a group it shows the username, if the
 * username differs from the name.
 */
function AccountButton({ account }: { account: PageOf<'accounts'>['accounts']['accounts'][number] }) {
  const { id, name, username, group_name } = account;
  const isSending = useSubmission() !== null;
  const detail = group_name || (username === name ? '' : username);
  return (
    <button className="row" type="submit" name={FIELDS.username} value={id} aria-disabled={isSending || undefined}>
      <span className="avatar" aria-hidden="true">
        {toInitials(name)}
      </span>
      <span className="what">
        <b>
          <bdi>{name}</bdi>
        </b>
        {detail && (
          <small>
            <bdi>{detail}</bdi>
          </small>
        )}
      </span>
      <GoIcon />
    </button>
  );
}
