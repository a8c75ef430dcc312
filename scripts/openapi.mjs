/**
 * `npm run openapi`: writes the OpenAPI document of the operator API from the source of its controllers, and the types of
 * its client from the document.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/run.mjs';
import { ensureInstalled } from './lib/setup.mjs';

await ensureInstalled();
// These modules are imported after the setup, because they need the TypeScript compiler.
const { operatorApi } = await import('./lib/operator-api/document.mjs');
const { ensureOperatorTypes } = await import('./lib/operator-api/types.mjs');
const file = join(ROOT, 'docs', 'operator-api.json');
const text = `${JSON.stringify(operatorApi(), null, 2)}\n`;
const isOutdated = !existsSync(file) || readFileSync(file, 'utf8') !== text;
if (isOutdated) writeFileSync(file, text);
await ensureOperatorTypes();
process.stdout.write(isOutdated ? 'docs/operator-api.json: updated.\n' : 'docs/operator-api.json: unchanged.\n');
