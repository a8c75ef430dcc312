/**
 * Serves the browser application of the console below `/console/`: its hashed files, and one document for all its pages. Both are
 * public; what the pages show comes from the operator API.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compress } from '../../gateway/http/content-encoding.js';
import { CACHED_FOREVER, sendAsset, type AssetFile } from '../../gateway/page/asset-file.js';
import { readAssets } from '../../gateway/page/assets.js';
import type { Middleware } from '../api/operator-context.js';
import { CONSOLE_PATHS, isConsoleRoute, toPath } from './console-paths.js';

/** Allows no inline scripts or styles. Scripts submit all forms, so the browser itself may submit none. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const HSTS = 'max-age=63072000';

export class ConsoleFiles {
  private constructor(
    private readonly files: ReadonlyMap<string, AssetFile>,
    private readonly document: AssetFile,
  ) {}

  /** @param folder the folder of the built application: `index.html` and `assets/` */
  static async load(folder: string): Promise<ConsoleFiles> {
    const html = await readFile(join(folder, 'index.html'), 'utf8');
    const bodies = { identity: Buffer.from(html), br: compress(html, 'br'), gzip: compress(html, 'gzip') };
    const files = await readAssets(join(folder, 'assets'), CONSOLE_PATHS.assets);
    return new ConsoleFiles(files, { type: 'text/html; charset=utf-8', bodies });
  }

  /**
   * Answers GET and HEAD requests for everything below `/console/` except the routes of the server, and redirects `/` and `/console`
   * there.
   * @param isSecure whether the console is reached over https
   */
  middleware(isSecure: boolean): Middleware {
    return (request, response, next) => {
      const path = toPath(request.url);
      if (request.method !== 'GET' && request.method !== 'HEAD') return next();
      if (path === '/' || path === '/console') {
        response.writeHead(303, { Location: CONSOLE_PATHS.root }).end();
        return;
      }
      if (!path.startsWith(CONSOLE_PATHS.root) || isConsoleRoute(path)) return next();
      if (isSecure) response.setHeader('Strict-Transport-Security', HSTS);
      const file = this.files.get(path);
      if (file) {
        response.setHeader('Cache-Control', CACHED_FOREVER);
        return sendAsset(file, request, response);
      }
      if (path.startsWith(CONSOLE_PATHS.assets)) {
        // The page of an older version may request a file of that version.
        response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('This file does not exist.');
        return;
      }
      response.setHeader('Content-Security-Policy', POLICY);
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      sendAsset(this.document, request, response);
    };
  }
}
