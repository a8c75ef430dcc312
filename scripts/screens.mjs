/**
 * `npm run screens`: renders every state of every page and every mail into `screens/` (ignored by git), with a
 * contact sheet for each combination of language, theme and width. Open `screens/<combination>/index.html` or the
 * sheets.
 * `npm run screens -- manage` renders only states whose names begin with it, into the cache; `-- mail` renders the
 * mails.
 */
import { join } from 'node:path';
import { ensureBrowser } from './lib/browser.mjs';
import { ROOT } from './lib/run.mjs';
import { ensureInstalled } from './lib/setup.mjs';

await ensureInstalled();
const browser = await ensureBrowser((line) => console.log(line));
if (!browser) process.exit(1);
process.env.CHROMIUM = browser;
process.env.NODE_ENV = 'production';

// The renderer shares code with the tests, which are TypeScript.
await import('../test/support/register-typescript.mjs');
const { drawScreens } = await import('../test/support/draw-screens.ts');
const [wanted = ''] = process.argv.slice(2);
const folder = wanted === '' ? join(ROOT, 'screens') : join(ROOT, '.cache', `screens-of-${wanted}`);
console.log(`${await drawScreens(folder, wanted)} pictures in ${folder}`);
