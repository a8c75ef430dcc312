/**
 * `npm run screens`: renders every state of every page and every mail into `screens/` (ignored by git), with a
 * contact sheet for each combination of language, theme and width. Open `screens/<combination>/index.html` or the
 * sheets.
 * `-- --serve` serves all pages and mails as a gallery on port GALLERY_PORT (default: 4900), and `-- --static` writes the gallery as
 * files into the cache.
 * `npm run screens -- manage` renders only states whose names begin with `manage`, into the cache; `-- mail` renders the
 * mails; `-- console` renders the operator console, and `-- console person` its scenes whose names begin with `person`. The option
 * `--look=night` renders the pages in another look (`test/support/looks.ts`).
 */
import { join } from 'node:path';
import { ensureBrowser } from './lib/browser.mjs';
import { ROOT } from './lib/run.mjs';
import { beginRun, exitOnSignals } from './lib/run-folder.mjs';
import { ensureInstalled } from './lib/setup.mjs';

await ensureInstalled();
const browser = await ensureBrowser((line) => console.log(line));
if (!browser) process.exit(1);
process.env.CHROMIUM = browser;
process.env.NODE_ENV = 'production';

exitOnSignals();
beginRun();

const args = process.argv.slice(2);
const look = args.find((argument) => argument.startsWith('--look='))?.slice('--look='.length) ?? 'plain';
const [selection = ''] = args.filter((argument) => !argument.startsWith('--look='));
if (selection === '--serve') {
  const { serveGallery } = await load('gallery/run-gallery');
  const { origin } = await serveGallery(Number(process.env.GALLERY_PORT ?? 4900));
  console.log(`The gallery: ${origin}/`);
} else if (selection === '--static') {
  const { writeGallery } = await load('gallery/run-gallery');
  const folder = join(ROOT, '.cache', 'gallery');
  console.log(`${await writeGallery(folder)} files in ${folder}`);
} else if (selection === 'console') {
  const { drawConsole } = await load('draw-console');
  const folder = join(ROOT, '.cache', `screens-of-console${args[1] === undefined ? '' : `-${args[1]}`}`);
  console.log(`${await drawConsole(folder, args[1] ?? '')} pictures in ${folder}`);
} else {
  const { drawScreens } = await load('draw-screens');
  const name = [selection, ...(look === 'plain' ? [] : [look])].filter(Boolean).join('-');
  const folder = selection === '' && look === 'plain' ? join(ROOT, 'screens') : join(ROOT, '.cache', `screens-of-${name}`);
  console.log(`${await drawScreens(folder, { name: selection, look })} pictures in ${folder}`);
}

/** Loads a TypeScript module that the tests use too. */
async function load(name) {
  await import('../test/support/register-typescript.mjs');
  return import(`../test/support/${name}.ts`);
}
