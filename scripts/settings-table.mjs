/** `npm run settings`: writes the tables that are generated from the last build into the documents. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/run.mjs';
import { ensureBuilt, ensureInstalled } from './lib/setup.mjs';

await ensureInstalled();
await ensureBuilt();
const { withSettingsTable } = await import('../dist/src/config/settings-table.js');
const { withVersionTables } = await import('../dist/src/hydra/versions-table.js');
const { withCatalogueTables } = await import('../dist/src/telemetry/catalogue-table.js');
renew(join('docs', 'settings.md'), withSettingsTable);
renew(join('docs', 'hydra-versions.md'), withVersionTables);
renew(join('docs', 'observability.md'), withCatalogueTables);

function renew(path, rewrite) {
  const file = join(ROOT, path);
  const before = readFileSync(file, 'utf8');
  const after = rewrite(before);
  if (after !== before) writeFileSync(file, after);
  process.stdout.write(`${path}: ${after === before ? 'unchanged' : 'updated'}.\n`);
}
