/**
 * The search box of every page. While the operator types, the list of people follows on its own page, and suggestions open on all
 * others. Enter asks the server what was typed: one person, or the events of a request, open at once; everything else leads to the list.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState, type NavigateOptions } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap, type Found } from '../api/calls.js';
import { toClientPage } from '../people/found-clients.js';
import { MAX_SEARCH, findSearchFault, isUuid, type SearchFault } from '../people/people-filters.js';
import { SearchIcon } from '../ui/icons.js';
import { SuggestionList, useSuggestions } from './search-suggestions.js';

const PAUSE_MS = 250;

export function SearchBox() {
  const { t } = useTranslation();
  const { text, type, submit, clear, isOnList } = useSearch();
  const input = useRef<HTMLInputElement>(null);
  useSlashKey(input);
  const fault = findSearchFault(text.trim());
  const suggestions = useSuggestions(text, !isOnList && fault === null);
  return (
    <form
      className="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (!suggestions.openCurrent()) submit();
        suggestions.close();
        // The next search replaces this one.
        input.current?.select();
      }}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && suggestions.close()}
    >
      <label className="only-heard" htmlFor="search">
        {t('search.label')}
      </label>
      <SearchIcon />
      <input
        ref={input}
        id="search"
        type="search"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        placeholder={t('search.placeholder')}
        value={text}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : 'search-fault'}
        {...suggestions.attributes}
        onKeyDown={suggestions.onKeyDown}
        onChange={({ currentTarget: { value } }) => {
          suggestions.open();
          if (value === '') clear();
          else type(value);
        }}
      />
      <SuggestionList {...suggestions} />
      <kbd aria-hidden="true">/</kbd>
      {fault !== null && <Fault fault={fault} />}
    </form>
  );
}

function Fault({ fault }: { fault: SearchFault }) {
  const { t } = useTranslation();
  return (
    <p className="search-fault" id="search-fault" role="alert">
      {fault === 'no_word' ? t('search.no_word') : t(`search.${fault}`, { count: MAX_SEARCH[fault] })}
    </p>
  );
}

function useSearch() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { isOnList, inUrl } = useRouterState({
    select: ({ location: { pathname, search } }) => ({
      isOnList: pathname === '/people',
      inUrl: (pathname === '/people' ? (search as { search?: string }).search : undefined) ?? '',
    }),
  });
  const [text, setText] = useState(inUrl);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(inUrl);
  useEffect(() => {
    // Back and links change the address without the box.
    if (inUrl !== sent.current) setText(inUrl);
    sent.current = inUrl;
  }, [inUrl]);
  useEffect(() => () => clearTimeout(waiting.current), []);

  const go = (typed: string): void => {
    clearTimeout(waiting.current);
    const search = typed.trim();
    if (findSearchFault(search) !== null) return;
    sent.current = search;
    // Back leads to the list before the search, and not through every letter of it.
    const isRefined = isOnList && inUrl !== '' && search !== '';
    void navigate({
      to: '/people',
      search: (before) => ({ ...(isOnList ? before : {}), search: search === '' ? undefined : search, cursor: undefined }),
      replace: isRefined,
    });
  };
  const type = (typed: string): void => {
    setText(typed);
    clearTimeout(waiting.current);
    if (isUuid(typed.trim())) waiting.current = setTimeout(() => void submit(typed), PAUSE_MS);
    else if (isOnList) waiting.current = setTimeout(() => go(typed), PAUSE_MS);
  };
  const clear = (): void => {
    setText('');
    if (isOnList) go('');
  };
  const submit = async (typed: string): Promise<void> => {
    clearTimeout(waiting.current);
    const found = findSearchFault(typed.trim()) === null ? await findAnything(typed.trim()) : null;
    const target = found && findOnlyTarget(found, typed.trim());
    // Whoever searches again for the person who is shown wants to see what has happened since.
    await client.invalidateQueries({ predicate: isOfPage, refetchType: 'none' });
    if (target) await navigate(target);
    else go(typed);
    await client.refetchQueries({ predicate: isOfPage, type: 'active', stale: true }, { cancelRefetch: false });
  };
  return { text, type, clear, submit: () => void submit(text), isOnList };
}

const isOfPage = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => queryKey[0] !== 'session';

/** @returns where a search leads at once: to the only person, to the events of a request, or to the only app; null for the list */
function findOnlyTarget({ accounts, events, clients }: Found, text: string): NavigateOptions | null {
  const [person] = accounts;
  if (person !== undefined) return accounts.length === 1 ? { to: '/people/$id', params: { id: person.id } } : null;
  if (events.length > 0) return { to: '/activity', search: { request: text } };
  const [client] = clients;
  return client !== undefined && clients.length === 1 ? toClientPage(client) : null;
}

/** @returns null for an empty text, or if the server does not answer: the list says more about that */
async function findAnything(text: string): Promise<Found | null> {
  if (text === '') return null;
  try {
    return await unwrap(api.GET('/operator/v1/search', { params: { query: { q: text } } }));
  } catch {
    return null;
  }
}

/** Also an empty box: what is typed next begins a search. */
function isWhollySelected(input: HTMLInputElement | null): boolean {
  if (input === null || document.activeElement !== input) return false;
  return input.selectionStart === 0 && input.selectionEnd === input.value.length;
}

/** The key `/` leads into the box, as in many tools for professionals, unless somebody types a text. */
function useSlashKey(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping && !isWhollySelected(input.current)) return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      // What was searched before is replaced by what is typed.
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [input]);
}
