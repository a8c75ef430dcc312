/** The link on its way through a real mail server: where it leads, and who gets it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { pino } from 'pino';
import PostalMime from 'postal-mime';
import { PATHS } from '../../src/contract/paths.js';
import { startMailDelivery } from '../../src/mail-delivery.js';
import { startTestGateway } from '../support/gateway.js';
import type { TestGateway } from '../support/gateway.js';
import { MailServer } from '../support/mail-server.js';
import { ResetStory } from '../support/resets.js';

let gateway: TestGateway;
let server: MailServer;
let delivery: ReturnType<typeof startMailDelivery>;

beforeAll(async () => {
  server = await MailServer.start();
  const smtp = { host: 'localhost', port: server.port, encryption: 'none' as const };
  gateway = await startTestGateway({
    config: ({ mail }) => ({ mail: { ...mail, server: smtp } }),
  });
  const app = { get: gateway.get } as Pick<INestApplicationContext, 'get'>;
  delivery = startMailDelivery(app, gateway.config, { log: pino({ level: 'silent' }) });
});

afterAll(async () => {
  await gateway.close();
  await delivery.stop();
  await server.stop();
});

describe('the mail with the link', () => {
  it('[PWR-3] [S-20] [S-22] leads to the configured address whatever the request says, and to one recipient', async () => {
    await gateway.account('maria', { email: 'maria@example.org' });
    const forged = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example',
      'x-host': 'evil.example',
      'x-original-host': 'evil.example',
    };
    const browser = gateway.browser({ ...forged, 'accept-language': 'en' });
    const story = new ResetStory(gateway);
    expect((await story.ask('maria\r\nBcc: evil@evil.example', browser)).status).toBe(303);
    const arrived = server.next();
    expect((await story.ask('maria', browser)).status).toBe(303);
    const { recipients, source } = await arrived;
    expect(recipients).toEqual(['maria@example.org']);
    const { text = '', html = '', subject, headers } = await PostalMime.parse(source);
    const [link = ''] = /https?:\S+reset_token=\S+/.exec(text) ?? [];
    expect(link.replace(/[\w-]{43}$/, '…')).toBe(`${gateway.config.publicUrl}${PATHS.passwordResetForm}?reset_token=…`);
    expect(html).toContain(`href="${link}"`);
    expect([subject, source]).toEqual(['Set a new password', expect.not.stringContaining('evil')]);
    expect(headers.map(({ key }) => key)).not.toContain('bcc');
    const { search } = new URL(link);
    expect((await gateway.browser().get(PATHS.passwordResetForm + search)).status).toBe(200);
    expect(server.taken).toHaveLength(1);
  });
});
