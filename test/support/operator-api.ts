/** Validates real answers against the description of the operator API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PROJECT } from './scratch-tree.js';
import type { OperatorAnswer } from './operator.js';

interface Schema {
  description?: string;
  examples?: unknown[];
}

interface ResponseDescription {
  content?: Record<string, { schema: object }>;
  $ref?: string;
}

export interface Operation {
  operationId: string;
  summary?: string;
  security?: { token: string[] }[];
  description?: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, ResponseDescription>;
}

export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, ResponseDescription> };
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

export function loadApi() {
  const document = JSON.parse(readFileSync(join(PROJECT, 'docs', 'operator-api.json'), 'utf8')) as ApiDocument;
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false });
  ajv.addFormat('date-time', DATE_TIME);
  ajv.addFormat('uri', { validate: (text: string) => URL.canParse(text) });
  ajv.addKeyword('components');
  ajv.addSchema({ $id: 'api', components: { schemas: document.components.schemas } });

  function faults(schema: object, value: unknown): string | null {
    const resolved = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object;
    return ajv.validate(resolved, value) ? null : ajv.errorsText();
  }

  /** @returns the operation of this path, and the path as in the description */
  function find(method: string, path: string): { name: string; operation: Operation } {
    const asked = path.split('?', 1)[0]?.split('/') ?? [];
    const name = Object.keys(document.paths).find((one) => {
      const parts = one.split('/');
      return parts.length === asked.length && parts.every((part, index) => part.startsWith('{') || part === asked[index]);
    });
    const operation = name === undefined ? undefined : document.paths[name]?.[method.toLowerCase()];
    if (name === undefined || !operation) throw new Error(`${method} ${path} is not described.`);
    return { name: `${method.toLowerCase()} ${name}`, operation };
  }

  return {
    document,
    find,
    /** @returns the differences between a value and a named schema, or null */
    findFaults: (name: string, value: unknown): string | null => faults({ $ref: `#/components/schemas/${name}` }, value),
    /**
     * @param path with the prefix of the API @returns how the answer differs from the description, or
     * null
     */
    findAnswerFaults(method: string, path: string, { status, headers, text }: OperatorAnswer): string | null {
      const { name, operation } = find(method, path);
      const response = operation.responses[String(status)];
      const described =
        response?.$ref === undefined ? response : document.components.responses[response.$ref.split('/').at(-1) ?? ''];
      if (!described) return `${name} says nothing of ${status}`;
      const type = String(headers['content-type']).split(';', 1)[0] ?? '';
      const schema = described.content?.[type]?.schema;
      if (!schema) return `${name} says nothing of ${type} with ${status}`;
      const values = type === 'application/json' ? [text] : text.split('\n').filter((line) => line !== '');
      return values.map((value) => faults(schema, JSON.parse(value))).find((fault) => fault !== null) ?? null;
    },
  };
}
