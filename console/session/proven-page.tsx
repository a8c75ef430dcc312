/**
 * The page at the end of a sign-in or a fresh proof in a second window. It notifies the waiting page, and tries to close the
 * window.
 */
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeading } from '../ui/page-heading.js';
import { PlainPage } from '../shell/plain-page.js';

/**
 * The name of the channel between the windows of one browser. The content of a message is ignored: the waiting page asks the
 * server.
 */
export const PROVEN_CHANNEL = 'foyer-console-proven';

export function ProvenPage() {
  const { t } = useTranslation();
  useEffect(() => {
    const channel = new BroadcastChannel(PROVEN_CHANNEL);
    channel.postMessage('proven');
    channel.close();
    // A window that a script has not opened stays open.
    window.close();
  }, []);
  return (
    <PlainPage>
      <PageHeading title={t('proven.title')} />
      <p>{t('proven.text')}</p>
      <a className="button" href="/console/">
        {t('proven.go')}
      </a>
    </PlainPage>
  );
}
