/**
 * A mailbox for a first run and for tests. It receives mail over SMTP, and shows it on a web page and through an API. It stores mail
 * in memory and relays nothing.
 */
import { chooseLanguage, type SiteLanguage } from '../site/language.js';
import type { SiteRequest } from '../site/read-request.js';
import { page, redirect, type Reply } from '../site/reply.js';
import type { Routes } from '../site/route-table.js';
import { startSite } from '../site/start-site.js';
import { createFileHandler } from '../site/static-file.js';
import { buildApiRoutes } from './mailbox-api.js';
import type { Message } from './message.js';
import { MessageStore } from './message-store.js';
import { buildNoticePage } from './pages/frame.js';
import { buildListPage } from './pages/list.page.js';
import { MAIL_SANDBOX, chooseView, buildMessagePage } from './pages/message.page.js';
import { findPhrases } from './phrases.js';
import { startSmtpReceiver } from './smtp-receiver.js';

export interface Mailbox {
  smtpUrl: string;
  url: string;
  close(): Promise<void>;
}

const REFRESH_SECONDS = 5;

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A mail has its own styles but loads nothing, so that its sender cannot see that it was opened. */
const MAIL_POLICY = `sandbox ${MAIL_SANDBOX}; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`;

/** @throws the listening error of either port */
export async function startMailbox(settings: { host: string; smtpPort: number; webPort: number }): Promise<Mailbox> {
  const store = new MessageStore();
  const smtp = await startSmtpReceiver(settings.host, settings.smtpPort, (message) => store.add(message));
  try {
    const site = await startSite({
      host: settings.host,
      port: settings.webPort,
      headers: { 'content-security-policy': POLICY },
      routes: {
        ...buildApiRoutes(store),
        ...buildPageRoutes(store),
        'GET /mailbox.css': createFileHandler('site/site.css', 'mailbox/mailbox.css'),
        'GET /mailbox.js': createFileHandler('mailbox/mailbox.js'),
      },
      renderError: (status, _message, request) =>
        page(buildNoticePage(toLanguage(request), findPhrases(toLanguage(request)).error), status),
    });
    const close = async (): Promise<void> => {
      await Promise.all([smtp.close(), site.close()]);
    };
    return { smtpUrl: `smtp://localhost:${smtp.port}`, url: site.url, close };
  } catch (error) {
    await smtp.close();
    throw error;
  }
}

function buildPageRoutes(store: MessageStore): Routes {
  const showMessage = (request: SiteRequest, show: (message: Message) => Reply): Reply => {
    const message = store.find(request.params['id'] ?? '');
    const language = toLanguage(request);
    return message ? show(message) : page(buildNoticePage(language, findPhrases(language).notFound), 404);
  };
  return {
    'GET /': (request) => showList(store, request),
    'POST /delete': () => {
      store.delete([]);
      return redirect('/');
    },
    'GET /message/:id': (request) =>
      showMessage(request, (message) => {
        message.read = true;
        return page(buildMessagePage(toLanguage(request), message, chooseView(request.url.searchParams.get('view'), message)));
      }),
    'GET /message/:id/html': (request) => showMessage(request, showMarkup),
  };
}

/** The list refreshes itself unless the person disables that (WCAG 2.2.2). */
function showList(store: MessageStore, request: SiteRequest): Reply {
  const isLive = request.url.searchParams.get('live') !== 'off';
  const reply = page(buildListPage(toLanguage(request), store.list(), isLive));
  return isLive ? { ...reply, headers: { ...reply.headers, refresh: String(REFRESH_SECONDS) } } : reply;
}

/** The mail's own untrusted markup, unchanged except that links open in a new window. */
function showMarkup({ html }: Message): Reply {
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': MAIL_POLICY,
      'referrer-policy': 'no-referrer',
    },
    body: `<!doctype html><base target="_blank">${html}`,
  };
}

function toLanguage(request: SiteRequest | null): SiteLanguage {
  return chooseLanguage(undefined, request?.headers['accept-language']);
}
