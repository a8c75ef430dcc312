/** Links an account to a person of a user source or provider, or unlinks the account. */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/account.js';
import { AccountLinks, type LinkOutcome, type NewLink } from '../../accounts/identities/account-links.js';
import type { SourceLink } from '../../accounts/identities/source-accounts.js';
import { AccountRights } from '../../accounts/operators/account-rights.js';
import { findScimId, findScimSettings } from '../../config/stored-sources.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { SeveralPeople } from '../../sources/source.errors.js';
import type { UserSource } from '../../sources/user-source.port.js';
import type { LinkedAnswer } from '../wire.js';
import type { LinkBody } from './account-bodies.js';
import { toAccountAnswer } from './answers.js';
import { EndAccess } from './end-access.js';
import type { OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { PeopleSources } from './people-sources.js';
import { throwUnavailable } from './refresh-account.js';

const REFUSALS: Readonly<Record<Exclude<LinkOutcome, 'done'>, [code: string, message: string]>> = {
  linked: ['has_source', 'The account already belongs to a person of a user source or provider: unlink it first.'],
  person: ['person_linked', 'This person already has another account.'],
  other: ['provider_connected', 'Another identity of this provider is already connected to the account: disconnect it first.'],
};

@Injectable()
export class LinkAccount {
  constructor(
    private readonly links: AccountLinks,
    private readonly sources: PeopleSources,
    private readonly endAccess: EndAccess,
    private readonly rights: AccountRights,
    @Inject(CONFIG) private readonly config: Pick<Config, 'passkeys' | 'providers' | 'scim'>,
  ) {}

  /** @throws OperatorFault for faults that can be found before the account is linked, such as a person who is not found */
  async check({ hasSource }: Account, body: LinkBody): Promise<void> {
    await this.#findPerson(body);
    if (hasSource) throw new OperatorFault(409, ...REFUSALS.linked);
  }

  /** @returns the body with the person's id at the source, because the username may later belong to another person @throws OperatorFault */
  async resolve(body: LinkBody): Promise<LinkBody> {
    return { source: body.source, subject: (await this.#findPerson(body)).subject };
  }

  /** @throws OperatorFault */
  async run(account: Account, body: LinkBody, auditContext: OperatorContext): Promise<LinkedAnswer> {
    const { id: accountId } = account;
    const person = await this.#findPerson(body);
    const outcome = await this.links.link({ accountId, ...person, auditContext });
    if (outcome !== 'done') throw new OperatorFault(409, ...REFUSALS[outcome]);
    const upstream = await this.endAccess.settle(accountId, auditContext);
    return { ...toAccountAnswer(account), source: body.source, source_subject: person.subject, upstream };
  }

  /** @returns the former link, and whether anybody can still sign in to the account @throws OperatorFault */
  async unlink({ id: accountId }: Account, auditContext: OperatorContext): Promise<SourceLink & { canSignIn: boolean }> {
    const { providers } = this.config;
    if (await this.rights.hasRuleWithoutSource(accountId)) {
      const message =
        'Without its source, the account would be an operator through its groups or attributes (OPERATORS): remove these first.';
      throw new OperatorFault(409, 'operator_rule', message);
    }
    const link = await this.links.unlink({
      accountId,
      auditContext,
      toName: (source) => this.sources.toName(source),
      findProvider: (source) => findScimSettings(source, this.config)?.signIn?.provider,
    });
    if (!link) throw new OperatorFault(409, 'no_source', 'The account does not belong to a user source or provider.');
    const offeredMethods = { providers: providers.map(({ id }) => id), passkeys: this.config.passkeys.mode !== 'off' };
    const source = providers.find(({ issuer }) => issuer === link.source)?.id ?? findScimId(link.source) ?? link.source;
    return { source, subject: link.subject, canSignIn: await this.links.canSignIn(accountId, offeredMethods) };
  }

  async #findPerson({
    source: id,
    subject,
    username,
  }: LinkBody): Promise<Pick<NewLink, 'source' | 'subject' | 'name' | 'provider'>> {
    if ((subject === undefined) === (username === undefined)) {
      throw new OperatorFault(422, 'missing', 'Give either subject or username, not both.', { field: 'subject' });
    }
    const personSource = this.sources.find(id);
    if (this.config.scim.some((source) => source.id === id)) {
      const message = 'A SCIM source takes over accounts itself: offer the account to it (POST /operator/v1/scim/offers).';
      throw new OperatorFault(422, 'unknown_source', message, { field: 'source' });
    }
    if (!personSource) {
      throw new OperatorFault(422, 'unknown_source', 'No user source and no provider with "provision": true has this id.', {
        field: 'source',
      });
    }
    const { source, name, userSource, provider } = personSource;
    if (userSource) return { source, subject: await findSubjectAt(userSource, subject, username), name };
    if (subject === undefined) {
      throw new OperatorFault(422, 'missing', 'For a person of a provider, subject is required.', { field: 'subject' });
    }
    if (!/^[\x20-\x7e]{1,255}$/.test(subject)) {
      throw new OperatorFault(422, 'format', 'subject must be 1 to 255 printable ASCII characters.', { field: 'subject' });
    }
    return { source, subject, name, ...defined({ provider }) };
  }
}

/** @throws OperatorFault */
async function findSubjectAt(source: UserSource, subject: string | undefined, username = ''): Promise<string> {
  const key = subject === undefined ? { identifier: username } : { subject };
  const person = await source
    .find(key)
    .catch((error: unknown) => (error instanceof SeveralPeople ? null : throwUnavailable(error)));
  if (!person) throw new OperatorFault(404, 'person_not_found', 'No person at the source matches, or more than one does.');
  return person.subject;
}
