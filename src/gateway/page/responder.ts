/** Writes an outcome as a response. */
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { Assets } from './assets.js';
import { negotiateEncodings, compress } from '../http/content-encoding.js';
import { headersFit } from '../http/header-size.js';
import { detectLanguage } from '../http/language.js';
import { Cookies } from '../security/cookies.js';
import { buildDocument, buildRefreshDocument } from './document.js';
import { KeptPages, type PageView } from './kept-pages.js';
import type { CookieChange, Outcome, PageOutcome } from './outcome.js';
import { PageComposer } from './page-composer.js';
import { PageRenderer } from './page-renderer.js';
import type { RequestContext } from '../http/request-context.js';

@Injectable()
export class Responder {
  readonly #pages = new KeptPages((view) => this.#render(view));

  constructor(
    private readonly composer: PageComposer,
    private readonly renderer: PageRenderer,
    private readonly assets: Assets,
    private readonly cookies: Cookies,
    @Inject(CONFIG) private readonly config: Pick<Config, 'app' | 'language'>,
  ) {}

  send(response: Response, context: RequestContext, outcome: Outcome): void {
    if (outcome.kind === 'page') return this.#sendPage(response, context, outcome);
    this.#setCookies(response, context, outcome.cookies);
    if (outcome.kind === 'redirect') {
      if (!headersFit(response, { location: [outcome.url] })) return this.#sendRefreshPage(response, context, outcome.url);
      response.status(303).setHeader('Location', outcome.url);
      response.end();
    } else {
      response.setHeader('Content-Disposition', `attachment; filename="${outcome.name}"`);
      // Indented, because people read the file too.
      response
        .status(200)
        .type('json')
        .send(JSON.stringify(outcome.value, null, 2));
    }
  }

  #sendPage(response: Response, context: RequestContext, outcome: PageOutcome): void {
    const state = this.composer.compose(context, outcome);
    const self = toSelf(context, outcome, response.req.method);
    const look = outcome.look && this.assets.buildLookUrl(outcome.look);
    const html = this.#pages.html({ state, path: context.path, ...self, ...defined({ look }) });
    const [encoding = 'identity'] = negotiateEncodings(response.req.headers['accept-encoding']);
    response.status(outcome.status);
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Content-Language', state.locale);
    response.setHeader('Vary', 'Accept-Encoding, Accept-Language, Cookie');
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    if (outcome.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(outcome.retryAfterSeconds));
    this.#setCookies(response, context, outcome.cookies);
    response.end(compress(html, encoding));
  }

  /**
   * Sends a page that the browser immediately leaves, because the address of the redirect does not fit into the headers. Like a
   * redirect, the page works in a frame, in which an app may check with `prompt=none` whether a person is signed in.
   */
  #sendRefreshPage(response: Response, context: RequestContext, url: string): void {
    const { language, app } = this.config;
    const { locale } = detectLanguage({ ...context.language, uiLocales: [] }, language);
    response.removeHeader('X-Frame-Options');
    response.setHeader('Content-Security-Policy', "default-src 'none';base-uri 'none'");
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.status(200).end(buildRefreshDocument(url, language.offered.get(locale), app.theme));
  }

  #render({ state, path, self, look }: PageView): string {
    const renderedPage = this.renderer.render(state, path);
    const assets = this.assets.listPageAssets(renderedPage, state.locale, look);
    const { dir } = this.config.language.offered.get(state.locale);
    return buildDocument({ state, renderedPage, assets, dir, theme: this.config.app.theme, ...defined({ self }) });
  }

  #setCookies(response: Response, context: RequestContext, change: CookieChange): void {
    const browser = change.browser ?? (context.isKnownBrowser ? undefined : { id: context.browser });
    const { detection, offered } = this.config.language;
    const chosenLanguage = offered.find(context.language.query ?? '');
    const languageLines = detection === 'full' && chosenLanguage ? [this.cookies.writeLanguage(chosenLanguage.locale)] : [];
    const { resume, ...otherChanges } = { ...change, ...(browser ? { browser } : {}) };
    const lines = [...this.cookies.write(otherChanges), ...languageLines];
    // The form contains the waiting request too; the cookie is for people who return with only the address of the page.
    const resumeLines = this.cookies.write(resume === undefined ? {} : { resume });
    if (headersFit(response, { 'set-cookie': [...lines, ...resumeLines] })) lines.push(...resumeLines);
    if (lines.length > 0) response.setHeader('Set-Cookie', lines);
  }
}

/**
 * The address that shows the page again, for a refused form. Pages that are shown only once (recovery codes) have none, so the
 * browser asks before it reloads them. The error page `server_error` has none either, because a GET would show something else.
 */
function toSelf({ url }: RequestContext, { content, status, self = url }: PageOutcome, method: string): { self?: string } {
  if (method !== 'POST' || status < 400 || content.page === 'server_error') return {};
  return { self: self.replace(/^[/\\]+/, '/') };
}
