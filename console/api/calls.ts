/**
 * The calls of the operator API, with the types of its OpenAPI document. A call throws if its answer is not successful;
 * `unwrap` returns the content of the answer.
 */
import createClient from 'openapi-fetch';
import type { components, paths } from '../../src/operator/client/operator-api.js';
import { ApiError } from './api-error.js';
import { CONSOLE_HEADER, send } from './send.js';

type Schemas = components['schemas'];

export type Job = Schemas['JobAnswer'];
export type JobFailure = Schemas['JobFailureAnswer'];
export type SavedFilter = Schemas['SavedFilterAnswer'];
export type Account = Schemas['AccountAnswer'];
export type ListedAccount = Schemas['ListedAccountAnswer'];
export type AccountPage = Schemas['AccountListAnswer'];
export type AccountDetail = Schemas['AccountDetailAnswer'];
export type AccountTask = Schemas['AccountTaskAnswer'];
export type Acceptance = Schemas['AcceptanceAnswer'];
export type AuditEntry = Schemas['AuditEntryAnswer'];
export type AuditPage = Schemas['AuditAnswer'];
export type Session = Schemas['SessionAnswer'];
export type TrustedBrowser = Schemas['TrustedBrowserAnswer'];
export type Provider = Schemas['ProviderAnswer'];
export type SearchResult = Schemas['SearchAnswer'];
export type Operator = Schemas['OperatorAnswer'];
export type OperatorRight = Schemas['OperatorRightAnswer'];
export type OperatorSession = Schemas['OperatorSessionAnswer'];
export type SupportCheck = Schemas['SupportCheckAnswer'];
export type Approval = Schemas['ApprovalAnswer'];
export type Health = Schemas['HealthAnswer'];
export type SourceState = Schemas['SourceStateAnswer'];
export type ScimFault = Schemas['ScimFaultAnswer'];
export type SignUp = Schemas['SignUpAnswer'];
export type Finding = Schemas['FindingAnswer'];
export type Diagnosis = Schemas['DoctorAnswer'];
export type Setting = Schemas['SettingAnswer'];
export type TodayRow = Schemas['TodayRowAnswer'];
export type Sink = Schemas['SinkAnswer'];
export type Delivery = Schemas['DeliveryAnswer'];
export type Invitation = Schemas['InvitationAnswer'];
export type InvitationRow = Schemas['InvitationRowAnswer'];
export type NewInvitation = Schemas['NewInvitationBody'];
export type Mail = Schemas['MailAnswer'];
export type MailCause = Schemas['MailCauseAnswer'];
export type Client = Schemas['ClientAnswer'];
export type ClientSummary = Schemas['ClientSummaryAnswer'];
export type ClientPreset = Schemas['ClientPresetAnswer'];
export type ClientPerson = Schemas['ClientPersonAnswer'];
export type ClientPreview = Schemas['ClientPreviewAnswer'];
export type PreviewedScope = Schemas['PreviewedScopeAnswer'];
export type NewClient = Schemas['NewClientAnswer'];
export type ClientChanges = Omit<Schemas['ClientPatchBody'], 'version'>;
export type AccountPatch = Schemas['AccountPatchBody'];

export const api = createClient<paths>({
  baseUrl: '/',
  fetch: send,
  headers: { [CONSOLE_HEADER]: '1' },
});

/** The header with the reason of a change. The reason is encoded, because browsers allow only Latin-1 characters in a header. */
export const toReasonHeader = (reason: string) => ({ 'X-Foyer-Reason': encodeURIComponent(reason) });

/** @returns the content of a successful answer @throws ApiError if the answer has no content, and what `send` throws */
export async function unwrap<Content>(call: Promise<{ data?: Content; response: Response }>): Promise<Content> {
  const { data, response } = await call;
  // `send` throws for every answer that is not successful.
  if (data === undefined) throw new ApiError(response.status, 'unknown', 'The answer has no content.');
  return data;
}

/** Nothing has been done yet: the operation waits for a second operator. */
export class HeldError extends Error {
  constructor(readonly approval: Approval) {
    super('The operation waits for a second operator.');
    this.name = 'HeldError';
  }
}

/** For an operation that may wait for a second operator. @throws HeldError if it does, and what `unwrap` throws */
export async function unwrapChange<Content>(
  call: Promise<{ data?: Content; response: Response }>,
): Promise<Exclude<Content, Approval>> {
  const { status } = (await call).response;
  const content = await unwrap(call);
  if (status === 202) throw new HeldError(content as Approval);
  return content as Exclude<Content, Approval>;
}

/** For calls that may answer without content. */
export async function complete(call: Promise<unknown>): Promise<void> {
  await call;
}
