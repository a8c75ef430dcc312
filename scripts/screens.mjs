/**
 * `npm run screens`: renders every state of every page and every mail into `screens/` (ignored by git), with a
 * contact sheet for each combination of language, theme and width. Open `screens/<combination>/index.html` or the
 * sheets.
 * `npm run screens -- manage` renders only states whose names begin with it, into the cache; `-- mail` renders the
 * mails.
 */
import { join } from 'node:path';
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

// The renderer shares code with the tests, which are TypeScript; Vite bundles it into one file that any Node can run.
const tool = join(ROOT, '.cache', 'screens');
const { code, output } = await runTool('vite', ['build', '--ssr', '../test/support/draw-screens.ts', '--outDir', tool]);
if (code !== 0) {
  console.error(output);
  process.exit(code);
}
const { drawScreens } = await import(pathToFileURL(join(tool, 'draw-screens.js')).href);
const [wanted = ''] = process.argv.slice(2);
const folder = wanted === '' ? join(ROOT, 'screens') : join(ROOT, '.cache', `screens-of-${wanted}`);
console.log(`${await drawScreens(folder, wanted)} pictures in ${folder}`);
