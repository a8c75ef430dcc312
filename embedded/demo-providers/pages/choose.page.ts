/** The page where one of the demo people is chosen with one click, without a password. */
import { html, type Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import type { Dialect } from '../dialect.js';
import { toName, type Person } from '../people.js';
import { findPhrases } from '../phrases.js';
import { buildFrame } from './frame.js';

interface Choice {
  language: SiteLanguage;
  dialect: Dialect;
  people: readonly Person[];
  /** Refers to the stored authorization request. */
  requestId: string;
}

export function buildChoosePage({ language, dialect, people, requestId }: Choice): Html {
  const phrases = findPhrases(language);
  const title = phrases.choose(dialect.title);
  return buildFrame(
    language,
    title,
    html`<section class="card choice ${dialect.id}">
      <h1>${title}</h1>
      <p>${phrases.chooseText}</p>
      <form method="post" action="/${dialect.id}/choice">
        <input type="hidden" name="request" value="${requestId}" />
        <ul class="people">
          ${people.map((person) => buildRow(person))}
        </ul>
        ${dialect.id === 'apple' && html`<p class="soft">${phrases.firstConsent}</p>`}
        <p><button class="button" type="submit" name="cancel" value="1">${phrases.cancel}</button></p>
      </form>
    </section>`,
  );
}

function buildRow(person: Person): Html {
  const [mailbox, domain] = person.email.split('@');
  return html`<li>
    <button type="submit" name="person" value="${person.key}">
      <span class="face" aria-hidden="true">${person.givenName.slice(0, 1)}</span>
      <span
        ><strong>${toName(person)}</strong><br /><span class="soft">${mailbox}<wbr />@${domain}</span></span
      >
    </button>
  </li>`;
}
