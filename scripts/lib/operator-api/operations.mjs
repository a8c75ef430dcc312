/**
 * Reads operations from the source of Nest controllers: path and method from decorators, parameters and bodies from
 * parameter types, the answer from the return type, errors from `@throws 404 account_not_found`.
 */
import ts from 'typescript';
import { described } from './schemas.mjs';

const METHODS = { Get: 'get', Post: 'post', Patch: 'patch', Put: 'put', Delete: 'delete' };
const LINES_TYPE = 'application/x-ndjson';

/** Descriptions of path parameters. */
const PATH_PARAMETERS = {
  id: 'Id of the account.',
  session: 'Id of the session, as in the list of sessions.',
  provider: 'Id of the provider.',
};

const REASONS = {
  400: 'The request is malformed.',
  401: 'The token is missing or wrong.',
  403: 'The token does not have the rights for this operation.',
  404: 'The resource does not exist.',
  409: 'The current state of the resource does not allow the operation.',
  413: 'The body is too large.',
  415: 'The content type of the body is not supported.',
  421: 'The API does not answer to this host name.',
  422: 'A value is not valid.',
  429: 'There were too many wrong tokens, or too many mails.',
  500: 'An unexpected error occurred. The log contains the details.',
  503: 'A required part does not answer, or too many requests are running. Try again.',
};

/** Errors that every operation may return. */
const ALWAYS = {
  400: ['bad_request'],
  401: ['unauthorized'],
  403: ['forbidden'],
  421: ['host_unknown'],
  429: ['limited'],
  500: ['internal'],
  503: ['unavailable'],
};
/** The answers that many operations share, for the components of the document. */
export const SHARED_REFUSALS = Object.fromEntries(
  Object.entries(ALWAYS).map(([status, codes]) => [`refusal-${status}`, refusal(status, codes)]),
);

const WITH_QUERY = { 400: ['missing', 'wrong_type', 'unknown_member'] };
const WITH_BODY = { 400: ['bad_json'], 413: ['too_large'], 415: ['unsupported'] };

/**
 * @param {ts.ClassDeclaration} controller
 * @param {{ checker: ts.TypeChecker, schemas: import('./schemas.mjs').Schemas, named: (name: string) => ts.Type }} tools
 * @returns {{ path: string, method: string, operation: object }[]}
 */
export function toOperations(controller, tools) {
  const prefix = readText(toDecorators(controller).get('Controller')?.arguments[0], tools.checker);
  return controller.members.filter(ts.isMethodDeclaration).flatMap((member) => {
    const decorators = toDecorators(member);
    const verb = Object.keys(METHODS).find((name) => decorators.has(name));
    if (!verb) return [];
    const own = readText(decorators.get(verb)?.arguments[0], tools.checker);
    const path = `/${[prefix, own].join('/').split('/').filter(Boolean).join('/')}`.replace(/:(\w+)/g, '{$1}');
    return [{ path, method: METHODS[verb], operation: toOperation(member, { ...tools, decorators, path, verb, controller }) }];
  });
}

function toOperation(member, { checker, schemas, named, decorators, path, verb, controller }) {
  const tag = controller.name.text.replace(/Controller$/, '');
  const status = Number(decorators.get('HttpCode')?.arguments[0]?.text ?? (verb === 'Post' ? 201 : 200));
  const { query, body } = readParameters(member, { checker, schemas, named });
  const comment = ts.displayPartsToString(checker.getSymbolAtLocation(member.name)?.getDocumentationComment(checker));
  const text = comment.replace(/\s+/g, ' ').trim();
  const rights = toRights(decorators, path);
  const parameters = [...pathParameters(path), ...query];
  const errors = [ALWAYS, ...(query.length > 0 || body ? [WITH_QUERY] : []), ...(body ? [WITH_BODY] : []), readErrors(member)];
  return {
    operationId: `${tag.charAt(0).toLowerCase()}${tag.slice(1)}.${member.name.text}`,
    tags: [tag],
    summary: /^[^.]+/.exec(text)?.[0],
    ...described(`${text} Takes a token with the rights \`${rights}\`${rights === 'admin' ? '' : ' or more'}.`),
    // OpenAPI 3.1.1, section 4.8.30.1: for `http`, the roles that are required.
    security: [{ token: [rights] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: body } } : {}),
    responses: { [status]: toAnswer(member, { checker, schemas, named, status }), ...refusals(errors) },
  };
}

/** @returns the least rights that a token needs. @throws Error for a route without rights, which the guard would refuse */
function toRights(decorators, path) {
  const rights = decorators.get('Rights')?.arguments[0]?.text;
  if (!rights) throw new Error(`A route of ${path} declares no rights.`);
  return rights;
}

function readParameters(member, { checker, schemas, named }) {
  const taken = { query: [], body: null };
  for (const parameter of member.parameters) {
    const decorators = toDecorators(parameter);
    const type = checker.getTypeAtLocation(parameter);
    if (decorators.has('Query')) taken.query = schemas.parameters(type);
    if (decorators.has('Body') && type.getProperties().length > 0)
      taken.body = { 'application/json': { schema: schemas.of(type) } };
    if (decorators.has('CurrentLines')) taken.body = { [LINES_TYPE]: { schema: schemas.of(named(toLine(member, 'param'))) } };
  }
  return taken;
}

function toAnswer(member, { checker, schemas, named, status }) {
  const line = toLine(member, 'returns');
  const headers =
    status === 201
      ? { headers: { Location: { schema: { type: 'string' }, description: 'The address of the new resource.' } } }
      : {};
  if (line) {
    const schema = schemas.of(named(line));
    return { description: 'One JSON object on each line.', content: { [LINES_TYPE]: { schema } } };
  }
  const returned = checker.getReturnTypeOfSignature(checker.getSignatureFromDeclaration(member));
  const schema = schemas.of(checker.getAwaitedType(returned));
  return { description: 'The operation succeeded.', ...headers, content: { 'application/json': { schema } } };
}

/** `@param lines of ImportLineBody`, `@returns lines of ImportLineAnswer` */
function toLine(member, name) {
  const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === name);
  return /(?:^|\b)of (\w+)/.exec(ts.getTextOfJSDocComment(tag?.comment) ?? '')?.[1];
}

function readErrors(member) {
  const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === 'throws');
  const groups = (ts.getTextOfJSDocComment(tag?.comment) ?? '').split(',').flatMap((group) => {
    const [, status, codes] = /^\s*(\d{3}) ([a-z_ ]+?)\s*$/.exec(group) ?? [];
    return status ? [[status, codes.split(' ')]] : [];
  });
  return Object.fromEntries(groups);
}

function refusals(errors) {
  const statuses = [...new Set(errors.flatMap((one) => Object.keys(one)))].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = [...new Set(errors.flatMap((one) => one[status] ?? []))].sort();
      const isShared = codes.length === ALWAYS[status]?.length;
      return [status, isShared ? { $ref: `#/components/responses/refusal-${status}` } : refusal(status, codes)];
    }),
  );
}

function refusal(status, codes) {
  const schema = { allOf: [{ $ref: '#/components/schemas/ErrorAnswer' }, { properties: { error: { enum: codes } } }] };
  return { description: REASONS[status], content: { 'application/json': { schema } } };
}

function pathParameters(path) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_PARAMETERS[name],
    schema: { type: 'string' },
  }));
}

/** @returns {Map<string, ts.CallExpression>} */
function toDecorators(node) {
  const calls = (ts.getDecorators(node) ?? []).map(({ expression }) => expression).filter(ts.isCallExpression);
  return new Map(calls.map((call) => [call.expression.getText(), call]));
}

/** Reads a string from a literal, a template or a constant. */
function readText(node, checker) {
  if (!node) return '';
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return [
      node.head.text,
      ...node.templateSpans.flatMap(({ expression, literal }) => [readText(expression, checker), literal.text]),
    ].join('');
  }
  const type = checker.getTypeAtLocation(node);
  if (!type.isStringLiteral()) throw new Error(`The value is not a string constant: ${node.getText()}.`);
  return type.value;
}
