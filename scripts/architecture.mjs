/** `npm run architecture`: writes the diagram and the table of imports into docs/architecture.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ARCHITECTURE_MARKS, architectureLines } from './lib/architecture.mjs';
import { ROOT } from './lib/run.mjs';
import { ensureBuilt, ensureInstalled } from './lib/setup.mjs';

await ensureInstalled();
await ensureBuilt();
const { buildMarkedTable, withGeneratedPart } = await import('../dist/src/config/generated-part.js');
const file = join(ROOT, 'docs', 'architecture.md');
const current = readFileSync(file, 'utf8');
const part = buildMarkedTable(ARCHITECTURE_MARKS, await architectureLines());
const updated = withGeneratedPart(current, ARCHITECTURE_MARKS, part);
if (updated !== current) writeFileSync(file, updated);
process.stdout.write(`docs/architecture.md: ${updated === current ? 'unchanged' : 'updated'}.\n`);
