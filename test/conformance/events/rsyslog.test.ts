/** Events over TLS to the rsyslog of Debian, configured as docs/event-recipes.md says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { AUDIT_KINDS, type AuditKind } from '../../../src/accounts/audit/kinds.js';
import { buildExample } from '../../../src/events/events-document.js';
import { toOcsf } from '../../../src/events/ocsf/to-ocsf.js';
import { createSyslogTlsTransport } from '../../../src/events/transports/syslog-tls.js';
import { LOCALHOST } from '../../support/certificates.js';
import { Rsyslog, whyNoRsyslog } from '../../support/rsyslog.js';
import { PROJECT } from '../../support/scratch-tree.js';
import { waitUntil } from '../../support/upstream-waiting.js';

const TIMEOUT_MS = 120_000;
const KINDS = Object.keys(AUDIT_KINDS) as AuditKind[];

const reason = whyNoRsyslog();
if (reason !== null) process.stderr.write(`SKIPPED: events to a real rsyslog: ${reason}\n`);

(reason === null ? describe : describe['skip'])('rsyslog', () => {
  it('writes every event whole, and goes on after a restart', async () => {
    const page = readFileSync(join(PROJECT, 'docs', 'event-recipes.md'), 'utf8');
    const recipe = /^## rsyslog\n[\s\S]*?^```\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '';
    const rsyslog = await Rsyslog.prepare(recipe, LOCALHOST);
    const address = `syslog+tls://localhost:${rsyslog.port}`;
    const transport = createSyslogTlsTransport({ address, ca: LOCALHOST.certificate, timeLimitMs: TIMEOUT_MS });
    try {
      await rsyslog.start();
      const hostile = { ...buildExample('sign-in.ok'), account: { id: 'a', username: 'jürgen\n"]\u202e😀' } };
      const events = [...KINDS.map(buildExample), hostile];
      const answers = await Promise.all(events.map((event) => transport.deliver(event)));
      expect(answers.filter(({ isDelivered }) => !isDelivered)).toEqual([]);
      await waitUntil(TIMEOUT_MS, async () => (await rsyslog.lines()).length === events.length);
      expect((await rsyslog.lines()).map((line) => JSON.parse(line) as unknown)).toEqual(events.map(toOcsf));

      await rsyslog.stop();
      await waitUntil(TIMEOUT_MS, async () => (await transport.deliver(hostile)).status === 'connection refused');
      const before = (await rsyslog.lines()).length;
      await rsyslog.start();
      expect(await transport.deliver(hostile)).toEqual({ isDelivered: true, status: 'sent', body: '' });
      await waitUntil(TIMEOUT_MS, async () => (await rsyslog.lines()).length === before + 1);
    } finally {
      await transport.close();
      await rsyslog.remove();
    }
  });
});
