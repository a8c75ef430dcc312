/** The web API, in Mailpit's format (`/api/v1`), so that tests can use this mailbox or Mailpit. */
import type { SiteRequest } from '../site/read-request.js';
import { json, text, type Reply } from '../site/reply.js';
import type { Routes } from '../site/route-table.js';
import { findBlindCopies, toSnippet, type MailAddress, type Message } from './message.js';
import type { MessageStore } from './message-store.js';

const DEFAULT_LIMIT = 50;

export function buildApiRoutes(store: MessageStore): Routes {
  const showMessage = (request: SiteRequest, show: (message: Message) => Reply): Reply => {
    const message = store.find(request.params['id'] ?? '');
    return message ? show(message) : text('404 page not found\n', 404);
  };
  return {
    'GET /api/v1/messages': (request) => listMessages(store, request.url.searchParams),
    'DELETE /api/v1/messages': (request) => deleteMessages(store, request.body),
    'GET /api/v1/message/:id': (request) =>
      showMessage(request, (message) => {
        message.read = true;
        return json(toWholeMessage(message));
      }),
    'GET /api/v1/message/:id/raw': (request) => showMessage(request, ({ source }) => text(source.toString('utf8'))),
  };
}

function listMessages(store: MessageStore, query: URLSearchParams): Reply {
  const mails = store.list();
  const start = parseWholeNumber(query.get('start'), 0);
  const page = mails.slice(start, start + parseWholeNumber(query.get('limit'), DEFAULT_LIMIT));
  const unreadCount = mails.filter(({ read }) => !read).length;
  return json({
    total: mails.length,
    unread: unreadCount,
    count: page.length,
    messages_count: mails.length,
    messages_unread: unreadCount,
    start,
    tags: [],
    messages: page.map((message) => ({
      ...toSummary(message),
      Read: message.read,
      Created: message.receivedAt.toISOString(),
      Attachments: message.attachments.length,
      Snippet: toSnippet(message),
    })),
  });
}

function deleteMessages(store: MessageStore, body: string): Reply {
  const ids = readIds(body);
  if (!ids) return text('The body must be JSON such as {"IDs": ["…"]}, or empty to delete all messages.\n', 400);
  store.delete(ids);
  return text('ok');
}

/** @returns null for an invalid body, which must not delete all messages */
function readIds(body: string): string[] | null {
  if (body.trim() === '') return [];
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null) return null;
    const ids: unknown = 'IDs' in value ? value.IDs : [];
    return Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? ids : null;
  } catch {
    return null;
  }
}

function toWholeMessage(message: Message): object {
  return {
    ...toSummary(message),
    ReturnPath: message.returnPath,
    Date: message.date.toISOString(),
    Text: message.text,
    HTML: message.html,
    Inline: [],
    Attachments: message.attachments.map(({ filename, contentType, contentId, sizeBytes }, index) => ({
      PartID: String(index + 1),
      FileName: filename,
      ContentType: contentType,
      ContentID: contentId,
      Size: sizeBytes,
    })),
  };
}

function toSummary(message: Message): object {
  return {
    ID: message.id,
    MessageID: message.messageId,
    From: message.from ? toApiAddress(message.from) : null,
    To: message.to.map(toApiAddress),
    Cc: message.cc.map(toApiAddress),
    Bcc: findBlindCopies(message).map(toApiAddress),
    ReplyTo: message.replyTo.map(toApiAddress),
    Subject: message.subject,
    Tags: [],
    Size: message.source.length,
  };
}

function toApiAddress({ name, address }: MailAddress): { Name: string; Address: string } {
  return { Name: name, Address: address };
}

function parseWholeNumber(text: string | null, fallback: number): number {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : fallback;
}
