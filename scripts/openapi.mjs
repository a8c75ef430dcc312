/**
 * `npm run openapi`: writes the OpenAPI document of the operator API from the source of its controllers, and the types of
 * its client from the document.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/run.mjs';
import { ensureInstalled } from './lib/setup.mjs';

await ensureInstalled();
// Imported after the setup, because they need the compiler.
const { operatorApi } = await import('./lib/operator-api/document.mjs');
const { operatorTypes } = await import('./lib/operator-api/types.mjs');
const document = operatorApi();
const types = join(ROOT, 'src', 'operator', 'client', 'operator-api.ts');
const files = [
  [join(ROOT, 'docs', 'operator-api.json'), `${JSON.stringify(document, null, 2)}\n`],
  [types, await operatorTypes(document, types)],
];
const outdated = files.filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text);
for (const [file, text] of outdated) writeFileSync(file, text);
process.stdout.write(outdated.length === 0 ? 'The description stands as it is.\n' : 'The description was renewed.\n');
