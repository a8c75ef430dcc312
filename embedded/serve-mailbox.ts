/** Runs the mailbox as a process. */
import { readSetting } from './launch/own-settings.js';
import { serveUntilStopped } from './launch/serve-until-stopped.js';
import { startMailbox } from './mailbox/start-mailbox.js';

const SMTP_PORT = 1025;
const WEB_PORT = 8025;

await serveUntilStopped('Mailbox', () =>
  startMailbox({ host: readSetting('MAILBOX_HOST'), smtpPort: SMTP_PORT, webPort: WEB_PORT }),
);
