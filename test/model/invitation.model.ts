/** The model of invitations: what a link leads to, and which form creates an account. It does not know HTTP. */
import type { Invitation, InvitationForm, InvitationLink, Person, Shown } from './sign-in.facts.js';
import type { SignInModel } from './sign-in.model.js';

export class InvitationModel {
  /** All invitations, the newest first. */
  readonly invitations: Invitation[] = [];
  readonly #model: SignInModel;
  #expected = '';
  #createsOne = false;

  constructor(model: SignInModel) {
    this.#model = model;
  }

  /** @returns null for an address that has an account or an open invitation */
  invite(person: Person): InvitationLink | null {
    const isOpen = this.invitations.some((one) => one.person === person && one.state === 'open');
    if (isOpen || this.#hasAccount(person)) return null;
    const invitation: Invitation = { person, state: 'open', newestLink: 1 };
    this.invitations.unshift(invitation);
    return { invitation, number: 1 };
  }

  /** Earlier links end. @returns null if the invitation has ended, or the address has an account */
  resend(invitation: Invitation): InvitationLink | null {
    if (invitation.state !== 'open' || this.#hasAccount(invitation.person)) return null;
    return { invitation, number: (invitation.newestLink += 1) };
  }

  /** @returns whether the invitation has ended by that */
  withdraw(invitation: Invitation): boolean {
    const isOpen = invitation.state === 'open';
    if (isOpen) invitation.state = 'withdrawn';
    return isOpen;
  }

  /** Records that the person opens the link, or sends the form of its page, before the answer is judged. */
  take(link: InvitationLink, form: InvitationForm | null): void {
    const page = this.#findPage(link);
    this.#createsOne = page === 'invitation' && form?.isRight === true;
    this.#expected = this.#createsOne ? 'invitation-used' : page;
  }

  /** Nobody is signed in by an invitation. @returns the differences from the model */
  findFaults({ invitation }: InvitationLink, form: InvitationForm | null, shown: ShownInvitation): string[] {
    const { page, status, accepted, hasAccount } = shown;
    // A sign-in or sign-out has given the browser a new id since the form was shown.
    const isOutdated = form?.isOutdated === true && status === 403 && page === 'invitation';
    const createsOne = this.#createsOne && !isOutdated;
    if (createsOne) invitation.state = 'used';
    return [
      ...(page === this.#expected || isOutdated ? [] : [`the page is ${page}, and not ${this.#expected}`]),
      ...(hasAccount === createsOne ? [] : [hasAccount ? 'an account was created' : 'no account was created']),
      ...(accepted.length === 0 ? [] : ['Hydra has accepted a login']),
    ];
  }

  #findPage({ invitation: { person, state, newestLink }, number }: InvitationLink): string {
    if (number !== newestLink || state === 'withdrawn') return 'invitation-ended';
    if (state === 'used') return 'invitation-used';
    return this.#hasAccount(person) ? 'invitation-exists' : 'invitation';
  }

  #hasAccount(person: Person): boolean {
    return this.#model.people.includes(person);
  }
}

/** What the browser shows, and whether an account was created. */
interface ShownInvitation extends Pick<Shown, 'page' | 'status' | 'accepted'> {
  hasAccount: boolean;
}
