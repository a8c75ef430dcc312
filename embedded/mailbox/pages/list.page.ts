/** All mails, newest first. */
import { html, type Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { formatTime } from '../../site/format-time.js';
import { toSnippet, type Message } from '../message.js';
import { findPhrases } from '../phrases.js';
import { buildFrame } from './frame.js';
import { markLanguage, formatAddress } from './format.js';

export function buildListPage(language: SiteLanguage, messages: readonly Message[], isLive: boolean): Html {
  const phrases = findPhrases(language);
  const unreadCount = messages.filter(({ read }) => !read).length;
  const title = unreadCount > 0 ? `(${unreadCount}) ${phrases.title}` : phrases.title;
  const content = html`
    <h1>${phrases.title} <span class="count">${messages.length}</span></h1>
    <div class="actions">
      <a class="button" href="${isLive ? '/' : '/?live=off'}">${phrases.refresh}</a>
      <a class="button" href="${isLive ? '/?live=off' : '/'}">${isLive ? phrases.pause : phrases.resume}</a>
      ${
        messages.length > 0 &&
        html`<form method="post" action="/delete"><button class="button" type="submit">${phrases.deleteAll}</button></form>`
      }
    </div>
    ${
      messages.length === 0
        ? html`<p class="card empty">${phrases.noMail}</p>`
        : html`<ul class="card messages">
            ${messages.map((message) => buildRow(language, message))}
          </ul>`
    }
  `;
  return buildFrame(language, title, content);
}

function buildRow(language: SiteLanguage, message: Message): Html {
  const phrases = findPhrases(language);
  return html`<li>
    <a href="/message/${message.id}" class="${message.read ? 'read' : 'unread'}">
      <span class="line">
        <strong ${markLanguage(message)}>${message.subject || phrases.noSubject}</strong>
        ${!message.read && html`<span class="unread-mark">${phrases.unread}</span>`}
        <time datetime="${message.receivedAt.toISOString()}">${formatTime(message.receivedAt, language)}</time>
      </span>
      <span class="recipients">${phrases.to} ${message.to.map(formatAddress).join(', ') || message.recipients.join(', ')}</span>
      <span class="snippet" ${markLanguage(message)}>${toSnippet(message)}</span>
    </a>
  </li>`;
}
