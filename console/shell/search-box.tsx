/**
 * The search box, which every page has if the rights allow the list of people. While the operator types, the page of people filters
 * its list, and all other pages open suggestions. Enter opens the suggestion that the arrow keys have chosen. Otherwise Enter
 * searches the server, and so does typing a whole id: a single person or app, or the events of a request, opens directly;
 * everything else leads to the list.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState, type NavigateOptions } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap, type SearchResult } from '../api/calls.js';
import { toClientPage } from '../people/found-clients.js';
import { MAX_SEARCH, findSearchFault, isUuid, type SearchFault } from '../people/people-filters.js';
import { SearchIcon } from '../ui/icons.js';
import { SuggestionList, useSuggestions } from './search-suggestions.js';

const PAUSE_MS = 250;

export function SearchBox() {
  const { t } = useTranslation();
  const { text, type, submit, isOnList } = useSearch();
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
        if (!suggestions.openCurrentSuggestion()) submit();
        suggestions.close();
        // The next text replaces this one.
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
          type(value);
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
  const { pathname, isOnList, urlSearch } = useRouterState({
    select: ({ location: { pathname, search } }) => ({
      pathname,
      isOnList: pathname === '/people',
      urlSearch: (pathname === '/people' ? (search as { search?: string }).search : undefined) ?? '',
    }),
  });
  const [text, setText] = useState(urlSearch);
  const { cancel, wait, begin } = useWaiting(pathname);
  const lastSearch = useRef(urlSearch);
  useEffect(() => {
    // Back and links change the address without the box.
    if (urlSearch !== lastSearch.current) setText(urlSearch);
    lastSearch.current = urlSearch;
  }, [urlSearch]);
  const go = (newText: string): void => {
    cancel();
    const search = newText.trim();
    if (findSearchFault(search) !== null) return;
    lastSearch.current = search;
    // Back leads to the list before the search, and not through every letter of it.
    const isRefined = isOnList && urlSearch !== '' && search !== '';
    void navigate({
      to: '/people',
      search: (previous) => ({ ...(isOnList ? previous : {}), search: search === '' ? undefined : search, cursor: undefined }),
      replace: isRefined,
    });
  };
  const type = (newText: string): void => {
    setText(newText);
    cancel();
    if (isUuid(newText.trim())) wait(() => void submit(newText));
    else if (isOnList && newText === '') go('');
    else if (isOnList) wait(() => go(newText));
  };
  const submit = async (newText: string): Promise<void> => {
    const isAwaited = begin();
    const matches = findSearchFault(newText.trim()) === null ? await findMatches(newText.trim()) : null;
    if (!isAwaited()) return;
    const target = matches && findOnlyTarget(matches, newText.trim());
    // An operator who searches again for the person on the page expects current data.
    await client.invalidateQueries({ predicate: isPageQuery, refetchType: 'none' });
    if (target) await navigate(target);
    else go(newText);
    await client.refetchQueries({ predicate: isPageQuery, type: 'active', stale: true }, { cancelRefetch: false });
  };
  return { text, type, submit: () => void submit(text), isOnList };
}

/** A search is no longer awaited after the operator has opened another page or typed another text. */
function useWaiting(pathname: string) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const count = useRef(0);
  const cancel = (): void => {
    clearTimeout(timer.current);
    count.current += 1;
  };
  useEffect(() => cancel, [pathname]);
  const wait = (search: () => void): void => {
    cancel();
    timer.current = setTimeout(search, PAUSE_MS);
  };
  /** @returns whether the search that begins now is still awaited */
  const begin = (): (() => boolean) => {
    cancel();
    const number = count.current;
    return () => number === count.current;
  };
  return { cancel, wait, begin };
}

const isPageQuery = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => queryKey[0] !== 'session';

/** @returns the page that a search opens directly: the only person, the events of a request, or the only app; null for the list */
function findOnlyTarget({ accounts, events, clients }: SearchResult, text: string): NavigateOptions | null {
  const [person] = accounts;
  if (person !== undefined) return accounts.length === 1 ? { to: '/people/$id', params: { id: person.id } } : null;
  if (events.length > 0) return { to: '/activity', search: { request: text } };
  const [client] = clients;
  return client !== undefined && clients.length === 1 ? toClientPage(client) : null;
}

/**
 * @returns null for an empty text, or if the search failed: the list then makes a call of its own, and shows the error if that
 * fails
 */
async function findMatches(text: string): Promise<SearchResult | null> {
  if (text === '') return null;
  try {
    return await unwrap(api.GET('/operator/v1/search', { params: { query: { q: text } } }));
  } catch {
    return null;
  }
}

/** Also true for an empty box: whatever is typed next begins a search. */
function isWhollySelected(input: HTMLInputElement | null): boolean {
  if (input === null || document.activeElement !== input) return false;
  return input.selectionStart === 0 && input.selectionEnd === input.value.length;
}

/** The key `/` focuses the box, as in many professional tools, unless the operator is typing a text. */
function useSlashKey(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping && !isWhollySelected(input.current)) return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      // The next text replaces the last search.
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [input]);
}
