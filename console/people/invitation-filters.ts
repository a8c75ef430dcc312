/** The filters of the list of invitations, from the address. An address may be typed by hand, so invalid values are ignored. */
import type { Invitation } from '../api/calls.js';
import type { PhraseKey } from '../i18n/i18n.js';
import type { Tone } from '../ui/tag.js';

export interface InvitationFilters {
  state?: Invitation['state'] | undefined;
  cursor?: string | undefined;
}

/** The words and the colour of each state, in the order of the filter. */
export const INVITATION_STATES: Readonly<Record<Invitation['state'], { phrase: PhraseKey; tone: Tone }>> = {
  open: { phrase: 'invitations.state_open', tone: 'warning' },
  used: { phrase: 'invitations.state_used', tone: 'success' },
  withdrawn: { phrase: 'invitations.state_withdrawn', tone: 'neutral' },
  expired: { phrase: 'invitations.state_expired', tone: 'neutral' },
};

export const isInvitationState = (value: unknown): value is Invitation['state'] =>
  typeof value === 'string' && Object.hasOwn(INVITATION_STATES, value);

export function readInvitationFilters({ state, cursor }: Readonly<Record<string, unknown>>): InvitationFilters {
  return {
    ...(isInvitationState(state) ? { state } : {}),
    ...(typeof cursor === 'string' && /^\d{1,15}$/.test(cursor) ? { cursor } : {}),
  };
}
