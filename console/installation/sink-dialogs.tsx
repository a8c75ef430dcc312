/** The dialogs of event sinks: pause, resume, and send events again (one event, or all since a time). */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, toReasonHeader, unwrap, type Sink } from '../api/calls.js';
import { sinkKey } from '../api/queries.js';
import { useNotices } from '../ui/notice.js';
import { Phrase } from '../ui/phrase.js';
import { ReasonDialog } from '../ui/reason-dialog.js';
import { TimeField } from '../ui/time-field.js';

interface SinkDialogProps {
  sink: Pick<Sink, 'name'>;
  onClose(): void;
}

const DAY_MS = 24 * 60 * 60 * 1000;

function useFinish(onClose: () => void) {
  const client = useQueryClient();
  const notices = useNotices();
  const finish = (notice: string): void => {
    notices.show(notice);
    onClose();
  };
  // After a failure too: a part of the events may have been queued, or the list is out of date.
  const refresh = (): void => void client.invalidateQueries({ queryKey: sinkKey });
  return { finish, refresh };
}

const ACTIONS = {
  pause: {
    path: '/operator/v1/sinks/{sink}/pause',
    title: 'sinks.pause_title',
    effects: ['sinks.pause_effect', 'sinks.pause_kept_effect'],
    confirm: 'sinks.pause',
    notice: 'sinks.pause_done',
    isDanger: true,
  },
  resume: {
    path: '/operator/v1/sinks/{sink}/resume',
    title: 'sinks.resume_title',
    effects: ['sinks.resume_effect'],
    confirm: 'sinks.resume',
    notice: 'sinks.resume_done',
    isDanger: false,
  },
} as const;

export function SwitchDialog({ sink: { name }, action, onClose }: SinkDialogProps & { action: keyof typeof ACTIONS }) {
  const { t } = useTranslation();
  const { finish, refresh } = useFinish(onClose);
  const { path, title, effects, confirm, notice, isDanger } = ACTIONS[action];
  const run = async (reason: string): Promise<void> => {
    await unwrap(api.POST(path, { params: { path: { sink: name } }, headers: toReasonHeader(reason) })).finally(refresh);
    finish(t(notice, { sink: name }));
  };
  return (
    <ReasonDialog
      title={<Phrase phrase={title} values={{ sink: <b>{name}</b> }} />}
      effects={effects.map((effect) => t(effect))}
      command={{ words: ['events', action, name] }}
      confirm={t(confirm)}
      isDanger={isDanger}
      run={run}
      onClose={onClose}
    />
  );
}

export function ReplayDialog({ sink: { name }, onClose }: SinkDialogProps) {
  const { t } = useTranslation();
  const { finish, refresh } = useFinish(onClose);
  const [since, setSince] = useState<string | undefined>(() => new Date(Date.now() - DAY_MS).toISOString());
  const [isTried, setIsTried] = useState(false);
  const run = async (reason: string): Promise<void> => {
    const params = { path: { sink: name } };
    let count = 0;
    let cursor: string | undefined;
    do {
      const body = { since: since ?? '', ...(cursor === undefined ? {} : { cursor }) };
      const answer = await unwrap(
        api.POST('/operator/v1/sinks/{sink}/replay', { params, body, headers: toReasonHeader(reason) }),
      ).finally(refresh);
      count += answer.queued;
      cursor = answer.next_cursor;
    } while (cursor !== undefined);
    finish(t('sinks.replay_done', { count }));
  };
  return (
    <ReasonDialog
      title={<Phrase phrase="sinks.replay_title" values={{ sink: <b>{name}</b> }} />}
      effects={[t('sinks.replay_effect'), t('sinks.replay_twice_effect')]}
      command={{ words: ['events', 'replay', name], options: [['since', since ?? '…']] }}
      confirm={t('sinks.again')}
      hasFault={() => {
        setIsTried(true);
        return since === undefined;
      }}
      run={run}
      onClose={onClose}
    >
      <TimeField label={t('sinks.replay_since')} value={since} isMissing={isTried && since === undefined} onChange={setSince} />
    </ReasonDialog>
  );
}

export function ReplayOneDialog({ sink: { name }, event, onClose }: SinkDialogProps & { event: string }) {
  const { t } = useTranslation();
  const { finish, refresh } = useFinish(onClose);
  const run = async (reason: string): Promise<void> => {
    const params = { path: { sink: name } };
    await unwrap(
      api.POST('/operator/v1/sinks/{sink}/deliveries/replay', { params, body: { event }, headers: toReasonHeader(reason) }),
    ).finally(refresh);
    finish(t('sinks.replay_done', { count: 1 }));
  };
  return (
    <ReasonDialog
      title={<Phrase phrase="sinks.replay_one_title" values={{ event: <b>{event}</b>, sink: <b>{name}</b> }} />}
      effects={[t('sinks.replay_one_effect')]}
      command={{ words: ['events', 'replay', name], options: [['event', event]] }}
      confirm={t('sinks.again')}
      run={run}
      onClose={onClose}
    />
  );
}
