import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTransport, type Transporter } from 'nodemailer';
import { MessageStore } from './message-store.js';
import { readMessage } from './message.js';
import { startMailbox, type Mailbox } from './start-mailbox.js';

interface ListedMessage {
  ID: string;
  Subject: string;
  Read: boolean;
  To: { Name: string; Address: string }[];
  Bcc: { Address: string }[];
}

describe('the mailbox', () => {
  let mailbox: Mailbox;
  let mailer: Transporter;

  beforeAll(async () => {
    mailbox = await startMailbox({ host: 'localhost', smtpPort: 0, webPort: 0 });
    mailer = createTransport(mailbox.smtpUrl);
  });

  afterAll(async () => {
    mailer.close();
    await mailbox.close();
  });

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => fetch(mailbox.url + path, { headers });
  const list = async (): Promise<{ total: number; unread: number; messages: ListedMessage[] }> =>
    (await get('/api/v1/messages')).json() as Promise<{ total: number; unread: number; messages: ListedMessage[] }>;
  const send = (more: object = {}): Promise<unknown> =>
    mailer.sendMail({
      from: '"Foyer" <foyer@example.com>',
      to: 'Maria Müßig <maria@example.com>',
      subject: 'Grüße & <b>mehr</b>',
      text: 'Öffnen Sie http://localhost:3000/reset?token=a&b=c bitte.',
      html: '<p>Hallo</p><script>alert(1)</script><a href="http://localhost:3000/reset">Los</a>',
      ...more,
    });

  beforeEach(async () => {
    expect(await (await fetch(`${mailbox.url}/api/v1/messages`, { method: 'DELETE' })).text()).toBe('ok');
  });

  it('lists and shows a mail in the format of Mailpit', async () => {
    await send({ bcc: 'secret@example.com', attachments: [{ filename: 'a.txt', content: 'abc' }] });
    const { total, unread, messages } = await list();
    expect([total, unread]).toEqual([1, 1]);
    expect(messages[0]).toMatchObject({
      Subject: 'Grüße & <b>mehr</b>',
      Read: false,
      From: { Name: 'Foyer', Address: 'foyer@example.com' },
      To: [{ Name: 'Maria Müßig', Address: 'maria@example.com' }],
      Bcc: [{ Address: 'secret@example.com' }],
      Attachments: 1,
    });
    const wholeMessage = (await (await get(`/api/v1/message/${messages[0]!.ID}`)).json()) as Record<string, unknown>;
    expect(wholeMessage).toMatchObject({
      ID: messages[0]!.ID,
      ReturnPath: 'foyer@example.com',
      Attachments: [{ FileName: 'a.txt', ContentType: 'text/plain', Size: 3 }],
    });
    expect(wholeMessage['Text']).toContain('http://localhost:3000/reset?token=a&b=c');
    expect(wholeMessage['HTML']).toContain('<p>Hallo</p>');
    expect((await list()).unread).toBe(0);
    expect(((await (await get('/api/v1/message/latest')).json()) as ListedMessage).ID).toBe(messages[0]!.ID);
    expect(await (await get('/api/v1/message/latest/raw')).text()).toContain('From: Foyer <foyer@example.com>');
  });

  it('answers 404 for an unknown mail, by API and by page', async () => {
    expect((await get('/api/v1/message/nothing')).status).toBe(404);
    expect((await get('/message/nothing')).status).toBe(404);
  });

  it('deletes the listed mails by API, nothing for an invalid body, and all mails by form', async () => {
    await send({ subject: 'one' });
    await send({ subject: 'two' });
    const remove = (body: string): Promise<Response> => fetch(`${mailbox.url}/api/v1/messages`, { method: 'DELETE', body });
    expect((await remove('{"IDs": "all"}')).status).toBe(400);
    expect((await remove('nonsense')).status).toBe(400);
    expect((await list()).total).toBe(2);
    const [newestMail] = (await list()).messages;
    await remove(JSON.stringify({ IDs: [newestMail!.ID] }));
    expect((await list()).messages.map(({ Subject }) => Subject)).toEqual(['one']);
    await fetch(`${mailbox.url}/delete`, { method: 'POST' });
    expect((await list()).total).toBe(0);
  });

  it('shows text escaped with clickable links, in the language that the browser requests', async () => {
    await send();
    const listPage = await get('/', { 'accept-language': 'de' });
    expect(listPage.headers.get('refresh')).toBe('5');
    expect(await listPage.text()).toContain('Grüße &amp; &lt;b&gt;mehr&lt;/b&gt;');
    expect((await get('/?live=off')).headers.get('refresh')).toBeNull();
    const message = await (await get('/message/latest?view=text', { 'accept-language': 'de' })).text();
    expect(message).toContain('href="http://localhost:3000/reset?token=a&amp;b=c"');
    expect(message).toContain('Alle Nachrichten');
    expect(await (await get('/message/latest')).text()).toContain('All messages');
  });

  it('marks the language of a mail, or marks it as unknown if the mail does not name one', async () => {
    await send({ html: '<!doctype html><html lang="fr" dir="ltr"><p>Bonjour</p></html>' });
    await send({ html: '<html lang="x&quot; onclick=1"><p>?</p></html>' });
    const listPage = await (await get('/', { 'accept-language': 'de' })).text();
    expect(listPage).toMatch(/^<!doctype html><html lang="de">/);
    expect([...listPage.matchAll(/<strong lang="([^"]*)" dir="auto">/g)].map(([, language]) => language)).toEqual(['', 'fr']);
  });

  it('confines the markup of a mail, even without the frame: no script, no form, nothing loaded', async () => {
    await send();
    const messagePage = await (await get('/message/latest')).text();
    expect(messagePage).toMatch(/<iframe[^>]*sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"/);
    const markup = await get('/message/latest/html');
    const policy = markup.headers.get('content-security-policy') ?? '';
    expect(policy).toContain('sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox;');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script');
    expect(await markup.text()).toContain('<p>Hallo</p>');
  });

  it('keeps a mail that cannot be parsed', async () => {
    const { text, subject } = await readMessage(
      Buffer.from(`${'Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n'.repeat(400)}end`),
      { returnPath: '', recipients: [] },
      new Date(0),
    );
    expect(text).toContain('end');
    expect(subject).toBe('');
  });

  it('releases the first port if the second one is taken', async () => {
    const takenPort = Number(new URL(mailbox.url).port);
    const freeMailbox = await startMailbox({ host: 'localhost', smtpPort: 0, webPort: 0 });
    const smtpPort = Number(new URL(freeMailbox.smtpUrl).port);
    await freeMailbox.close();
    await expect(startMailbox({ host: 'localhost', smtpPort, webPort: takenPort })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const secondMailbox = await startMailbox({ host: 'localhost', smtpPort, webPort: 0 });
    await secondMailbox.close();
    expect(secondMailbox.smtpUrl).toBe(freeMailbox.smtpUrl);
  });
});

describe('the store of the mailbox', () => {
  const buildMail = (index: number, bytes = 10): Promise<Parameters<MessageStore['add']>[0]> =>
    readMessage(Buffer.alloc(bytes, 'x'), { returnPath: `${index}`, recipients: [] }, new Date(index));

  it('keeps the newest 200 mails', async () => {
    const store = new MessageStore();
    for (let index = 0; index < 210; index++) store.add(await buildMail(index));
    expect(store.list()).toHaveLength(200);
    expect(store.list()[0]?.returnPath).toBe('209');
    expect(store.list()[199]?.returnPath).toBe('10');
  });

  it('keeps at most 64 MiB, but always the newest mail', async () => {
    const store = new MessageStore();
    const largeMail = { ...(await buildMail(1)), source: Buffer.alloc(40 * 1024 * 1024) };
    store.add(largeMail);
    store.add({ ...largeMail, id: 'second' });
    expect(store.list().map(({ id }) => id)).toEqual(['second']);
    store.add({ ...largeMail, id: 'huge', source: Buffer.alloc(70 * 1024 * 1024) });
    expect(store.list().map(({ id }) => id)).toEqual(['huge']);
  });
});
