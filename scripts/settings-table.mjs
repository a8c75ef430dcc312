/**
 * `npm run settings`: writes the table of settings into the README, and those of metrics and spans into their document, from
 * the code as it was last built.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/run.mjs';
import { ensureBuilt, ensureInstalled } from './lib/setup.mjs';

await ensureInstalled();
await ensureBuilt();
const { withSettingsTable } = await import('../dist/src/config/settings-table.js');
const { withCatalogueTables } = await import('../dist/src/telemetry/catalogue-table.js');
const documents = { 'README.md': withSettingsTable, 'docs/observability.md': withCatalogueTables };
for (const [name, renew] of Object.entries(documents)) {
  const path = join(ROOT, name);
  const before = readFileSync(path, 'utf8');
  const after = renew(before);
  if (after !== before) writeFileSync(path, after);
  process.stdout.write(after === before ? `${name} stands as it is.\n` : `${name} was renewed.\n`);
}
