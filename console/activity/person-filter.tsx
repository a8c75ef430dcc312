/** The filter by person: an id, a username or an address. The server filters by id, so the field first looks up other texts. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Account, SearchResult } from '../api/calls.js';
import { searchQuery } from '../api/queries.js';
import type { PhraseKey } from '../i18n/i18n.js';
import { findSearchFault, isUuid } from '../people/people-filters.js';
import { useAllowed } from '../session/session-context.js';
import { SubmittedField } from '../ui/submitted-field.js';

export const ID_EXAMPLE = '0b0e1c5a-…';

interface PersonFilterProps {
  /** Id of an account. */
  value: string | undefined;
  /** Username of the account, if it is known. */
  name: string | undefined;
  onChange(id: string | undefined): void;
}

export function PersonFilter({ value, name, onChange }: PersonFilterProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  // Auditors see events, but no accounts.
  const canFind = useAllowed()('search.find');
  const [failedSearch, setFailedSearch] = useState<{ text: string; fault: PhraseKey }>();

  /** The text that is looked up; undefined after the field has disappeared. */
  const awaitedText = useRef<string>(undefined);
  useEffect(() => () => void (awaitedText.current = undefined), []);

  const find = async (text: string): Promise<void> => {
    awaitedText.current = text;
    const result = await client.query(searchQuery(text)).then(
      (matches) => chooseAccount(matches, text),
      () => 'activity.person_failed' as const,
    );
    // The operator may have opened another page or looked up another text meanwhile.
    if (awaitedText.current !== text) return;
    if (typeof result === 'string') setFailedSearch({ text, fault: result });
    else onChange(result.id);
  };
  const findFault = (text: string): string | undefined => {
    if (isUuid(text)) return undefined;
    if (!canFind) return t('activity.id_wrong');
    if (findSearchFault(text) !== null) return t('activity.person_none');
    return text === failedSearch?.text ? t(failedSearch.fault) : undefined;
  };
  return (
    <SubmittedField
      label={t(canFind ? 'activity.person' : 'activity.account')}
      placeholder={canFind ? t('activity.person_placeholder') : ID_EXAMPLE}
      maxLength={200}
      value={name ?? value}
      findFault={findFault}
      onSubmit={(text) => {
        if (text === '' || isUuid(text)) onChange(text || undefined);
        else void find(text);
      }}
    />
  );
}

/** @returns the account whose username or address was typed, or else the only account that was found; otherwise the fault */
function chooseAccount({ accounts, more_accounts: hasMore }: SearchResult, text: string): Account | PhraseKey {
  const lowerText = text.toLowerCase();
  const exactMatches = accounts.filter(({ username, email }) =>
    [username, email].some((name) => name?.toLowerCase() === lowerText),
  );
  const [match, otherMatch] = exactMatches.length > 0 ? exactMatches : accounts;
  if (!match) return 'activity.person_none';
  return otherMatch === undefined && (exactMatches.length > 0 || !hasMore) ? match : 'activity.person_several';
}
