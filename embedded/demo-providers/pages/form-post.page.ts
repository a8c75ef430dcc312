/**
 * OAuth 2.0 Form Post Response Mode: a page that submits the answer to the client by script. If script is off, the page shows a button
 * that submits the answer.
 */
import { createHash } from 'node:crypto';
import { Html, html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { page, type Reply } from '../../site/reply.js';
import { findPhrases } from '../phrases.js';
import { buildFrame } from './frame.js';

/** The content policy allows this script by its hash, and no other script. */
const SCRIPT = 'document.forms[0].submit()';
const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');

export function buildFormPostReply(language: SiteLanguage, action: string, parameters: Record<string, string>): Reply {
  const phrases = findPhrases(language);
  const content = html`<form method="post" action="${action}">
      ${Object.entries(parameters).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <p>${phrases.redirecting}</p>
      <noscript><button class="button" type="submit">${phrases.proceed}</button></noscript>
    </form>
    ${new Html(`<script>${SCRIPT}</script>`)}`;
  const reply = page(buildFrame(language, phrases.redirecting, content));
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'content-security-policy': `default-src 'none'; style-src 'self'; script-src 'sha256-${SCRIPT_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
      // With this policy the browser sends the site's origin to the client, as with Apple. With `same-origin` it sends `Origin: null`.
      'referrer-policy': 'strict-origin',
    },
  };
}
