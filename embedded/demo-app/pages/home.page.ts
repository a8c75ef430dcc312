/** The page for people who are not signed in. */
import { html, type Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { findPhrases } from '../phrases.js';
import { buildFrame } from './frame.js';
import { buildTriesList } from './tries.js';

export interface SiteUrls {
  /** The page shows its host, so that the person knows where to enter the password. */
  gatewayUrl: string;
  mailboxUrl?: string | undefined;
}

export function buildHomePage(language: SiteLanguage, { gatewayUrl, mailboxUrl }: SiteUrls): Html {
  const { home } = findPhrases(language);
  return buildFrame(language, {
    title: home.title,
    content: html`
      <section class="hero">
        <div>
          <h1>${home.heading}</h1>
          <p class="lead">${home.lead}</p>
          <p class="choices">
            <a class="button primary large" href="/sign-in">${home.signIn}</a>
            <a class="button large" href="/sign-in?prompt=registration">${home.register}</a>
          </p>
        </div>
        <div class="folder" aria-hidden="true"><i></i><i></i><i></i></div>
      </section>
      ${buildTriesList(language, mailboxUrl)}
      <section class="steps" aria-labelledby="steps">
        <h2 id="steps">${home.steps}</h2>
        <ol>
          <li>
            <h3>${home.step1}</h3>
            <p>${home.step1Text} <span class="address">${new URL(gatewayUrl).host}</span></p>
          </li>
          <li>
            <h3>${home.step2}</h3>
            <p>${home.step2Text}</p>
          </li>
          <li>
            <h3>${home.step3}</h3>
            <p>${home.step3Text}</p>
          </li>
        </ol>
      </section>
      <p class="note"><strong>${home.note}</strong> ${home.noteText}</p>
    `,
  });
}
