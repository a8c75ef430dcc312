/** The dialog that registers an app from a preset, and then shows its secret once. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api, toReasonHeader, unwrap, type ClientPreset, type NewClient } from '../api/calls.js';
import { presetsQuery } from '../api/queries.js';
import type { PhraseKey } from '../i18n/i18n.js';
import { ExactInput } from '../ui/exact-input.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { Field } from '../ui/field.js';
import { Phrase } from '../ui/phrase.js';
import { ReasonDialog } from '../ui/reason-dialog.js';
import { AppFields } from './app-fields.js';
import { EMPTY_FORM, toClientChanges, toClientOptions, type AppField, type AppForm } from './app-form.js';
import { AppSecretDialog } from './app-secret-dialog.js';

export function CreateAppDialog({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const [newClient, setNewClient] = useState<NewClient | null>(null);
  if (newClient === null) return <NewAppForm onClose={onClose} onCreated={setNewClient} />;
  const { client, client_secret: secret } = newClient;
  const leave = (): void => {
    onClose();
    void navigate({ to: '/apps/$client', params: { client: client.client_id } });
  };
  return <AppSecretDialog id={client.client_id} name={client.client_name} secret={secret} isNew onClose={leave} />;
}

interface NewAppFormProps {
  onClose(): void;
  onCreated(client: NewClient): void;
}

function NewAppForm({ onClose, onCreated }: NewAppFormProps) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const { data, error } = useQuery(presetsQuery);
  const presets = data?.presets ?? [];
  const [name, setName] = useState('server');
  const [id, setId] = useState('');
  const [form, setForm] = useState(EMPTY_FORM);
  const [isTried, setIsTried] = useState(false);
  const preset = presets.find((one) => one.name === name);
  const changes = toClientChanges(EMPTY_FORM, form, {});
  const ownId = id.trim() === '' ? {} : { client_id: id.trim() };
  const isIncomplete = form.client_name.trim() === '' || preset === undefined;
  const run = async (reason: string): Promise<void> => {
    const body = { preset: name, ...ownId, ...changes };
    const newClient = await unwrap(api.POST('/operator/v1/clients', { body, headers: toReasonHeader(reason) }));
    void cache.invalidateQueries({ queryKey: ['clients'] });
    onCreated(newClient);
  };
  return (
    <ReasonDialog
      title={t('apps.create_title')}
      effects={preset === undefined ? [] : [<PresetEffect key="1" preset={preset} />]}
      command={{
        words: ['client', 'create', name],
        options: [...(id.trim() === '' ? [] : [['client-id', id.trim()] as const]), ...toClientOptions(changes)],
      }}
      confirm={t('apps.create_confirm')}
      hasFault={() => {
        setIsTried(true);
        return isIncomplete;
      }}
      run={run}
      onClose={onClose}
    >
      {error !== null && <FaultAlert error={error} />}
      <PresetField presets={presets} name={name} onChange={setName} />
      <Fields
        preset={preset}
        form={form}
        onChange={setForm}
        fault={isTried && form.client_name.trim() === '' ? t('apps.name_missing') : undefined}
      >
        <IdField id={id} onChange={setId} />
      </Fields>
    </ReasonDialog>
  );
}

interface FieldsProps {
  preset: ClientPreset | undefined;
  form: AppForm;
  onChange(form: AppForm): void;
  fault: string | undefined;
  /** Further optional fields. */
  children: ReactNode;
}

/** The name, and the fields that an app of this kind requires; the other fields are in a collapsed section. */
function Fields({ preset, form, onChange, fault, children }: FieldsProps) {
  const { t } = useTranslation();
  const isMain = (field: AppField): boolean => field === 'client_name' || preset?.requires.includes(field) === true;
  return (
    <>
      <AppFields form={form} onChange={onChange} fault={fault} isShown={isMain} />
      <details className="command">
        <summary>{t('apps.optional')}</summary>
        <div className="stack">
          {children}
          <AppFields form={form} onChange={onChange} isShown={(field) => !isMain(field)} />
        </div>
      </details>
    </>
  );
}

interface PresetFieldProps {
  presets: readonly ClientPreset[];
  name: string;
  onChange(name: string): void;
}

function PresetField({ presets, name, onChange }: PresetFieldProps) {
  const { t } = useTranslation();
  return (
    <Field label={t('apps.preset')}>
      {(wiring) => (
        <select {...wiring} name="preset" value={name} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {presets.map((preset) => (
            <PresetOption key={preset.name} preset={preset} />
          ))}
        </select>
      )}
    </Field>
  );
}

function IdField({ id, onChange }: { id: string; onChange(id: string): void }) {
  const { t } = useTranslation();
  return (
    <Field name="client_id" label={t('apps.id')} hint={t('apps.id_hint')}>
      {(wiring) => <ExactInput {...wiring} value={id} onChange={onChange} />}
    </Field>
  );
}

/** A newer server may have further presets, which describe themselves. */
function PresetOption({ preset: { name, about } }: { preset: ClientPreset }) {
  const { t, i18n } = useTranslation();
  const word = name.replaceAll('-', '_');
  const key = `apps.preset_${word}`;
  return <option value={name}>{i18n.exists(key) ? t(key as PhraseKey) : about}</option>;
}

function PresetEffect({ preset: { has_secret: hasSecret, scope } }: { preset: ClientPreset }) {
  const { t } = useTranslation();
  return (
    <>
      {t(hasSecret ? 'apps.create_secret' : 'apps.create_public')}{' '}
      {scope !== '' && <Phrase phrase="apps.create_scope" values={{ scope: <code>{scope}</code> }} />}{' '}
      {scope.split(' ').includes('id') && <Phrase phrase="apps.create_scope_id" values={{ scope: <code>id</code> }} />}
    </>
  );
}
