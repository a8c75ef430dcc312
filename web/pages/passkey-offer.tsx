/**
 * Offers a passkey after a sign-in with a password. Every answer continues to the app: a passkey, "not now", "never", or the refusal or
 * timeout of the browser. If the server refuses the passkey, this page is shown again, without the offer. The server redirects a
 * browser to this page only if the script has reported that the browser can create a passkey.
 */
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import type { PasskeyOfferState, PasskeySetupState } from '../../src/contract/passkey-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { createCredential } from '../browser/calls/security-key.js';
import { useOnce } from '../browser/once.js';
import { useSubmitSoon } from '../browser/timing.js';
import { phrase } from '../i18n/phrase.js';
import { AccountChip } from '../ui/account-chip.js';
import { ErrorAlert } from '../ui/alert.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';

export const heading = () => phrase('passkey_offer.heading');

export function Page({ state: { passkey_offer: offer } }: { state: PageOf<'passkey_offer'> }) {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  /** The credential to submit; an empty text continues without a passkey. */
  const [credential, setCredential] = useState<string | null>(null);
  useSubmitSoon(form, credential);
  const { setup } = offer;
  return (
    <Form
      className="flow"
      form={form}
      action={PATHS.passkeyOffer}
      hidden={{
        ...toHiddenFields(offer),
        ...(credential && setup ? { [FIELDS.credential]: credential, [FIELDS.setupSession]: setup.session_id } : {}),
      }}
    >
      <Heading heading={heading()} client={offer.client}>
        <p>{t('passkeys.what')}</p>
      </Heading>
      <AccountChip account={offer.account} label="account.signed_in_as" />
      {offer.error && (
        <ErrorAlert code={offer.error} message="passkey_offer.refused">
          <p>{t('passkey_offer.refused_next')}</p>
        </ErrorAlert>
      )}
      {setup && (
        <ul className="bullets">
          <li>{t('passkeys.where')}</li>
          <li>{t('passkeys.lost')}</li>
        </ul>
      )}
      {setup ? (
        <div className="tight">
          <CreateButton setup={setup} onEnd={setCredential} />
          <SubmitButton className="quiet" label={t('passkey_offer.later')} busyLabel={t('app.one_moment')} />
          <SubmitButton
            className="quiet"
            label={t('passkey_offer.never')}
            busyLabel={t('app.one_moment')}
            formAction={PATHS.passkeyRefuse}
          />
        </div>
      ) : (
        <SubmitButton primary label={t('passkey_offer.go_on')} busyLabel={t('app.one_moment')} />
      )}
    </Form>
  );
}

function toHiddenFields(offer: PasskeyOfferState): Record<string, string> {
  return {
    [FIELDS.loginChallenge]: offer.login_challenge,
    [FIELDS.xsrf]: offer.xsrf_token,
    [FIELDS.ticket]: offer.ticket,
  };
}

/**
 * The button that creates the passkey. A password manager that does not create a passkey without asking refuses immediately, and the
 * button remains.
 */
function CreateButton({ setup, onEnd }: { setup: PasskeySetupState; onEnd: (credential: string) => void }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const create = async (unasked: boolean) => {
    // The request of the button aborts the automatic attempt. The person has not seen that attempt, so its failure is ignored.
    if (!unasked) setAsking(true);
    const answer = await createCredential(setup.public_key, { unasked });
    if (answer.kind === 'answered') onEnd(JSON.stringify(answer.credential));
    else if (!unasked) onEnd('');
  };
  useOnce(() => {
    if (setup.unasked) void create(true);
  });
  return (
    <button
      className="btn primary needs-script"
      type="button"
      aria-disabled={isAsking || undefined}
      onClick={() => {
        if (!isAsking) void create(false);
      }}
    >
      {t(isAsking ? 'passkey_offer.making' : 'passkey_offer.make')}
      {isAsking && <span className="spinner" />}
    </button>
  );
}
