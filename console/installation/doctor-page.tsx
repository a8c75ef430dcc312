/** Runs the doctor and shows what it found. The result is kept only while the page is open. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap, type Diagnosis } from '../api/calls.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { DangerIcon, RefreshIcon, SuccessIcon } from '../ui/icons.js';
import { PageHeading } from '../ui/page-heading.js';
import { UserText } from '../ui/user-text.js';
import { FindingItem } from './finding-item.js';

export function DoctorPage() {
  const isAllowed = useAllowed();
  return isAllowed('doctor.run') ? <Doctor /> : <NotAllowedPage />;
}

function Doctor() {
  const { t } = useTranslation();
  const { data, error, isPending, mutate } = useMutation({ mutationFn: () => unwrap(api.POST('/operator/v1/doctor')) });
  return (
    <>
      <div className="page-head">
        <PageHeading title={t('doctor.title')} />
        <button type="button" className="button primary" onClick={() => mutate()} disabled={isPending} aria-busy={isPending}>
          <RefreshIcon /> {t(data ? 'doctor.again' : 'doctor.run')}
        </button>
      </div>
      <p className="muted">{t('doctor.text')}</p>
      {isPending && (
        <p className="loading" role="status">
          <span className="spinner" aria-hidden="true" /> {t('doctor.running')}
        </p>
      )}
      {error !== null && <FaultAlert error={error} />}
      {data && <Result diagnosis={data} />}
    </>
  );
}

function Result({ diagnosis: { status, counts, findings } }: { diagnosis: Diagnosis }) {
  const { t } = useTranslation();
  const [isAll, setIsAll] = useState(false);
  const shownFindings = findings.filter(({ level }) => isAll || level !== 'ok');
  const checks = [...new Set(shownFindings.map(({ check }) => check))];
  const isOk = status === 'ok';
  return (
    <>
      <div className={`alert ${isOk ? 'success' : 'danger'}`} role="status">
        {isOk ? <SuccessIcon /> : <DangerIcon />}
        <div className="alert-text">
          <strong>{isOk ? t('doctor.no_faults') : t('doctor.faults', { count: counts.fault })}</strong>
          <p>{t('doctor.counts', { hints: counts.hint, ok: counts.ok })}</p>
        </div>
      </div>
      <label className="check">
        <input type="checkbox" checked={isAll} onChange={({ currentTarget }) => setIsAll(currentTarget.checked)} />{' '}
        {t('doctor.all')}
      </label>
      {checks.map((check) => (
        <section className="panel" key={check} aria-label={check}>
          <div className="panel-head">
            <h2 lang="en">
              <UserText text={check} />
            </h2>
          </div>
          <ul className="items">
            {shownFindings
              .filter((finding) => finding.check === check)
              .map((finding, index) => (
                <FindingItem key={index} finding={finding} />
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}
