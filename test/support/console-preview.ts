/**
 * Serves the built console with the content policy of the product, and answers its calls from the fixtures (`console/fixtures`). The
 * sign-in is a page that signs in at once.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { World } from '../../console/fixtures/world.js';
import { makeProjectFolder } from './project-folder.js';

const ROOT = process.cwd();

const CONTENT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** As the product serves them, so that a browser loads and compiles them once. */
const KEPT = { 'cache-control': 'public, max-age=31536000, immutable' };

export interface BuiltConsole {
  /** Contains `index.html` and `assets/`. */
  folder: string;
  remove(): void;
}

/** Returns the build in `dist` if it was made from the current sources, as in `npm test`; otherwise builds and compresses the console. */
export async function loadOrBuildConsole(): Promise<BuiltConsole> {
  const { isBuilt } = (await import(pathToFileURL(join(ROOT, 'scripts', 'lib', 'setup.mjs')).href)) as { isBuilt(): boolean };
  if (isBuilt()) return { folder: join(ROOT, 'dist', 'console'), remove: () => undefined };
  const folder = join(makeProjectFolder('console'), 'console');
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const build = [vite, 'build', '--config', 'console/vite.config.ts', '--logLevel', 'warn', '--outDir', folder];
  execFileSync(process.execPath, build, { cwd: ROOT, env: { ...process.env, NODE_ENV: 'production' } });
  execFileSync(process.execPath, [join(ROOT, 'scripts', 'precompress.mjs'), folder]);
  return { folder, remove: () => rmSync(join(folder, '..'), { recursive: true, force: true }) };
}

export interface ConsolePreview {
  origin: string;
  /** Replaced by a test that begins anew. */
  world: World;
  close(): Promise<void>;
}

/** @param scripts further files by path, which a test loads into a page */
export async function previewConsole(folder: string, scripts: Readonly<Record<string, string>> = {}): Promise<ConsolePreview> {
  const files = new Map(
    readdirSync(join(folder, 'assets')).map((name) => [`/console/assets/${name}`, join(folder, 'assets', name)]),
  );
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const preview = { origin: '', world: new World() };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = request;
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const file = files.get(pathname);
    if (file !== undefined) {
      const type = TYPES[extname(file)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, ...KEPT }).end(readFileSync(file));
      return;
    }
    const script = scripts[pathname];
    if (script !== undefined) {
      response.writeHead(200, { 'content-type': TYPES['.js'], ...KEPT }).end(script);
      return;
    }
    if (pathname === '/console/sign-in') {
      preview.world.signIn(preview.world.nextOperator);
      response.writeHead(303, { location: searchParams.get('return_to') ?? '/console/' }).end();
      return;
    }
    const given = { method, url, headers: headers as Record<string, string>, body: await readBody(request) };
    const answered = preview.world.answer(given);
    if (answered) {
      const type = answered.body === undefined ? {} : { 'content-type': 'application/json' };
      response.writeHead(answered.status, { ...type, ...answered.headers });
      response.end(answered.body === undefined ? undefined : JSON.stringify(answered.body));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': CONTENT_POLICY }).end(page);
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  preview.origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return Object.assign(preview, {
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
