/** Performs the actions of operators who invite people, and of people with the links, at the real gateway, and records them in the model. */
import { FIELDS } from '../../src/contract/form-fields.js';
import { INVITATION_PATH, toDetailField } from '../../src/contract/registration-state.js';
import type { Browser as RealBrowser, Page } from '../../test-kit/browser.js';
import { toState } from '../../test-kit/page.js';
import type { Browser, Invitation, InvitationForm, InvitationLink } from './sign-in.facts.js';
import { InvitationModel } from './invitation.model.js';
import type { SignInModel } from './sign-in.model.js';
import type { ChosenAddress, NewPerson, People } from './sign-in.people.js';
import { FORMS, type Clicks, type SignInWorld } from './sign-in.world.js';

/** `invitation`, `link` and `page` are the distance from the newest one, and `browser` is an index, each modulo the number that exists. */
export type InvitationAction =
  | ({ kind: 'invite' } & ChosenAddress)
  | { kind: 'resend' | 'withdraw'; invitation: number }
  | { kind: 'openLink'; link: number; browser: number }
  /** Sends the form of a page that was opened. A wrong form repeats another password. */
  | { kind: 'join'; page: number; isRight: boolean; clicks: Clicks };

interface RealInvitation {
  id: string;
  invited: NewPerson;
}

interface RealLink extends InvitationLink {
  token: string;
}

interface OpenedLink {
  link: RealLink;
  browser: Browser;
  real: RealBrowser;
  page: Page;
  /** `Browser.steps` when the page was shown. */
  steps: number;
}

export class InvitationActions {
  readonly #model: InvitationModel;
  readonly #invitations = new Map<Invitation, RealInvitation>();
  /** The newest first. */
  readonly #links: RealLink[] = [];
  readonly #opened: OpenedLink[] = [];
  /** Number of requests that the model has judged. */
  judgedRequests = 0;

  /** @param browsers those of `model`, in the same order */
  constructor(
    private readonly world: SignInWorld,
    private readonly model: SignInModel,
    private readonly browsers: readonly RealBrowser[],
    private readonly people: People,
  ) {
    this.#model = new InvitationModel(model);
  }

  /** Performs the action. @returns the faults that the model finds afterwards */
  async take(action: InvitationAction): Promise<string[]> {
    switch (action.kind) {
      case 'invite':
        return this.#invite(this.people.choose(action));
      case 'resend':
      case 'withdraw': {
        const invitation = choose(this.#model.invitations, action.invitation);
        return invitation ? this.#change(action.kind, invitation) : [];
      }
      case 'openLink':
        return this.#open(action);
      case 'join': {
        const opened = choose(this.#opened, action.page);
        return opened ? this.#join(action, opened) : [];
      }
    }
  }

  async #invite(invited: NewPerson): Promise<string[]> {
    const link = this.#model.invite(invited.person);
    const id = await this.world.invite(invited.address);
    if (link && id !== null) this.#invitations.set(link.invitation, { id, invited });
    return this.#addLink(link, { isMailed: id !== null, address: invited.address });
  }

  async #change(kind: 'resend' | 'withdraw', invitation: Invitation): Promise<string[]> {
    const { id = '', invited } = this.#invitations.get(invitation) ?? {};
    if (kind === 'withdraw') {
      const [expected, isWithdrawn] = [this.#model.withdraw(invitation), await this.world.withdraw(id)];
      return expected === isWithdrawn ? [] : [`the invitation was ${isWithdrawn ? '' : 'not '}withdrawn`];
    }
    const link = this.#model.resend(invitation);
    return this.#addLink(link, { isMailed: await this.world.resend(id), address: invited?.address ?? '' });
  }

  /** @param link null if the model expects no mail */
  async #addLink(link: InvitationLink | null, { isMailed, address }: { isMailed: boolean; address: string }): Promise<string[]> {
    const token = await this.world.readInvitation(address);
    if (isMailed !== (link !== null) || isMailed !== (token !== null))
      return [`an invitation was ${token === null ? 'not ' : ''}mailed to ${address}`];
    if (link && token !== null) this.#links.unshift({ ...link, token });
    return [];
  }

  async #open({ link: distance, browser: number }: Extract<InvitationAction, { kind: 'openLink' }>): Promise<string[]> {
    const index = number % this.browsers.length;
    const [link, browser, real] = [choose(this.#links, distance), this.model.browsers[index], this.browsers[index]];
    if (!link || !browser || !real) return [];
    this.#model.take(link, null);
    const page = await real.go(this.world.toInvitationUrl(link.token));
    this.#opened.unshift({ link, browser, real, page, steps: browser.steps });
    return this.#judge(link, null, { page, hasAccount: false });
  }

  async #join({ isRight, clicks }: Extract<InvitationAction, { kind: 'join' }>, opened: OpenedLink): Promise<string[]> {
    const { link, browser, real, page } = opened;
    const invited = this.#invitations.get(link.invitation)?.invited;
    const password = this.world.createPassword();
    const form = this.world.findForm(page, FORMS.newPassword(password, isRight ? password : 'another'), INVITATION_PATH);
    if (!form || !invited) return [];
    const username = toDetailField(FIELDS.username);
    if (username in form.fields) form.fields[username] = this.world.createName();
    const sent = { isRight, isOutdated: browser.steps !== opened.steps };
    this.#model.take(link, sent);
    opened.page = await this.world.click(real, { page, form }, clicks);
    opened.steps = browser.steps;
    const hasAccount = (await this.people.addCreated(invited, password)) !== null;
    return this.#judge(link, sent, { page: opened.page, hasAccount });
  }

  #judge(
    link: RealLink,
    form: InvitationForm | null,
    { page: { html, status }, hasAccount }: { page: Page; hasAccount: boolean },
  ): string[] {
    this.judgedRequests += 1;
    const state = toState(html);
    const page = state?.page === 'registration' ? state.registration.status : (state?.page ?? 'none');
    return this.#model.findFaults(link, form, { page, status, hasAccount, ...this.world.started.hydra.takeAnswers() });
  }
}

function choose<One>(all: readonly One[], distance: number): One | undefined {
  return all[distance % Math.max(1, all.length)];
}
