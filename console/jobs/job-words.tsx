/** The state and the progress of a job, in words. */
import { useTranslation } from 'react-i18next';
import type { Job } from '../api/calls.js';
import { Tag } from '../ui/tag.js';

export function JobState({ job: { state, stop_cause: cause } }: { job: Job }) {
  const { t } = useTranslation();
  if (state === 'running') return <Tag tone="warning">{t('job.running')}</Tag>;
  if (state === 'done') return <Tag tone="success">{t('job.done')}</Tag>;
  return <Tag tone="danger">{t(cause === 'rights' ? 'job.stopped_rights' : 'job.stopped')}</Tag>;
}

export function JobProgress({ job: { total, done, failed, left } }: { job: Job }) {
  const { t } = useTranslation();
  return (
    <>
      <progress max={Math.max(total, 1)} value={done + failed} aria-label={t('job.progress')} />{' '}
      <span>{t('job.counts', { total, done, failed, left })}</span>
    </>
  );
}
