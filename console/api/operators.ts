/**
 * The operations about operators, their rights and their sessions. Written by hand, until they are in the OpenAPI description from
 * which the types of all other operations are made.
 */

/** A right of an operator, and where it comes from. */
export interface OperatorRight {
  right: string;
  /** `setting`: a group or claim gives it (OPERATORS), so it cannot be taken away here. */
  by: 'grant' | 'setting';
  granted_at: string | null;
  granted_by: string | null;
  ends_at: string | null;
  reason: string | null;
}

export interface Operator {
  account_id: string;
  username: string;
  display_name: string;
  status: string;
  rights: OperatorRight[];
}

export interface OperatorSession {
  id: string;
  account_id: string;
  username: string;
  began_at: string;
  seen_at: string;
  expires_at: string;
  proven_at: string;
  acr: string | null;
  address: string | null;
  browser: string | null;
}

interface Success<Content> {
  content: { 'application/json': Content };
}

interface GetOperation<Content> {
  parameters: { query?: { cursor?: string } };
  responses: { 200: Success<Content> };
}

interface DeleteOperation<Path> {
  parameters: { path: Path };
  responses: { 200: Success<unknown> };
}

/** Paths in the form of openapi-typescript. */
export interface OperatorPaths {
  '/operator/v1/operators': { get: GetOperation<{ operators: Operator[]; next_cursor?: string }> };
  '/operator/v1/operator-sessions': { get: GetOperation<{ sessions: OperatorSession[] }> };
  '/operator/v1/operator-sessions/{session}': { delete: DeleteOperation<{ session: string }> };
  '/operator/v1/accounts/{id}/operator-rights': {
    post: {
      parameters: { path: { id: string } };
      requestBody: { content: { 'application/json': { right: string; ends_at?: string } } };
      responses: { 200: Success<unknown> };
    };
  };
  '/operator/v1/accounts/{id}/operator-rights/{right}': { delete: DeleteOperation<{ id: string; right: string }> };
}
