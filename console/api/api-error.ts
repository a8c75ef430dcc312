/** The errors of calls: an error answer of the server, or no answer. */

/** The members of an error answer of the operator API that the console reads. */
interface ErrorBody {
  error?: unknown;
  message?: unknown;
  field?: unknown;
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    /** The code for programs; `unknown` for an answer without a code. */
    readonly code: string,
    message: string,
    readonly hints: { field?: string; requestId?: string; retrySeconds?: number } = {},
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Nothing answered: the network or the server is down. */
export class UnreachableError extends Error {
  constructor(cause: unknown) {
    super('The server does not answer.', { cause });
    this.name = 'UnreachableError';
  }
}

/** @param response an answer that is not successful */
export async function toApiError(response: Response): Promise<ApiError> {
  const { error, message, field } = await readBody(response);
  const requestId = response.headers.get('X-Request-Id');
  const retrySeconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ApiError(response.status, toText(error) ?? 'unknown', toText(message) ?? `HTTP ${response.status}`, {
    ...(toText(field) === undefined ? {} : { field: String(field) }),
    ...(requestId === null ? {} : { requestId }),
    ...(Number.isFinite(retrySeconds) ? { retrySeconds } : {}),
  });
}

/** A proxy in front of the server may answer with a page instead of JSON. */
async function readBody(response: Response): Promise<ErrorBody> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
