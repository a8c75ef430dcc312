/** `npm run settings`: writes the table of settings into the README, from the settings as they were last built. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/run.mjs';
import { ensureBuilt, ensureInstalled } from './lib/setup.mjs';

await ensureInstalled();
await ensureBuilt();
const { withSettingsTable } = await import('../dist/src/config/settings-table.js');
const readme = join(ROOT, 'README.md');
const before = readFileSync(readme, 'utf8');
const after = withSettingsTable(before);
if (after !== before) writeFileSync(readme, after);
process.stdout.write(after === before ? 'The table stands as it is.\n' : 'The table was renewed.\n');
