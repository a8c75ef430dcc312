/** Generates the OpenAPI 3.1 description of the operator API from the source of its controllers, without running it. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../run.mjs';
import { EXAMPLES } from './examples.mjs';
import { SHARED_ERRORS, toOperations } from './operations.mjs';
import { Schemas } from './schemas.mjs';

const CONTROLLERS = join(ROOT, 'src', 'operator', 'api');
const TYPES = [
  join(ROOT, 'src', 'operator', 'wire.ts'),
  join(ROOT, 'src', 'operator', 'wire-sessions.ts'),
  join(ROOT, 'src', 'operator', 'wire-deletion.ts'),
  join(ROOT, 'src', 'operator', 'wire-filters.ts'),
  join(ROOT, 'src', 'operator', 'wire-jobs.ts'),
  join(ROOT, 'src', 'operator', 'wire-operators.ts'),
  join(ROOT, 'src', 'operator', 'wire-clients.ts'),
  join(ROOT, 'src', 'operator', 'wire-approvals.ts'),
  join(CONTROLLERS, 'account-bodies.ts'),
  join(CONTROLLERS, 'client-bodies.ts'),
  join(CONTROLLERS, 'job-bodies.ts'),
];

const ABOUT =
  `For operators: manages accounts, apps and the installation. The API listens on the loopback address unless OPERATOR_HOST is set, and
requires a bearer token or a session of the console for every call. Bodies are JSON in UTF-8, at most 64 kB; the body of an import is one JSON object
on each line, at most 1000 lines and 2 MB. Every answer has an X-Request-Id, under which the log contains the details.`.replaceAll(
    '\n',
    ' ',
  );

const TOKENS =
  `OPERATOR_TOKEN, which has the right admin, or a named token of OPERATOR_TOKENS with one of the rights read, auditor,
support and admin. Every operation lists the rights that allow it; one of them is enough. Operators who are signed in to the
console call the same operations with the rights that were granted to their accounts.`.replaceAll('\n', ' ');

/** @returns {object} */
export function buildOperatorApi() {
  const files = readdirSync(CONTROLLERS).filter((name) => name.endsWith('.controller.ts'));
  const program = ts.createProgram(
    files.map((name) => join(CONTROLLERS, name)),
    toOptions(join(ROOT, 'tsconfig.json')),
  );
  const checker = program.getTypeChecker();
  const schemas = new Schemas(checker, EXAMPLES);
  const findType = createTypeFinder(program, checker);
  const operations = files
    .flatMap((name) => program.getSourceFile(join(CONTROLLERS, name)).statements.filter(ts.isClassDeclaration))
    .flatMap((controller) => toOperations(controller, { checker, schemas, findType }));
  schemas.toSchema(findType('ErrorAnswer'));
  return {
    openapi: '3.1.1',
    info: { title: 'Foyer operator API', version: 'v1', description: ABOUT },
    servers: [{ url: 'http://localhost:3001' }],
    security: [{ token: [] }],
    paths: buildPaths(operations),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: TOKENS } },
      responses: SHARED_ERRORS,
      schemas: sortMembers(schemas.components),
    },
  };
}

/** @returns a function that finds a request or answer type by its name */
function createTypeFinder(program, checker) {
  const symbols = TYPES.flatMap((file) => checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file))));
  return (name) => {
    const symbol = symbols.find((candidate) => candidate.getName() === name);
    if (!symbol) throw new Error(`The operator API has no request or answer type ${name}.`);
    return checker.getDeclaredTypeOfSymbol(symbol);
  };
}

function buildPaths(operations) {
  const paths = {};
  for (const { path, method, operation } of operations) paths[path] = { ...paths[path], [method]: operation };
  return sortMembers(paths);
}

function sortMembers(members) {
  return Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function toOptions(file) {
  const { config } = ts.parseConfigFileTextToJson(file, readFileSync(file, 'utf8'));
  return ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT).options;
}
