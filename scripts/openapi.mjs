/**
 * `npm run openapi`: writes the OpenAPI document of the operator API from the source of its controllers, the types of its client
 * from the document, and the table of operations and rights in docs/operating.md.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/run.mjs';
import { ensureInstalled } from './lib/setup.mjs';

await ensureInstalled();
// These modules are imported after the setup, because they need the TypeScript compiler.
const { buildOperatorApi } = await import('./lib/operator-api/document.mjs');
const { ensureOperatorTypes } = await import('./lib/operator-api/types.mjs');
const { withRightsTable } = await import('./lib/operator-api/rights.mjs');
const document = buildOperatorApi();
update(join('docs', 'operator-api.json'), () => `${JSON.stringify(document, null, 2)}\n`);
update(join('docs', 'operating.md'), (page) => withRightsTable(page, document));
await ensureOperatorTypes();

function update(path, rewrite) {
  const file = join(ROOT, path);
  const currentText = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const updatedText = rewrite(currentText);
  if (updatedText !== currentText) writeFileSync(file, updatedText);
  process.stdout.write(`${path}: ${updatedText === currentText ? 'unchanged' : 'updated'}.\n`);
}
