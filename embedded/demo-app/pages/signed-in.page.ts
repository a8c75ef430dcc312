/** The page for a signed-in person: what the app learned about them, formatted and raw, and links to further requests. */
import { html, type Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { findPhrases, type Phrases } from '../phrases.js';
import type { Session } from '../portal-sessions.js';
import { toName, type TokenSet } from '../token-set.js';
import { formatTime } from '../../site/format-time.js';
import { formatClaims } from './claims.js';
import { buildFrame } from './frame.js';
import { buildTriesList } from './tries.js';

export function buildSessionPage(language: SiteLanguage, { tokens, userinfo }: Session, mailboxUrl?: string): Html {
  const { account } = findPhrases(language);
  const name = toName(tokens, userinfo);
  return buildFrame(language, {
    title: account.title,
    aside: html`<form method="post" action="/sign-out"><button class="button" type="submit">${account.signOut}</button></form>`,
    content: html`
      <div class="greeting">
        <h1>${name === null ? account.helloUnnamed : account.hello(name)}</h1>
        <p class="lead">${account.lead}</p>
      </div>
      <div class="columns">
        <div class="column">
          ${buildSettingsCard(account, tokens)} ${buildIdTokenCard(account, tokens, language)}
          ${buildRequestsCard(account, language)}
        </div>
        <div class="column">${buildAccessCard(account, tokens, language)} ${buildUserinfoCard(account, userinfo, language)}</div>
      </div>
      ${buildTriesList(language, mailboxUrl)}
    `,
  });
}

function buildSettingsCard(account: Phrases['account'], { scopes }: TokenSet): Html {
  const mayManage = scopes.includes('id');
  return html`<section class="card" aria-labelledby="settings">
    <h2 id="settings">${account.settings}</h2>
    <p>${mayManage ? account.settingsText : account.settingsNone}</p>
    ${mayManage && html`<p><a class="button" href="/account">${account.settings}</a></p>`}
  </section>`;
}

function buildIdTokenCard(account: Phrases['account'], { claims, idToken }: TokenSet, language: SiteLanguage): Html {
  return html`<section class="card" aria-labelledby="id-token">
    <h2 id="id-token">${account.idToken}</h2>
    <p>${account.idTokenText}</p>
    ${buildClaimList(formatClaims(claims, account.claimNames, language))}
    <details>
      <summary>${account.raw}</summary>
      <h3>${account.claims}</h3>
      <pre tabindex="0" aria-label="${account.claims}">${JSON.stringify(claims, null, 2)}</pre>
      <h3>${account.encoded}</h3>
      <pre class="wrap" tabindex="0" aria-label="${account.encoded}">${idToken}</pre>
    </details>
  </section>`;
}

function buildAccessCard(account: Phrases['account'], tokens: TokenSet, language: SiteLanguage): Html {
  return html`<section class="card" aria-labelledby="access">
    <h2 id="access">${account.access}</h2>
    <p>${account.accessText}</p>
    <dl class="facts">
      <dt>${account.scopes}</dt>
      <dd>${tokens.scopes.map((scope) => html`<code class="chip">${scope}</code> `)}</dd>
      ${
        tokens.expiresAt !== undefined &&
        html`<dt>${account.validUntil}</dt>
          <dd>${formatTime(tokens.expiresAt, language)}</dd>`
      }
      <dt>${account.renewable}</dt>
      <dd>${tokens.refreshToken === undefined ? account.no : account.yes}</dd>
    </dl>
    ${
      tokens.refreshToken !== undefined &&
      html`<form method="post" action="/refresh"><button class="button" type="submit">${account.refresh}</button></form>`
    }
  </section>`;
}

function buildUserinfoCard(account: Phrases['account'], userinfo: Session['userinfo'], language: SiteLanguage): Html {
  return html`<section class="card" aria-labelledby="userinfo">
    <h2 id="userinfo">${account.userinfo}</h2>
    <p>${account.userinfoText}</p>
    ${userinfo ? buildClaimList(formatClaims(userinfo, account.claimNames, language)) : html`<p>${account.userinfoNone}</p>`}
    <form method="post" action="/userinfo"><button class="button" type="submit">${account.userinfoAgain}</button></form>
  </section>`;
}

function buildRequestsCard(account: Phrases['account'], language: SiteLanguage): Html {
  const otherLanguage = language === 'de' ? 'en' : 'de';
  const requests = [
    { href: '/sign-in', label: account.again, text: account.againText },
    { href: '/sign-in?scope=profile+email', label: account.scopesMore, text: account.scopesMoreText },
    { href: '/sign-in?prompt=login', label: account.force, text: account.forceText },
    { href: '/sign-in?prompt=login&acr_values=urn:foyer:acr:mfa', label: account.secondFactor, text: account.secondFactorText },
    { href: `/sign-in?prompt=login&ui_locales=${otherLanguage}`, label: account.otherLanguage, text: account.otherLanguageText },
  ];
  return html`<section class="card" aria-labelledby="requests">
    <h2 id="requests">${account.more}</h2>
    <p>${account.moreText}</p>
    <ul class="requests">
      ${requests.map(
        ({ href, label, text }) =>
          html`<li>
            <a class="button" href="${href}">${label}</a>
            <span>${text}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}

function buildClaimList(claims: readonly { name: string; label: string; value: string }[]): Html {
  return html`<dl class="facts">
    ${claims.map(
      ({ name, label, value }) =>
        html`<dt>${label} ${label === name ? null : html`<code>${name}</code>`}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}
