/** The pages as they are released, from the current sources. */
import { execFileSync, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SHIPPED } from '../../locales/languages.js';
import type { CreateRenderer, PageRenderer } from '../../src/gateway/page/page-renderer.js';
import { makeProjectFolder } from './project-folder.js';

export interface BuiltPages {
  /** Contains `manifest.json` and `assets/`. */
  folder: string;
  /** Renders in the languages that ship. */
  renderer: PageRenderer;
  remove(): void;
}

/** Jest and the scripts both run in the project's folder. */
const ROOT = process.cwd();

/**
 * @param mode `development` includes the React that reports differences between server and browser; otherwise the
 * released build
 */
export async function buildPages(mode: 'production' | 'development' = 'production'): Promise<BuiltPages> {
  const home = makeProjectFolder('pages');
  const folder = join(home, 'web');
  await Promise.all([vite(mode, '--outDir', folder), vite(mode, '--ssr', 'server.tsx', '--outDir', join(home, 'ssr'))]);
  const remove = (): void => rmSync(home, { recursive: true, force: true });
  return { folder, renderer: await loadRenderer(home), remove };
}

/** Returns the build in `dist` if it was made from the current sources, as in `npm test`; otherwise builds and compresses the pages. */
export async function loadOrBuildPages(): Promise<BuiltPages> {
  const { isBuilt } = (await import(pathToFileURL(join(ROOT, 'scripts', 'lib', 'setup.mjs')).href)) as { isBuilt(): boolean };
  if (!isBuilt()) {
    const built = await buildPages();
    execFileSync(process.execPath, [join(ROOT, 'scripts', 'precompress.mjs'), built.folder]);
    return built;
  }
  return { folder: join(ROOT, 'dist', 'web'), renderer: await loadRenderer(join(ROOT, 'dist')), remove: () => undefined };
}

async function loadRenderer(home: string): Promise<PageRenderer> {
  const server = (await import(pathToFileURL(join(home, 'ssr', 'server.js')).href)) as { createRenderer: CreateRenderer };
  return server.createRenderer(SHIPPED.all());
}

function vite(mode: string, ...args: string[]): Promise<void> {
  const command = [join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn', '--mode', mode, ...args];
  const child = spawn(process.execPath, command, { cwd: ROOT, env: { ...process.env, NODE_ENV: mode } });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`The pages could not be built:\n${output}`))));
  });
}
