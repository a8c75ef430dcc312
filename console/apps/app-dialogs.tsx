/** The dialogs that change an app, give it a new secret, and delete it. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api-error.js';
import { api, complete, toReasonHeader, unwrap, type Client } from '../api/calls.js';
import { clientKey } from '../api/queries.js';
import { ExactInput } from '../ui/exact-input.js';
import { Field } from '../ui/field.js';
import { useNotices } from '../ui/notice.js';
import { Phrase } from '../ui/phrase.js';
import { ReasonDialog } from '../ui/reason-dialog.js';
import { UserText } from '../ui/user-text.js';
import { AppFields } from './app-fields.js';
import { toAppForm, toClientChanges, toClientOptions } from './app-form.js';
import { AppSecretDialog } from './app-secret-dialog.js';

interface AppDialogProps {
  client: Client;
  onClose(): void;
}

const PATH = '/operator/v1/clients/{client}';

const toValues = ({ client_id: id, client_name: name }: Client) => ({
  name: (
    <b>
      <UserText text={name || id} />
    </b>
  ),
});

/**
 * @returns a function that makes a change and then reloads what the pages show; also if the server refuses the change because somebody else
 *   has changed or deleted the app meanwhile
 */
function useRunChange(id: string) {
  const cache = useQueryClient();
  const renew = (): void => {
    void cache.invalidateQueries({ queryKey: clientKey(id) });
    void cache.invalidateQueries({ queryKey: ['clients'] });
    void cache.invalidateQueries({ queryKey: ['events'] });
    void cache.invalidateQueries({ queryKey: ['found'] });
  };
  return async <Result,>(change: () => Promise<Result>): Promise<Result> => {
    try {
      const result = await change();
      renew();
      return result;
    } catch (error) {
      if (error instanceof ApiError && [404, 409].includes(error.status)) renew();
      throw error;
    }
  };
}

export function ChangeAppDialog({ client: currentClient, onClose }: AppDialogProps) {
  const { t } = useTranslation();
  const notices = useNotices();
  // The client as it was when the dialog opened: the page may reload it meanwhile, and the version has to match the form.
  const [client] = useState(currentClient);
  const [originalForm] = useState(() => toAppForm(client));
  const [form, setForm] = useState(originalForm);
  const [isTried, setIsTried] = useState(false);
  const runChange = useRunChange(client.client_id);
  const changes = toClientChanges(originalForm, form, client.foyer);
  const isUnchanged = Object.keys(changes).length === 0;
  const params = { path: { client: client.client_id } };
  const run = async (reason: string): Promise<void> => {
    const body = { version: client.version, ...changes };
    const changedClient = await runChange(() => unwrap(api.PATCH(PATH, { params, body, headers: toReasonHeader(reason) })));
    notices.show(<Phrase phrase="apps.changed" values={toValues(changedClient)} />);
    onClose();
  };
  return (
    <ReasonDialog
      title={<Phrase phrase="apps.change_title" values={toValues(client)} />}
      effects={[t('apps.change_effect')]}
      command={{ words: ['client', 'update', client.client_id], options: toClientOptions(changes) }}
      confirm={t('apps.change_confirm')}
      hasFault={() => {
        setIsTried(true);
        return isUnchanged;
      }}
      run={run}
      onClose={onClose}
    >
      <AppFields form={form} onChange={setForm} fault={isTried && isUnchanged ? t('change.nothing') : undefined} />
    </ReasonDialog>
  );
}

export function RotateSecretDialog({ client, onClose }: AppDialogProps) {
  const { t } = useTranslation();
  const [secret, setSecret] = useState<string | null>(null);
  const runChange = useRunChange(client.client_id);
  const params = { path: { client: client.client_id } };
  if (secret !== null)
    return <AppSecretDialog id={client.client_id} name={client.client_name} secret={secret} onClose={onClose} />;
  return (
    <ReasonDialog
      title={<Phrase phrase="apps.rotate_title" values={toValues(client)} />}
      effects={[t('apps.rotate_effect'), t('apps.rotate_once')]}
      command={{ words: ['client', 'rotate-secret', client.client_id] }}
      confirm={t('apps.rotate_confirm')}
      isDanger
      run={async (reason) => {
        const call = () => unwrap(api.POST(`${PATH}/secret`, { params, headers: toReasonHeader(reason) }));
        setSecret((await runChange(call)).client_secret);
      }}
      onClose={onClose}
    />
  );
}

export function DeleteAppDialog({ client, onClose }: AppDialogProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const notices = useNotices();
  const cache = useQueryClient();
  const [typedId, setTypedId] = useState('');
  const [isTried, setIsTried] = useState(false);
  const runChange = useRunChange(client.client_id);
  const isWrong = typedId.trim() !== client.client_id;
  const params = { path: { client: client.client_id } };
  const run = async (reason: string): Promise<void> => {
    await runChange(() => complete(api.DELETE(PATH, { params, headers: toReasonHeader(reason) })));
    notices.show(<Phrase phrase="apps.deleted" values={toValues(client)} />, { path: '/apps' });
    await navigate({ to: '/apps', search: {} });
    cache.removeQueries({ queryKey: clientKey(client.client_id) });
  };
  return (
    <ReasonDialog
      title={<Phrase phrase="apps.delete_title" values={toValues(client)} />}
      effects={[t('apps.delete_effect'), t('apps.delete_forever')]}
      command={{ words: ['client', 'delete', client.client_id], options: [['yes']] }}
      confirm={t('apps.delete_confirm')}
      isDanger
      hasFault={() => {
        setIsTried(true);
        return isWrong;
      }}
      run={run}
      onClose={onClose}
    >
      <Field
        label={t('apps.typed_id')}
        hint={<UserText text={client.client_id} />}
        error={isTried && isWrong ? t('apps.typed_id_wrong') : undefined}
      >
        {(wiring) => <ExactInput {...wiring} name="typed_id" value={typedId} onChange={setTypedId} />}
      </Field>
    </ReasonDialog>
  );
}
