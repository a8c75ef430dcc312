/** A stored mail, and the parser of mails. */
import { randomBytes } from 'node:crypto';
import PostalMime from 'postal-mime';

export interface MailAddress {
  name: string;
  address: string;
}

export interface Message {
  readonly id: string;
  readonly receivedAt: Date;
  /** From the SMTP envelope; includes blind copies. */
  readonly recipients: readonly string[];
  readonly returnPath: string;
  readonly source: Buffer;
  readonly messageId: string;
  readonly from: MailAddress | null;
  readonly to: readonly MailAddress[];
  readonly cc: readonly MailAddress[];
  readonly replyTo: readonly MailAddress[];
  readonly subject: string;
  readonly date: Date;
  readonly text: string;
  readonly html: string;
  /** Language tag of the HTML; empty if the HTML names no language. */
  readonly language: string;
  readonly attachments: readonly { filename: string; contentType: string; contentId: string; sizeBytes: number }[];
  read: boolean;
}

export interface Envelope {
  returnPath: string;
  recipients: readonly string[];
}

type ParsedMail = Awaited<ReturnType<typeof PostalMime.parse>>;

/** A mail that cannot be parsed is stored as plain text, so that broken mails are visible too. */
export async function readMessage(source: Buffer, envelope: Envelope, receivedAt: Date): Promise<Message> {
  const toPlainText = (): ParsedMail => ({ headers: [], headerLines: [], attachments: [], text: source.toString('utf8') });
  const mail = await PostalMime.parse(source).catch(toPlainText);
  const date = new Date(mail.date ?? '');
  return {
    id: randomBytes(12).toString('base64url'),
    receivedAt,
    ...envelope,
    source,
    ...buildAddresses(mail),
    messageId: removeBrackets(mail.messageId),
    subject: mail.subject ?? '',
    date: Number.isNaN(date.getTime()) ? receivedAt : date,
    text: mail.text ?? '',
    html: mail.html ?? '',
    language: /<html[^>]{0,200}?\slang="([A-Za-z\d-]{1,35})"/i.exec(mail.html ?? '')?.[1] ?? '',
    attachments: mail.attachments.map(describeAttachment),
    read: false,
  };
}

/** Recipients that are neither in To nor in Cc. */
export function findBlindCopies({ recipients, to, cc }: Message): MailAddress[] {
  const visibleAddresses = new Set([...to, ...cc].map(({ address }) => address.toLowerCase()));
  return recipients.filter((address) => !visibleAddresses.has(address.toLowerCase())).map((address) => ({ name: '', address }));
}

/** @returns the first 120 characters of the text, on one line */
export function toSnippet({ text }: Message): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 120);
}

function buildAddresses({ from, to, cc, replyTo }: ParsedMail): Pick<Message, 'from' | 'to' | 'cc' | 'replyTo'> {
  return { from: flatten(from ? [from] : [])[0] ?? null, to: flatten(to), cc: flatten(cc), replyTo: flatten(replyTo) };
}

function flatten(addresses: ParsedMail['to']): MailAddress[] {
  return (addresses ?? []).flatMap((entry) =>
    entry.group ? entry.group.map(({ name, address }) => ({ name, address })) : [{ name: entry.name, address: entry.address }],
  );
}

function describeAttachment(attachment: ParsedMail['attachments'][number]): Message['attachments'][number] {
  const { filename, mimeType, contentId, content } = attachment;
  const sizeBytes = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
  return { filename: filename ?? '', contentType: mimeType, contentId: removeBrackets(contentId), sizeBytes };
}

function removeBrackets(id: string | undefined): string {
  return (id ?? '').replace(/^<|>$/g, '');
}
