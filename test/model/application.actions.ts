/** The sign-ups that wait for an operator's decision, with what is needed to decide about them at the real gateway. */
import type { SignInModel } from './sign-in.model.js';
import type { NewPerson, People } from './sign-in.people.js';
import type { SignInWorld } from './sign-in.world.js';

interface Application {
  id: string;
  applicant: NewPerson;
  /** The password that the account gets, and its hash when the application was made. */
  password: string;
  hash: string;
}

export class ApplicationActions {
  /** All applications, also those that were decided, the newest first. */
  readonly #applications: Application[] = [];

  constructor(
    private readonly world: SignInWorld,
    private readonly model: SignInModel,
    private readonly people: People,
  ) {}

  /** Stores an application that was made by the last step. @returns whether somebody waits with this address */
  async record(applicant: NewPerson, password: string): Promise<boolean> {
    const found = await this.world.findApplication(applicant.address);
    if (found && this.#applications.every(({ id }) => id !== found.id))
      this.#applications.unshift({ ...found, applicant, password });
    return found !== null;
  }

  /**
   * An operator decides, also about an application that was decided before.
   * @param distance from the newest application, modulo their number @returns the faults that the model finds
   */
  async decide(distance: number, isApproved: boolean): Promise<string[]> {
    const application = this.#applications[distance % Math.max(1, this.#applications.length)];
    if (!application) return [];
    const { id, applicant, password, hash } = application;
    const isExpected = this.model.decide(id, { person: applicant.person, isApproved });
    const isDecided = await (isApproved ? this.world.approve(id) : this.world.refuse(id));
    const created = await this.people.addCreated(applicant, password);
    return [
      ...(isDecided === isExpected ? [] : [`an application was ${isDecided ? '' : 'not '}decided`]),
      // Who has proven the same address later does not change what was entered first.
      ...(created && (await this.world.readPasswordHash(created)) !== hash ? ['the account has another password'] : []),
      ...((created !== null) === (isExpected && isApproved) ? [] : [`an account was ${created ? '' : 'not '}created`]),
    ];
  }
}
