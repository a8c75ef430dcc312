/** The dialogs about a refused request of a SCIM source: offer the source the conflicting account, or dismiss the request. */
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, toReasonHeader, unwrap, type ScimFault, type SourceState } from '../api/calls.js';
import { sourcesKey } from '../api/queries.js';
import { toUserOperand } from '../people/actions.js';
import { useSession } from '../session/session-context.js';
import { useNotices } from '../ui/notice.js';
import { Phrase } from '../ui/phrase.js';
import { ReasonDialog } from '../ui/reason-dialog.js';
import { UserText } from '../ui/user-text.js';
import { toVisibleText } from '../ui/visible-text.js';

export type ScimSource = Pick<SourceState, 'id' | 'name'>;

interface ScimDialogProps {
  source: ScimSource;
  fault: ScimFault;
  onClose(): void;
}

export function OfferDialog({ source: { id, name: source }, fault, onClose }: ScimDialogProps) {
  const { t } = useTranslation();
  const notices = useNotices();
  const client = useQueryClient();
  const { second_operator: hasSecondOperator, support_check: hasCheck } = useSession();
  const { account } = fault;
  // An offer by external id cannot wait for a second operator or a check. Where one is required, the account's verified address decides.
  const externalId = hasSecondOperator || hasCheck ? null : fault.external_id;
  if (account === null) return null;
  const { display_name: displayName } = account;
  const name = toVisibleText(displayName);
  const run = async (reason: string): Promise<void> => {
    const body = { account: account.id, source: id, ...(externalId === null ? {} : { external_id: externalId }) };
    await unwrap(api.POST('/operator/v1/scim/offers', { body, headers: toReasonHeader(reason) }));
    notices.show(t('scim.offer_done', { source, name }));
    void client.invalidateQueries({ queryKey: sourcesKey });
    onClose();
  };
  return (
    <ReasonDialog
      title={
        <Phrase
          phrase="scim.offer_title"
          values={{
            name: (
              <b>
                <UserText text={displayName} />
              </b>
            ),
            source: <UserText text={source} />,
          }}
        />
      }
      effects={[
        t('scim.offer_effect', { source }),
        t('scim.offer_writes_effect'),
        t('scim.offer_password_effect'),
        t('scim.offer_same_effect', { name }),
      ]}
      command={{
        words: ['scim', 'offer', toUserOperand(account)],
        options: [['source', id], ...(externalId === null ? [] : [['external-id', externalId] as [string, string]])],
      }}
      confirm={t('scim.offer_confirm')}
      isDanger
      run={run}
      onClose={onClose}
    />
  );
}

export function DismissDialog({ source: { name: source }, fault: { id }, onClose }: ScimDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const notices = useNotices();
  const run = async (reason: string): Promise<void> => {
    const params = { path: { fault: id } };
    await unwrap(api.DELETE('/operator/v1/scim/faults/{fault}', { params, headers: toReasonHeader(reason) }));
    notices.show(t('scim.dismiss_done'));
    void client.invalidateQueries({ queryKey: sourcesKey });
    onClose();
  };
  return (
    <ReasonDialog
      title={<Phrase phrase="scim.dismiss_title" values={{ source: <UserText text={source} /> }} />}
      effects={[t('scim.dismiss_effect')]}
      command={{ words: ['scim', 'dismiss', id] }}
      confirm={t('scim.dismiss')}
      run={run}
      onClose={onClose}
    />
  );
}
