/** The list of recovery codes, which is shown once, with buttons to copy, save and print it. List and file work without script. */
import { useTranslation } from 'react-i18next';
import { printPage } from '../../browser/print.js';
import { DownloadIcon, PrintIcon } from './icons.js';
import { Notice } from '../notice.js';
import { CopyButton } from './copy-button.js';
import '../../styles/account.css';

export function RecoveryCodes({ codes, appName }: { codes: readonly string[]; appName: string }) {
  const { t } = useTranslation();
  const list = codes.join('\n');
  // Removes the soft hyphens, which are only for narrow pages.
  const file = `${appName}: ${t('factor.codes').replaceAll('\u00ad', '')}\n\n${list}\n`;
  return (
    <div className="stack">
      <Notice tone="warning" className="on-screen" message={t('factor.codes_once')}>
        <p>{t('factor.codes_once_text')}</p>
      </Notice>
      <ol className="codes" aria-label={t('factor.codes')} translate="no">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="actions">
        <CopyButton value={list} label="factor.copy_codes" />
        <a
          className="btn compact"
          download={t('factor.codes_file')}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
        >
          <DownloadIcon />
          {t('factor.save_codes')}
        </a>
        <button className="btn compact needs-script" type="button" onClick={printPage}>
          <PrintIcon />
          {t('factor.print_codes')}
        </button>
      </div>
    </div>
  );
}
