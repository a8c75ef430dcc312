/** `npm run openapi`: writes the OpenAPI document of the operator API from the source of its controllers. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/run.mjs';
import { ensureInstalled } from './lib/setup.mjs';

await ensureInstalled();
// Imported after the setup, because it needs the compiler.
const { operatorApi } = await import('./lib/operator-api/document.mjs');
const file = join(ROOT, 'docs', 'operator-api.json');
const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
const after = `${JSON.stringify(operatorApi(), null, 2)}\n`;
if (after !== before) writeFileSync(file, after);
process.stdout.write(after === before ? 'The description stands as it is.\n' : 'The description was renewed.\n');
