/**
 * Downloads the events that the filters find, page by page. A download that was stopped or has failed can save what it has loaded
 * until then.
 */
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fetchEvents } from '../api/queries.js';
import { saveFile } from '../browser/save-file.js';
import { toDateTag } from '../i18n/i18n.js';
import { Choice } from '../ui/choice.js';
import { Dialog } from '../ui/dialog.js';
import { FaultAlert } from '../ui/fault-alert.js';
import type { ActivityFilters } from './activity-filters.js';
import { findEventPhrase } from './event-words.js';
import { beginFile, endFile, readPages, writeEntries, type FileFormat } from './event-files.js';

const LARGEST_PAGE = '200';

interface DownloadDialogProps {
  filters: ActivityFilters;
  onClose(): void;
}

export function DownloadDialog({ filters, onClose }: DownloadDialogProps) {
  const { t, i18n } = useTranslation();
  const [format, setFormat] = useState<FileFormat>('csv');
  const { state, count, error, start, stop, save } = useDownload(filters, format);
  const shownCount = new Intl.NumberFormat(toDateTag(i18n.language)).format(count);
  return (
    <Dialog title={t('download.title')} onClose={onClose} className="narrow">
      <div className="dialog-body">
        <p>{t('download.text')}</p>
        {state === 'ready' && (
          <Choice
            label={t('download.format')}
            options={[
              { value: 'csv', label: t('download.csv') },
              { value: 'json', label: 'JSON' },
            ]}
            value={format}
            onChange={setFormat}
          />
        )}
        <p role="status" className={state === 'ready' ? 'only-heard' : 'row'}>
          {state === 'running' && <span className="spinner" aria-hidden="true" />}
          {state !== 'ready' && t(`download.${state}`, { count, shown: shownCount })}
        </p>
        {error !== null && <FaultAlert error={error} onRetry={start} />}
      </div>
      <div className="dialog-foot">
        {state === 'running' && (
          <button type="button" className="button" onClick={stop}>
            {t('download.stop')}
          </button>
        )}
        {(state === 'stopped' || state === 'failed') && count > 0 && (
          <button type="button" className="button" onClick={save}>
            {t('download.save_part')}
          </button>
        )}
        {state === 'ready' ? (
          <button type="button" className="button primary" onClick={start}>
            {t('download.start')}
          </button>
        ) : (
          <button type="button" className="button" onClick={onClose}>
            {t('dialog.close')}
          </button>
        )}
      </div>
    </Dialog>
  );
}

type DownloadState = 'ready' | 'running' | 'stopped' | 'failed' | 'finished';

/** The loaded events, as parts of the file. No component shows them, so they are not in the state of React. */
interface LoadedEvents {
  parts: string[];
  count: number;
  cursor: string | undefined;
}

function useDownload(filters: ActivityFilters, format: FileFormat) {
  const { t } = useTranslation();
  const describe = (kind: string): string => {
    const phrase = findEventPhrase(kind);
    return phrase === undefined ? kind : t(phrase);
  };
  const [state, setState] = useState<DownloadState>('ready');
  const [count, setCount] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const download = useRef<LoadedEvents>({ parts: [], count: 0, cursor: undefined });
  const controllerRef = useRef<AbortController>(undefined);
  useEffect(() => () => controllerRef.current?.abort(), []);

  const save = (): void => {
    const parts = [beginFile(format), ...download.current.parts, endFile(format)];
    saveFile(`foyer-activity.${format}`, parts, format === 'csv' ? 'text/csv;charset=utf-8' : 'application/json');
  };

  const load = async (signal: AbortSignal): Promise<void> => {
    const fetchPage = (cursor: string | undefined) => fetchEvents({ ...filters, cursor }, { limit: LARGEST_PAGE, signal });
    for await (const { entries, next_cursor: nextCursor } of readPages(fetchPage, download.current.cursor)) {
      const { parts, count: previousCount } = download.current;
      parts.push(writeEntries(entries, { format, isFirst: previousCount === 0, describe }));
      download.current = { parts, count: previousCount + entries.length, cursor: nextCursor };
      setCount(download.current.count);
      if (signal.aborted) return;
    }
    setState('finished');
    save();
  };

  /** After a failure, the download continues where it stopped. */
  const start = (): void => {
    const controller = new AbortController();
    controllerRef.current = controller;
    setError(null);
    setState('running');
    load(controller.signal).catch((cause: unknown) => {
      if (controller.signal.aborted) return;
      setError(cause);
      setState('failed');
    });
  };

  const stop = (): void => {
    controllerRef.current?.abort();
    setState('stopped');
  };
  return { state, count, error, start, stop, save };
}
