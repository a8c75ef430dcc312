/**
 * The table of operations (`src/operator/operations.ts`), for the OpenAPI description and as a table in docs/operating.md. It is
 * read from the source, so that neither depends on a build.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../run.mjs';

/** These files import only types. */
const { OPERATIONS } = await importSource('src/operator/operations.ts');
const { REASON_HEADER } = await importSource('src/operator/wire.ts');
const { OPERATOR_RIGHTS } = await importSource('src/config/value-types.ts');

export { OPERATIONS, REASON_HEADER };

const MARKS = { begin: '<!-- operations:begin · made by `npm run openapi` -->', end: '<!-- operations:end -->' };
const YES = '●';

/** @param {object} document the OpenAPI description @returns {string} Markdown, including the two marks */
function buildRightsTable(document) {
  const calls = findCalls(document);
  const columns = ['operation', 'call', ...OPERATOR_RIGHTS, 'fresh proof', 'second operator'];
  const rows = Object.entries(OPERATIONS).map(([id, { rights, dangerous, approval }]) => [
    `\`${id}\``,
    `\`${calls.get(id)}\``,
    ...OPERATOR_RIGHTS.map((right) => (rights.includes(right) ? YES : '')),
    dangerous ? YES : '',
    approval ? YES : '',
  ]);
  const lines = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [MARKS.begin, '', ...lines, '', MARKS.end].join('\n');
}

/** @throws if the text does not contain the marks @returns the text with the new table between them */
export function withRightsTable(text, document) {
  const [begin, end] = [text.indexOf(MARKS.begin), text.indexOf(MARKS.end)];
  if (begin < 0 || end < begin) throw new Error(`The text lacks the lines\n${MARKS.begin}\n${MARKS.end}`);
  return text.slice(0, begin) + buildRightsTable(document) + text.slice(end + MARKS.end.length);
}

/** @returns {Map<string, string>} method and path by operation id */
function findCalls({ paths }) {
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => {
        return [operationId, `${method.toUpperCase()} ${path.replace('/operator/v1', '')}`];
      }),
    ),
  );
}

/** Imports a TypeScript file without building it. */
async function importSource(path) {
  const { outputText } = ts.transpileModule(readFileSync(join(ROOT, path), 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputText).toString('base64')}`);
}
