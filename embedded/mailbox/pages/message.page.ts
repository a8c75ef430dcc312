/** One mail: its header, and its content as HTML, text or source. */
import { html, type Html, type HtmlPart } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { formatTime } from '../../site/format-time.js';
import type { Message } from '../message.js';
import { findPhrases } from '../phrases.js';
import { buildFrame } from './frame.js';
import { markLanguage, formatAddress } from './format.js';

const VIEWS = ['html', 'text', 'source'] as const;

export type View = (typeof VIEWS)[number];

/**
 * Sandbox of a mail: links may open a new window, but scripts and forms are blocked, also when the mail is opened without the frame
 * (`start-mailbox.ts`). The mail has the origin of the mailbox, so that `mailbox.js` can measure the mail. This is safe, because a
 * mail cannot run scripts.
 */
export const MAIL_SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox';

/** @returns the requested view, by default HTML; text replaces HTML in a mail without HTML */
export function chooseView(requestedView: string | null, message: Message): View {
  const defaultView = message.html === '' ? 'text' : 'html';
  const choice = VIEWS.find((view) => view === requestedView) ?? defaultView;
  return choice === 'html' && message.html === '' ? 'text' : choice;
}

export function buildMessagePage(language: SiteLanguage, message: Message, view: View): Html {
  const phrases = findPhrases(language);
  const subject = message.subject || phrases.noSubject;
  const facts: readonly [string, string][] = [
    [phrases.from, message.from ? formatAddress(message.from) : message.returnPath],
    [phrases.to, [...message.to, ...message.cc].map(formatAddress).join(', ') || message.recipients.join(', ')],
    [phrases.date, formatTime(message.date, language)],
    [phrases.attachments, message.attachments.map(({ filename, contentType }) => filename || contentType).join(', ')],
  ];
  const content = html`
    <p><a href="/">← ${phrases.back}</a></p>
    <h1 ${markLanguage(message)}>${subject}</h1>
    <dl class="facts">
      ${facts.map(
        ([label, value]) =>
          value !== '' &&
          html`<dt>${label}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
    <nav class="actions" aria-label="${phrases.viewsLabel}">
      ${VIEWS.filter((candidate) => candidate !== 'html' || message.html !== '').map(
        (candidate) =>
          html`<a
            class="button"
            href="/message/${message.id}?view=${candidate}"
            ${candidate === view && html`aria-current="page"`}
            >${phrases.views[candidate]}</a
          >`,
      )}
    </nav>
    ${renderMessage(message, view, language)}
  `;
  return buildFrame(language, subject, content);
}

function renderMessage(message: Message, view: View, language: SiteLanguage): Html {
  const { views, openSeparately, empty } = findPhrases(language);
  const label = views[view];
  if (view === 'html')
    return html`<iframe title="${label}" sandbox="${MAIL_SANDBOX}" src="/message/${message.id}/html"></iframe>
      <noscript
        ><p class="actions"><a class="button" href="/message/${message.id}/html">${openSeparately}</a></p></noscript
      >`;
  const text = view === 'source' ? message.source.toString('utf8') : message.text;
  if (text.trim() === '') return html`<p class="card empty">${empty}</p>`;
  return html`<pre tabindex="0" aria-label="${label}" ${view === 'text' && markLanguage(message)}>
${view === 'text' ? linkUrls(text) : text}</pre>`;
}

/** Converts web addresses in a plain text mail to links. */
function linkUrls(text: string): HtmlPart {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((piece, index) =>
      index % 2 === 1 ? html`<a href="${piece}" target="_blank" rel="noopener noreferrer">${piece}</a>` : piece,
    );
}
