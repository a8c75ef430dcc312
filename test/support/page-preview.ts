/**
 * Serves single page states without the rest of the product: the real markup, document and assets, and the gateway's
 * content policy.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PageState } from '../../src/contract/page-state.js';
import { Assets } from '../../src/gateway/page/assets.js';
import type { AssetFile } from '../../src/gateway/page/asset-file.js';
import { isCall } from '../../src/gateway/http/calls.js';
import { buildDocument } from '../../src/gateway/page/document.js';
import { SHIPPED } from '../../locales/languages.js';
import { PhraseFiles } from '../../src/gateway/page/phrase-files.js';
import { LOOKS, withLook, toLook, type Look } from './looks.js';
import type { BuiltPages } from './page-build.js';

const CONTENT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

export interface PagePreview {
  origin: string;
  /** @returns the address of this state */
  show(path: string, state: PageState): string;
  /** @param self the address of the page for an answer to a form, as in the gateway */
  html(path: string, state: PageState, self?: string): string;
  /** Finds a file that a page loads. */
  asset(path: string): AssetFile | undefined;
  close(): Promise<void>;
}

interface PreviewOptions {
  /** Further files by path, which a test loads into a page. */
  scripts?: Readonly<Record<string, string>>;
  look?: Look;
}

export async function previewPages(
  built: BuiltPages,
  { scripts = {}, look = LOOKS.plain }: PreviewOptions = {},
): Promise<PagePreview> {
  const assets = await Assets.load(built.folder, look.installation, new PhraseFiles(SHIPPED.locales, built.renderer));
  const states: PageState[] = [];

  const html = (path: string, plain: PageState, self?: string): string => {
    const state = withLook(look, plain);
    const renderedPage = built.renderer.render(state, path);
    const appLook = toLook(look, state);
    return buildDocument({
      state,
      renderedPage,
      assets: assets.listPageAssets(renderedPage, state.locale, appLook && assets.buildLookUrl(appLook)),
      dir: SHIPPED.get(state.locale).dir,
      theme: 'system',
      ...(self === undefined ? {} : { self }),
    });
  };

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const asset = assets.find(url.pathname);
    if (asset) {
      response.writeHead(200, { 'content-type': asset.type, 'cache-control': 'max-age=600' }).end(asset.bodies.identity);
      return;
    }
    const script = scripts[url.pathname];
    if (script !== undefined) {
      response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'max-age=600' }).end(script);
      return;
    }
    // Requests by script are not answered, so that the waiting page can be seen.
    if (isCall(url.pathname)) return;
    const state = states[Number(url.searchParams.get('state') ?? Number.NaN)];
    if (!state) {
      response.writeHead(404).end();
      return;
    }
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': CONTENT_POLICY })
      .end(html(url.pathname, state));
  };

  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    html,
    asset: (path) => assets.find(path),
    show: (path, state) => `${origin}${path}?state=${states.push(state) - 1}`,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}
