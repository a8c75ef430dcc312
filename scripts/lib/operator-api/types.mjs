/** The TypeScript types of the operator API, made from its OpenAPI description. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { format } from 'oxfmt';
import { ROOT } from '../run.mjs';

const HEADER = '/** The operator API in types, as `docs/operator-api.json` describes it. Written by `npm run openapi`. */\n';

/** @param {object} document @param {string} file where the types stand @returns {Promise<string>} */
export async function operatorTypes(document, file) {
  const tree = await openapiTS(JSON.stringify(document), { silent: true, alphabetize: false });
  const text = astToString(tree).replace(/export type (webhooks|\$defs) = .*\n/g, '');
  const style = JSON.parse(readFileSync(join(ROOT, '.oxfmtrc.json'), 'utf8'));
  return (await format(file, `${HEADER}${text}`, style)).code;
}
