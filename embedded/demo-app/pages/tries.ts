/** The list of things to try. Each links to `/try/<name>`, which redirects to the address in `../tries.ts`. */
import { html, type Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { findPhrases } from '../phrases.js';
import { TRIES } from '../tries.js';

/** @param mailboxUrl where the mails of the demo arrive; without it, the list does not link to the mailbox */
export function buildTriesList(language: SiteLanguage, mailboxUrl: string | undefined): Html {
  const { tries } = findPhrases(language);
  const mailbox = mailboxUrl !== undefined && html`${tries.mailArrives} <a href="${mailboxUrl}">${tries.mailbox}</a>`;
  return html`<section class="tries" aria-labelledby="tries">
    <h2 id="tries">${tries.heading}</h2>
    <ol class="card">
      ${TRIES.map((name) => {
        const [title, text] = tries[name];
        return html`<li>
          <h3><a href="/try/${name}">${title}</a></h3>
          <p>${text} ${name === 'password' && mailbox}</p>
        </li>`;
      })}
    </ol>
    <p>${tries.languages}</p>
  </section>`;
}
