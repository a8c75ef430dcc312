/**
 * Reads operations from the source of Nest controllers: path and method from decorators, parameters and bodies from
 * parameter types, the answer from the return type, errors from `@throws 404 account_not_found`. For a body or an
 * answer of several lines, the doc comment names the type of a line.
 */
import ts from 'typescript';
import { OPERATIONS, REASON_HEADER } from './rights.mjs';
import { withDescription } from './schemas.mjs';

const METHODS = { Get: 'get', Post: 'post', Patch: 'patch', Put: 'put', Delete: 'delete' };
const LINES_TYPE = 'application/x-ndjson';

/** Descriptions of path parameters. */
const PATH_PARAMETERS = {
  id: 'Id of the account.',
  session: 'Id of a session, as listed.',
  provider: 'Id of the provider.',
  browser: 'Id of a trusted browser, as listed.',
  factor: 'Id of a factor, as listed with the account; its kind, if it has none.',
  right: 'Name of the right.',
  client: 'Id of the client at Hydra.',
  approval: 'Id of the approval.',
  filter: 'Id of the filter, as listed.',
  invitation: 'Id of the invitation.',
  job: 'Number of the job.',
  mail: 'Id of the mail, as listed.',
  fault: 'Id of a refused call, as listed.',
  account: 'Id of the account.',
  application: 'Id of the sign-up, as listed.',
  sink: 'Name of the sink in EVENT_SINKS.',
  sha256: 'SHA-256 hash of the text.',
};

const REASONS = {
  400: 'The request is malformed.',
  401: 'The token is missing or wrong, or there is no session of the console.',
  403: 'The rights of the token or operator do not suffice, or a rule of the console is not met; the code states which.',
  404: 'The account, or something else that the request names, does not exist.',
  409: 'The call conflicts with the current state; the code states the conflict.',
  413: 'The body is too large.',
  415: 'The call does not accept the content type of the body.',
  421: 'The Host header names a host that this API does not accept.',
  422: 'A value is not allowed.',
  429: 'Too many calls were made without an accepted token, or too many mails were requested.',
  500: 'An internal error occurred; the log contains the details.',
  503: 'The database, Hydra or a user source does not answer, or Foyer is overloaded: try again later.',
};

/** Errors that every operation may return. */
const COMMON_ERRORS = {
  400: ['bad_request', 'wrong_type'],
  401: ['signed_out', 'unauthorized'],
  403: ['forbidden'],
  421: ['host_unknown'],
  429: ['limited'],
  500: ['internal'],
  503: ['unavailable'],
};
/** The responses for common errors, which the operations refer to. */
export const SHARED_ERRORS = Object.fromEntries(
  Object.entries(COMMON_ERRORS).map(([status, codes]) => [`refusal-${status}`, buildErrorResponse(status, codes)]),
);

const QUERY_ERRORS = { 400: ['missing', 'unknown_member'] };
/** The header of every change. */
const REASON = {
  name: REASON_HEADER,
  in: 'header',
  required: false,
  description:
    'Why the operator makes the change, for the audit log: 1 to 500 characters, percent-encoded in UTF-8. The console requires it.',
  schema: { type: 'string' },
};

const BODY_ERRORS = { 400: ['bad_json'], 413: ['too_large'], 415: ['unsupported'] };

/**
 * @param {ts.ClassDeclaration} controller
 * @param {{ checker: ts.TypeChecker, schemas: import('./schemas.mjs').Schemas, findType: (name: string) => ts.Type }} tools
 * @returns {{ path: string, method: string, operation: object }[]}
 */
export function toOperations(controller, tools) {
  const prefix = toText(toDecorators(controller).get('Controller')?.arguments[0], tools.checker);
  return controller.members.filter(ts.isMethodDeclaration).flatMap((member) => {
    const decorators = toDecorators(member);
    const verb = Object.keys(METHODS).find((name) => decorators.has(name));
    if (!verb) return [];
    const routePath = toText(decorators.get(verb)?.arguments[0], tools.checker);
    const path = `/${[prefix, routePath].join('/').split('/').filter(Boolean).join('/')}`.replace(/:(\w+)/g, '{$1}');
    return [{ path, method: METHODS[verb], operation: toOperation(member, { ...tools, decorators, path, verb, controller }) }];
  });
}

function toOperation(member, { checker, schemas, findType, decorators, path, verb, controller }) {
  const tag = controller.name.text.replace(/Controller$/, '');
  const id = `${tag.charAt(0).toLowerCase()}${tag.slice(1)}.${member.name.text}`;
  const rule = findRule(id, { decorators, path });
  const status = Number(decorators.get('HttpCode')?.arguments[0]?.text ?? (verb === 'Post' ? 201 : 200));
  const { query, body } = findInputs(member, { checker, schemas, findType });
  const comment = ts.displayPartsToString(checker.getSymbolAtLocation(member.name)?.getDocumentationComment(checker));
  const text = comment.replace(/\s+/g, ' ').trim();
  const parameters = [...buildPathParameters(path), ...query, ...(rule.changes ? [REASON] : [])];
  const errors = [
    COMMON_ERRORS,
    toRuleErrors(rule, path),
    ...(query.length > 0 || body ? [QUERY_ERRORS] : []),
    ...(body ? [BODY_ERRORS] : []),
    findErrors(member),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary: /^[^.]+/.exec(text)?.[0],
    ...withDescription([text, ...describeRule(rule)].join(' ')),
    // OpenAPI 3.1.1, section 4.8.30.1: for `http`, roles. One of these is enough.
    security: [{ token: [...rule.rights] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: body } } : {}),
    responses: {
      [status]: toAnswer(member, { checker, schemas, findType, status }),
      ...(rule.approval ? { 202: toHeldAnswer({ schemas, findType }) } : {}),
      ...buildErrorResponses(errors),
    },
  };
}

/** Refuses a route that declares no operation, as the guard does. @returns the rule of the table */
function findRule(id, { decorators, path }) {
  const declaredId = decorators.get('Operation')?.arguments[0]?.text;
  if (declaredId !== id)
    throw new Error(
      `The route of ${path} must declare the operation '${id}', but declares ${declaredId ? `'${declaredId}'` : 'none'}.`,
    );
  return OPERATIONS[id];
}

function describeRule({ rights, dangerous }) {
  const quotedRights = rights.map((right) => `\`${right}\``);
  const lastRight = quotedRights.pop();
  const alternatives = quotedRights.length === 0 ? lastRight : `${quotedRights.join(', ')} or ${lastRight}`;
  return [
    rights.length === 1 ? `Requires the right ${alternatives}.` : `Requires one of the rights ${alternatives}.`,
    ...(dangerous ? ['The operation is dangerous: in the console it requires a proof that is not older than 15 minutes.'] : []),
  ];
}

/** Errors of the guard, in addition to the common errors. */
function toRuleErrors({ changes, dangerous, rights }, path) {
  const concernsAccount = changes && path.includes('{id}');
  return {
    403: [
      ...(concernsAccount && dangerous ? ['own_account'] : []),
      ...(concernsAccount && rights.some((right) => right !== 'admin') ? ['operator_account'] : []),
      ...(dangerous ? ['proof_outdated'] : []),
    ],
    ...(changes ? { 422: ['missing'] } : {}),
  };
}

function findInputs(member, { checker, schemas, findType }) {
  const inputs = { query: [], body: null };
  for (const parameter of member.parameters) {
    const decorators = toDecorators(parameter);
    const type = checker.getTypeAtLocation(parameter);
    if (decorators.has('Query')) inputs.query = schemas.toParameters(type);
    if (decorators.has('Body') && type.getProperties().length > 0)
      inputs.body = { 'application/json': { schema: schemas.toSchema(type) } };
    if (decorators.has('CurrentLines'))
      inputs.body = { [LINES_TYPE]: { schema: schemas.toSchema(findType(findLineType(member, 'param'))) } };
  }
  return inputs;
}

function toAnswer(member, { checker, schemas, findType, status }) {
  const lineType = findLineType(member, 'returns');
  const headers =
    status === 201 ? { headers: { Location: { schema: { type: 'string' }, description: 'Path of the created resource.' } } } : {};
  if (lineType) {
    const schema = schemas.toSchema(findType(lineType));
    return { description: 'One such object on each line.', content: { [LINES_TYPE]: { schema } } };
  }
  const returnType = checker.getReturnTypeOfSignature(checker.getSignatureFromDeclaration(member));
  const schema = schemas.toSchema(checker.getAwaitedType(returnType));
  return { description: 'The call succeeded.', ...headers, content: { 'application/json': { schema } } };
}

function toHeldAnswer({ schemas, findType }) {
  const schema = schemas.toSchema(findType('ApprovalAnswer'));
  const description =
    'Nothing has been done yet: a second operator has to approve the operation (OPERATOR_APPROVAL, SUPPORT_CHECK). While it waits, the same call returns the same approval, counts towards no limit and sends no mail.';
  const headers = { Location: { schema: { type: 'string' }, description: 'Path of the approval.' } };
  return { description, headers, content: { 'application/json': { schema } } };
}

/** Reads the type of the lines from `@param lines of ImportLineBody` or `@returns lines of ImportLineAnswer`. */
function findLineType(member, name) {
  const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === name);
  return /(?:^|\b)of (\w+)/.exec(ts.getTextOfJSDocComment(tag?.comment) ?? '')?.[1];
}

function findErrors(member) {
  const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === 'throws');
  return readErrors(ts.getTextOfJSDocComment(tag?.comment) ?? '');
}

/**
 * @param {string} text such as `403 own_account, 404 account_not_found`
 * @returns {Record<string, string[]>} the codes by status
 * @public
 */
export function readErrors(text) {
  const groups = text.split(',').filter((group) => group.trim() !== '');
  return Object.fromEntries(
    groups.map((group) => {
      const [status, ...codes] = group.trim().split(/\s+/);
      if (!/^\d{3}$/.test(status) || codes.length === 0 || codes.some((code) => !/^[a-z_]+$/.test(code)))
        throw new Error(`"@throws ${group.trim()}" is not a status with its codes.`);
      return [status, codes];
    }),
  );
}

function buildErrorResponses(errors) {
  const statuses = [...new Set(errors.flatMap((group) => Object.keys(group)))].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = [...new Set(errors.flatMap((group) => group[status] ?? []))].sort();
      const isShared = codes.length === COMMON_ERRORS[status]?.length;
      return [status, isShared ? { $ref: `#/components/responses/refusal-${status}` } : buildErrorResponse(status, codes)];
    }),
  );
}

function buildErrorResponse(status, codes) {
  const schema = { allOf: [{ $ref: '#/components/schemas/ErrorAnswer' }, { properties: { error: { enum: codes } } }] };
  return { description: REASONS[status], content: { 'application/json': { schema } } };
}

function buildPathParameters(path) {
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

/** @returns the string of a literal, a template or a constant */
function toText(node, checker) {
  if (!node) return '';
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return [
      node.head.text,
      ...node.templateSpans.flatMap(({ expression, literal }) => [toText(expression, checker), literal.text]),
    ].join('');
  }
  const type = checker.getTypeAtLocation(node);
  if (!type.isStringLiteral()) throw new Error(`${node.getText()} is not a string constant.`);
  return type.value;
}
