/** `npm run architecture`: writes the diagram and the table of imports into docs/architecture.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ARCHITECTURE_MARKS, buildArchitectureLines } from './lib/architecture.mjs';
import { ROOT } from './lib/run.mjs';
import { ensureBuilt, ensureInstalled } from './lib/setup.mjs';

await ensureInstalled();
await ensureBuilt();
const { buildMarkedTable, withGeneratedPart } = await import('../dist/src/config/generated-part.js');
const file = join(ROOT, 'docs', 'architecture.md');
const currentText = readFileSync(file, 'utf8');
const part = buildMarkedTable(ARCHITECTURE_MARKS, await buildArchitectureLines());
const updatedText = withGeneratedPart(currentText, ARCHITECTURE_MARKS, part);
if (updatedText !== currentText) writeFileSync(file, updatedText);
process.stdout.write(`docs/architecture.md: ${updatedText === currentText ? 'unchanged' : 'updated'}.\n`);
