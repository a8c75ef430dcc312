/** Pages with one message and links to continue: signed out, not signed in, no longer valid, refused, unreachable, failed, not found. */
import { html, type Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { findPhrases } from '../phrases.js';
import { IssuerUnreachable, ProtocolFailure, OAuthError } from '../protocol-errors.js';
import { buildFrame } from './frame.js';

export type Notice = 'signedOut' | 'notSignedIn' | 'stale' | 'refused' | 'unreachable' | 'failed';

export interface NoticeDetails {
  /** OAuth error code and description; untrusted, because anyone can put them in an address. */
  code?: string;
  description?: string;
  signedIn?: boolean;
}

export function buildNoticePage(
  language: SiteLanguage,
  notice: Notice,
  { code, description, signedIn }: NoticeDetails = {},
): Html {
  const phrases = findPhrases(language).notice;
  const reasons: Readonly<Record<string, string>> = phrases.reasons;
  const { title, text } = phrases[notice];
  const reason = code !== undefined && Object.hasOwn(reasons, code) ? reasons[code] : text;
  const content = html`<section class="card notice">
    <h1>${title}</h1>
    <p class="lead">${reason}</p>
    ${
      code !== undefined &&
      html`<dl class="facts" aria-label="${phrases.details}">
        <dt>error</dt>
        <dd>${code}</dd>
        ${
          description &&
          html`<dt>error_description</dt>
            <dd>${description}</dd>`
        }
      </dl>`
    }
    <p class="row">
      <a class="button primary" href="/sign-in">${phrases.retry}</a>
      <a class="button" href="/">${signedIn ? phrases.toPortal : 'Beispielportal'}</a>
    </p>
  </section>`;
  return buildFrame(language, { title, content });
}

/** @returns null if the error is not a protocol error but a defect in this app */
export function buildErrorPage(
  language: SiteLanguage,
  error: unknown,
  { signedIn }: { signedIn: boolean },
): { content: Html; status: number } | null {
  if (error instanceof OAuthError) {
    return {
      content: buildNoticePage(language, 'refused', { code: error.code, description: error.description, signedIn }),
      status: 400,
    };
  }
  if (error instanceof ProtocolFailure) return { content: buildNoticePage(language, 'failed', { signedIn }), status: 400 };
  if (error instanceof IssuerUnreachable) return { content: buildNoticePage(language, 'unreachable', { signedIn }), status: 503 };
  return null;
}

/**
 * The page for errors of the site itself, for example an unknown address or a body that is too large.
 * @param message in English; shown for a request that was refused before its language was known, and therefore in English
 */
export function buildSiteErrorPage(language: SiteLanguage, status: number, message?: string): Html {
  const { siteError } = findPhrases(language);
  const { title, text } = status === 404 ? siteError[404] : siteError.other;
  const content = html`<section class="card notice">
    <h1>${title}</h1>
    <p class="lead">${message ?? text}</p>
    <p><a class="button primary" href="/">Beispielportal</a></p>
  </section>`;
  return buildFrame(language, { title, content });
}
