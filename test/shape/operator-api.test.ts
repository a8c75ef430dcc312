import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { getRule, OPERATION_IDS, type OperationId } from '../../src/operator/operations.js';
import { PROJECT } from '../support/scratch-tree.js';
import { loadApi, type ApiDocument, type Operation } from '../support/operator-api.js';

let document: ApiDocument;
let withRightsTable: (page: string, description: ApiDocument) => string;
let readErrors: (text: string) => Record<string, string[]>;
const api = loadApi();

beforeAll(async () => {
  const toScriptUrl = (name: string) => pathToFileURL(join(PROJECT, 'scripts', 'lib', 'operator-api', name)).href;
  document = ((await import(toScriptUrl('document.mjs'))) as { buildOperatorApi(): ApiDocument }).buildOperatorApi();
  ({ readErrors } = (await import(toScriptUrl('operations.mjs'))) as { readErrors: typeof readErrors });
  ({ withRightsTable } = (await import(toScriptUrl('rights.mjs'))) as { withRightsTable: typeof withRightsTable });
});

const listOperations = (): [string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  );

describe('the description of the operator API', () => {
  it('is stored in docs as the controllers define it (npm run openapi updates it)', () => {
    expect(JSON.parse(readFileSync(join(PROJECT, 'docs', 'operator-api.json'), 'utf8'))).toEqual(document);
  });

  it('is in docs/operating.md as a table of operations and rights (npm run openapi updates it)', () => {
    const page = readFileSync(join(PROJECT, 'docs', 'operating.md'), 'utf8');
    expect(page).toBe(withRightsTable(page, document));
    expect(() => withRightsTable('a text without marks', document)).toThrow('operations:begin');
  });

  it('has the error codes of a comment that continues on another line, and refuses anything else', () => {
    expect(readErrors('403 own_account,\n404 account_not_found\nfactor_not_found')).toEqual({
      403: ['own_account'],
      404: ['account_not_found', 'factor_not_found'],
    });
    expect(() => readErrors('404 account_not_found, or nothing')).toThrow('"@throws or nothing" is not a status with its codes.');
  });

  it('contains every route of every controller', () => {
    const folder = join(PROJECT, 'src', 'operator', 'api');
    const sources = readdirSync(folder).filter((name) => name.endsWith('.controller.ts'));
    const routes = sources.flatMap(
      (name) => readFileSync(join(folder, name), 'utf8').match(/^ {2}@(?:Get|Post|Patch|Put|Delete)\(/gm) ?? [],
    );
    expect(routes.length).toBeGreaterThan(15);
    expect(listOperations()).toHaveLength(routes.length);
  });

  it('has a route for every operation of the table, and no other route', () => {
    expect(listOperations().map(([, { operationId }]) => operationId)).toEqual(expect.arrayContaining([...OPERATION_IDS]));
    expect(listOperations()).toHaveLength(OPERATION_IDS.length);
  });

  it('describes for every operation its purpose, rights, parameters and answers', () => {
    const ids = listOperations().map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [name, operation] of listOperations()) {
      const { operationId, summary = '', description = '', security, parameters = [], responses } = operation;
      expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z][^.]{9,110}$/)]);
      expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].+\.$/)]);
      const { rights, dangerous } = getRule(operationId as OperationId);
      expect([name, security]).toEqual([name, [{ token: [...rights] }]]);
      for (const right of rights) expect(description).toContain(`\`${right}\``);
      expect([name, description.includes('is dangerous')]).toEqual([name, dangerous]);
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      expect(parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)).toEqual(inPath);
      const statuses = Object.keys(responses).map(Number);
      expect(statuses.filter((status) => status < 300 && status !== 202)).toHaveLength(1);
      expect([operationId, statuses.includes(202)]).toEqual([operationId, getRule(operationId as OperationId).approval === true]);
      expect(statuses).toEqual(expect.arrayContaining([401, 403, 429, 503]));
      if (inPath.length > 0) expect(statuses).toContain(404);
    }
  });

  it('describes every schema, with a valid example', () => {
    for (const [name, { description = '', examples = [] }] of Object.entries(document.components.schemas)) {
      expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)]);
      expect([name, examples.length]).toEqual([name, 1]);
      for (const example of examples) expect([name, api.findFaults(name, example)]).toEqual([name, null]);
    }
  });

  it('rejects values that do not match a schema', () => {
    expect(api.findFaults('SessionsAnswer', { ended: 2, upstream: 'ended' })).toBeNull();
    expect(api.findFaults('SessionsAnswer', { ended: 2 })).toContain('upstream');
    expect(api.findFaults('SessionsAnswer', { ended: 'two', upstream: 'ended' })).toContain('number');
    expect(api.findFaults('SessionsAnswer', { ended: 2, upstream: 'gone' })).toContain('allowed values');
    expect(api.findFaults('SessionsAnswer', { ended: 2, upstream: 'ended', more: 1 })).toContain('additional');
  });
});
