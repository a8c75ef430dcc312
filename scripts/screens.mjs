/**
 * `npm run screens`: renders every state of every page and every mail into `screens/` (ignored by git), with a
 * contact sheet for each combination of language, theme and width. Open `screens/<combination>/index.html` or the
 * sheets.
 * `-- --serve` serves all of them as a gallery (GALLERY_PORT, 4900), `-- --static` writes it as files into the cache.
 * `npm run screens -- manage` renders only states whose names begin with it, into the cache; `-- mail` renders the
 * mails.
 */
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBrowser } from './lib/browser.mjs';
import { ROOT } from './lib/run.mjs';
import { ensureInstalled } from './lib/setup.mjs';
import { runTool } from './lib/tools.mjs';

await ensureInstalled();
const browser = await ensureBrowser((line) => console.log(line));
if (!browser) process.exit(1);
process.env.CHROMIUM = browser;
process.env.NODE_ENV = 'production';

const [wanted = ''] = process.argv.slice(2);
if (wanted === '--serve') {
  const { serveGallery } = await load('gallery/run-gallery');
  const { origin } = await serveGallery(Number(process.env.GALLERY_PORT ?? 4900));
  console.log(`The gallery: ${origin}/`);
} else if (wanted === '--static') {
  const { writeGallery } = await load('gallery/run-gallery');
  const folder = join(ROOT, '.cache', 'gallery');
  console.log(`${await writeGallery(folder)} files in ${folder}`);
} else {
  const { drawScreens } = await load('draw-screens');
  const folder = wanted === '' ? join(ROOT, 'screens') : join(ROOT, '.cache', `screens-of-${wanted}`);
  console.log(`${await drawScreens(folder, wanted)} pictures in ${folder}`);
}

/** The tools share code with the tests, which are TypeScript; Vite bundles one into a file that any Node can run. */
async function load(name) {
  const outDir = join(ROOT, '.cache', 'screens', name);
  const { code, output } = await runTool('vite', ['build', '--ssr', `../test/support/${name}.ts`, '--outDir', outDir]);
  if (code !== 0) throw new Error(output);
  return import(pathToFileURL(join(outDir, `${basename(name)}.js`)).href);
}
