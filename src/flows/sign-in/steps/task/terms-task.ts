/** The task of accepting terms (`TermsAcceptances`). A text is accepted only if the page has shown it. */
import { Injectable } from '@nestjs/common';
import { ProofOutdated } from '../../../../accounts/account/account.errors.js';
import { SignInRecords } from '../../../../accounts/sessions/sign-in-records.js';
import { TermsAcceptances } from '../../../../accounts/terms/terms-acceptances.js';
import type { Terms, TermsText } from '../../../../config/config.js';
import { chooseText, FALLBACK_LOCALE } from '../../../../contract/locale.js';
import type { TermsTaskState } from '../../../../contract/task-state.js';
import { toPerson, type RequestContext } from '../../../../gateway/http/request-context.js';
import type { IdentifiedSignIn } from '../../sign-in.js';
import type { TermsToAccept } from '../../tasks.js';
import type { TaskForm } from './task.form.js';

export interface TermsTaskFault {
  error: NonNullable<TermsTaskState['error']>;
}

@Injectable()
export class TermsTask {
  constructor(
    private readonly acceptances: TermsAcceptances,
    private readonly records: SignInRecords,
  ) {}

  toState(
    { request }: IdentifiedSignIn,
    { terms, laterUntil }: TermsToAccept,
    context: RequestContext,
  ): Pick<TermsTaskState, 'kind' | 'terms' | 'title' | 'text' | 'language' | 'terms_hash' | 'later_until'> {
    const { title, text, locale, sha256 } = chooseTermsText(terms, context.findLocale(request.uiLocales) ?? FALLBACK_LOCALE);
    const postponement = laterUntil === undefined ? {} : { later_until: laterUntil.toISOString() };
    return { kind: 'terms', terms: terms.id, title, text, language: locale, terms_hash: sha256, ...postponement };
  }

  /**
   * @returns what is wrong with the form; `ended` if the sign-in is over, or the account may not sign in any more; null if the terms are
   * accepted
   */
  async complete(
    { id, proofId, account, request }: IdentifiedSignIn,
    { terms }: TermsToAccept,
    { form, context }: { form: TaskForm; context: RequestContext },
  ): Promise<TermsTaskFault | 'ended' | null> {
    const text = terms.texts.find(({ sha256 }) => sha256 === form.terms_hash);
    if (!text) return { error: 'changed' };
    if (form.accepted !== 'true') return { error: 'not-accepted' };
    const acceptance = { accountId: account.id, terms, text, clientId: request.client.id };
    const signIn = this.records.toSessionCondition({ id, accountId: account.id, proofId });
    try {
      return (await this.acceptances.accept(acceptance, { ...toPerson(context), signIn })) ? null : 'ended';
    } catch (error) {
      if (error instanceof ProofOutdated) return 'ended';
      throw error;
    }
  }
}

function chooseTermsText({ texts }: Terms, locale: string): TermsText {
  const chosenLocale = chooseText(Object.fromEntries(texts.map((text) => [text.locale, text.locale])), locale);
  const termsText = texts.find((text) => text.locale === chosenLocale);
  if (!termsText) throw new Error('The terms have no text.');
  return termsText;
}
