/** `npm run settings`: writes the tables, lists and examples that are generated from the build into the documents. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/run.mjs';
import { ensureBuilt, ensureInstalled } from './lib/setup.mjs';

await ensureInstalled();
await ensureBuilt();
const { withSettingsTable } = await import('../dist/src/config/settings-table.js');
const { withVersionTables } = await import('../dist/src/hydra/versions-table.js');
const { withCatalogueTables } = await import('../dist/src/telemetry/catalogue-table.js');
const { withEventList } = await import('../dist/src/events/events-document.js');
update(join('docs', 'settings.md'), withSettingsTable);
update(join('docs', 'hydra-versions.md'), withVersionTables);
update(join('docs', 'observability.md'), withCatalogueTables);
update(join('docs', 'events.md'), withEventList);

function update(path, rewrite) {
  const file = join(ROOT, path);
  const currentText = readFileSync(file, 'utf8');
  const updatedText = rewrite(currentText);
  if (updatedText !== currentText) writeFileSync(file, updatedText);
  process.stdout.write(`${path}: ${updatedText === currentText ? 'unchanged' : 'updated'}.\n`);
}
