/** The web API, in Mailpit's format (`/api/v1`), so that tests can use either. */
import type { SiteRequest } from '../site/read-request.js';
import { json, text, type Reply } from '../site/reply.js';
import type { Routes } from '../site/route-table.js';
import { blindCopies, snippet, type MailAddress, type Message } from './message.js';
import type { MessageStore } from './message-store.js';

const DEFAULT_LIMIT = 50;

export function apiRoutes(store: MessageStore): Routes {
  const one = (request: SiteRequest, show: (message: Message) => Reply): Reply => {
    const message = store.find(request.params['id'] ?? '');
    return message ? show(message) : text('404 page not found\n', 404);
  };
  return {
    'GET /api/v1/messages': (request) => listMessages(store, request.url.searchParams),
    'DELETE /api/v1/messages': (request) => deleteMessages(store, request.body),
    'GET /api/v1/message/:id': (request) =>
      one(request, (message) => {
        message.read = true;
        return json(wholeMessage(message));
      }),
    'GET /api/v1/message/:id/raw': (request) => one(request, ({ source }) => text(source.toString('utf8'))),
  };
}

function listMessages(store: MessageStore, query: URLSearchParams): Reply {
  const all = store.list();
  const start = wholeNumber(query.get('start'), 0);
  const shown = all.slice(start, start + wholeNumber(query.get('limit'), DEFAULT_LIMIT));
  const unread = all.filter(({ read }) => !read).length;
  return json({
    total: all.length,
    unread,
    count: shown.length,
    messages_count: all.length,
    messages_unread: unread,
    start,
    tags: [],
    messages: shown.map((message) => ({
      ...heads(message),
      Read: message.read,
      Created: message.receivedAt.toISOString(),
      Attachments: message.attachments.length,
      Snippet: snippet(message),
    })),
  });
}

function deleteMessages(store: MessageStore, body: string): Reply {
  const ids = readIds(body);
  if (!ids) return text('The body has to be JSON like {"IDs": ["…"]}, or empty to delete all.\n', 400);
  store.delete(ids);
  return text('ok');
}

/** @returns null for an invalid body, which must not count as "all" */
function readIds(body: string): string[] | null {
  if (body.trim() === '') return [];
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== 'object' || parsed === null) return null;
    const ids: unknown = 'IDs' in parsed ? parsed.IDs : [];
    return Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? ids : null;
  } catch {
    return null;
  }
}

function wholeMessage(message: Message): object {
  return {
    ...heads(message),
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

function heads(message: Message): object {
  return {
    ID: message.id,
    MessageID: message.messageId,
    From: message.from ? inApi(message.from) : null,
    To: message.to.map(inApi),
    Cc: message.cc.map(inApi),
    Bcc: blindCopies(message).map(inApi),
    ReplyTo: message.replyTo.map(inApi),
    Subject: message.subject,
    Tags: [],
    Size: message.source.length,
  };
}

function inApi({ name, address }: MailAddress): { Name: string; Address: string } {
  return { Name: name, Address: address };
}

function wholeNumber(text: string | null, fallback: number): number {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : fallback;
}
