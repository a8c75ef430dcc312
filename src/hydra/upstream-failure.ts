/**
 * Maps status codes to errors. The original error is dropped on purpose: its headers and bodies contain challenges and
 * verifiers, which must not be logged.
 */
import { AxiosError, isAxiosError } from 'axios';
import {
  ChallengeExpired,
  ChallengeUnknown,
  ChallengeUsed,
  ClientRefused,
  UpstreamError,
  UpstreamRefused,
  UpstreamUnavailable,
} from './hydra.errors.js';
import { removeInvisible, toObjectOrEmpty } from './wire.js';
import { cutText } from '../config/cut-text.js';

type NamedError = new (message: string) => UpstreamError;

const ERROR_CLASS_BY_STATUS: Readonly<Record<number, NamedError>> = {
  404: ChallengeUnknown,
  409: ChallengeUsed,
  410: ChallengeUsed,
};

const TRANSIENT_STATUSES: readonly number[] = [502, 503, 504];
const TRANSIENT_CODES: readonly string[] = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'EAI_AGAIN'];

export function toUpstreamError(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  if (!isAxiosError(error)) return new UpstreamUnavailable(`Hydra's answer could not be read (${toName(error)})`);
  const status = error.response?.status;
  if (status === undefined) {
    return new UpstreamUnavailable(`Hydra gave no complete answer (${error.code ?? 'unknown'})`, isTimeOut(error));
  }
  if (!isHydraError(error.response?.data)) return new UpstreamUnavailable(`Something other than Hydra answered ${status}`);
  if (status === 401) return toUnauthorizedError(error.response?.data);
  return findClientRefusal(error.response?.data) ?? toNamedError(status);
}

function toNamedError(status: number): UpstreamError {
  const ErrorClass = ERROR_CLASS_BY_STATUS[status] ?? (status >= 400 && status < 500 ? UpstreamRefused : UpstreamUnavailable);
  return new ErrorClass(`Hydra answered ${status}`);
}

/**
 * Hydra answers `request_unauthorized` for an old challenge; other 401 answers come from a proxy in front of the admin
 * API.
 */
function toUnauthorizedError(body: unknown): UpstreamError {
  const isExpired = typeof body === 'object' && body !== null && 'error' in body && body.error === 'request_unauthorized';
  return isExpired
    ? new ChallengeExpired('The challenge is too old')
    : new UpstreamUnavailable('The admin API refused access (401)');
}

/** Hydra returns these codes only for members of a client, so their descriptions contain no challenges. */
const CLIENT_CODES: readonly unknown[] = ['invalid_client_metadata', 'invalid_redirect_uri'];
const MAX_EXPLANATION_LENGTH = 500;

function findClientRefusal(body: unknown): ClientRefused | undefined {
  const { error, error_description: description } = toObjectOrEmpty(body);
  if (!CLIENT_CODES.includes(error) || typeof description !== 'string') return undefined;
  return new ClientRefused(cutText(removeInvisible(description), MAX_EXPLANATION_LENGTH));
}

/** The transport uses this code when its time limit has passed. */
const isTimeOut = ({ code }: AxiosError): boolean => code === AxiosError.ECONNABORTED;

/** Whether a retry may help. It does not after a timeout: the person has waited long enough, and a retry adds load to a slow server. */
export function isWorthAnotherTry(error: unknown): boolean {
  if (!isAxiosError(error)) return false;
  if (error.response) return TRANSIENT_STATUSES.includes(error.response.status);
  return error.code !== undefined && TRANSIENT_CODES.includes(error.code);
}

/** Distinguishes an unknown challenge from the 404 page of a proxy, which is an outage. Hydra's errors are JSON objects. */
function isHydraError(body: unknown): boolean {
  return typeof body === 'object' && body !== null && ('error' in body || 'redirect_to' in body);
}

function toName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
