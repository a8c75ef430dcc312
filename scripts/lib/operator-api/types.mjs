/**
 * The TypeScript types of the operator API, generated from `docs/operator-api.json`. They are not committed. The build, the checks
 * and the tests generate them when the document has changed.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../run.mjs';

const DOCUMENT = join(ROOT, 'docs', 'operator-api.json');
const TYPES = join(ROOT, 'src', 'operator', 'client', 'operator-api.ts');

/** Generates the types if they are missing or out of date. Needs the installed packages. @returns {Promise<void>} */
export async function ensureOperatorTypes() {
  const document = readFileSync(DOCUMENT, 'utf8');
  const header = `/** The operator API in types. Made from docs/operator-api.json ${createHash('sha256').update(document).digest('hex')}. */\n`;
  if (existsSync(TYPES) && readFileSync(TYPES, 'utf8').startsWith(header)) return;
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const tree = await openapiTS(document, { silent: true, alphabetize: false });
  writeFileSync(TYPES, header + astToString(tree).replace(/export type (webhooks|\$defs) = .*\n/g, ''));
}
