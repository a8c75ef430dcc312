/** The screen of the television, legible from a distance: off, waiting with its code, signed in, or a message. */
import { Html, html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { findPhrases } from '../phrases.js';
import { findTelevisionPhrases, type TelevisionPhrases } from '../television-phrases.js';
import type { TelevisionState } from '../televisions.js';
import { toName } from '../token-set.js';
import { buildFrame } from './frame.js';

export type TelevisionScreen = TelevisionState | { name: 'off' | 'unsupported' | 'busy' | 'unreachable' };

type WaitingScreen = Extract<TelevisionScreen, { name: 'waiting' }>;

export async function buildTelevisionPage(language: SiteLanguage, screen: TelevisionScreen): Promise<Html> {
  const { account, notice } = findPhrases(language);
  const phrases = { ...findTelevisionPhrases(language), unreachable: notice.unreachable };
  const path = '/tv';
  if (screen.name === 'waiting') {
    const content = await renderWaiting(phrases, screen);
    return buildFrame(language, { title: phrases.waiting, content, head: renderPolling(screen), path });
  }
  if (screen.name === 'signed_in') {
    const name = toName(screen.tokens, null);
    const title = name === null ? account.helloUnnamed : account.hello(name);
    return buildFrame(language, {
      title,
      content: buildMessage({ title, text: phrases.signedIn, action: buildButton('/tv/sign-out', phrases.signOut) }),
      path,
    });
  }
  const { title, text } = phrases[screen.name];
  return buildFrame(language, {
    title,
    content: buildMessage({ title, text, action: buildNextAction(screen.name, phrases) }),
    path,
  });
}

/** Without script the page reloads as often as the television may poll. */
function renderPolling({ intervalSeconds }: WaitingScreen): Html {
  return html`<script src="/television.js" type="module"></script>
    <noscript><meta http-equiv="refresh" content="${Math.ceil(intervalSeconds)}" /></noscript>`;
}

async function renderWaiting(phrases: TelevisionPhrases, { codes, secondsLeft, intervalSeconds }: WaitingScreen): Promise<Html> {
  const { userCode, verificationUri, completeUri } = codes;
  const half = Math.ceil(userCode.length / 2);
  const shownAddress = verificationUri.replace(/^https?:\/\//, '');
  return html`<section class="screen" data-interval-seconds="${intervalSeconds}" data-user-code="${userCode}">
    <div>
      <h1>${phrases.waiting}</h1>
      <ol class="guide">
        <li>
          ${phrases.open}
          <a class="screen-address" href="${verificationUri}" target="_blank" rel="noopener">${shownAddress}</a>
        </li>
        <li>
          ${phrases.enter}
          <strong class="code"><span>${userCode.slice(0, half)}</span><span>${userCode.slice(half)}</span></strong>
          ${/[a-z]/.test(userCode) && html`<small>${phrases.caseCounts}</small>`}
        </li>
        <li>${phrases.allow}</li>
      </ol>
      <div class="wait">
        <p role="status">${phrases.remainingTime(Math.ceil(secondsLeft / 60))}</p>
        ${buildButton('/tv/code', phrases.newCode)}
      </div>
    </div>
    <figure class="qr">
      <div role="img" aria-label="${phrases.qrCode}">${await renderQrCode(completeUri)}</div>
      <figcaption>${phrases.camera}</figcaption>
    </figure>
  </section>`;
}

/** Inline SVG, because the content policy forbids `data:` addresses. It is safe as markup: the library writes only numbers into it. */
async function renderQrCode(address: string): Promise<Html> {
  const { toString } = await import('qrcode');
  return new Html(await toString(address, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 }));
}

function buildMessage({ title, text, action }: { title: string; text: string; action: Html }): Html {
  return html`<section class="screen">
    <div>
      <h1>${title}</h1>
      <p class="lead">${text}</p>
      ${action}
    </div>
    <div class="folder" aria-hidden="true"><i></i><i></i><i></i></div>
  </section>`;
}

function buildNextAction(screen: Exclude<TelevisionScreen['name'], 'waiting' | 'signed_in'>, phrases: TelevisionPhrases): Html {
  if (screen === 'off') return buildButton('/tv/code', phrases.signIn, 'primary');
  if (screen === 'denied' || screen === 'expired' || screen === 'failed')
    return buildButton('/tv/code', phrases.newCode, 'primary');
  return html`<p class="choices"><a class="button primary large" href="/tv">${phrases.back}</a></p>`;
}

function buildButton(action: string, label: string, rank: 'primary' | 'large' = 'large'): Html {
  return html`<form class="choices" method="post" action="${action}">
    <button class="button large ${rank}" type="submit">${label}</button>
  </form>`;
}
