/** The people and apps that the search box suggests while the operator types: a listbox of a combobox (WAI-ARIA). */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, type NavigateOptions } from '@tanstack/react-router';
import { useEffect, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SearchResult } from '../api/calls.js';
import { searchQuery } from '../api/queries.js';
import { toClientPage } from '../people/found-clients.js';
import { MAX_GLOBAL_SEARCH } from '../people/people-filters.js';
import { StatusTag } from '../people/status-tags.js';
import { useAllowed } from '../session/session-context.js';
import { UserText } from '../ui/user-text.js';

/** Fewer characters would find nearly everybody. */
const MIN_CHARACTERS = 3;
const PAUSE_MS = 250;
const MAX_SUGGESTIONS = 6;
const LIST_ID = 'search-suggestions';
const toOptionId = (index: number): string => `search-suggestion-${index}`;

interface Suggestion {
  key: string;
  target: NavigateOptions;
  content: ReactNode;
}

/**
 * @param text what was typed
 * @param isWanted whether to suggest anything for this text on this page
 * @returns the state and the handlers for the input, the form and the list
 */
export function useSuggestions(text: string, isWanted: boolean) {
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const [currentIndex, setCurrentIndex] = useState(-1);
  const matches = useMatches(text.trim(), isWanted && isOpen);
  const suggestions = isOpen && matches ? toSuggestions(matches) : [];
  const close = (): void => {
    setIsOpen(false);
    setCurrentIndex(-1);
  };
  const choose = ({ target }: Suggestion): void => {
    close();
    void navigate(target);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (suggestions.length === 0 || event.nativeEvent.isComposing) return;
    const step = STEPS[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setCurrentIndex(move(currentIndex, step, suggestions.length));
    } else if (event.key === 'Escape') {
      event.preventDefault();
      close();
    }
  };
  const currentSuggestion = suggestions[currentIndex];
  return {
    suggestions,
    currentIndex,
    hasMore: matches?.more_accounts === true,
    choose,
    close,
    onKeyDown,
    open: () => {
      setIsOpen(true);
      setCurrentIndex(-1);
    },
    /** @returns whether a suggestion was chosen with the arrow keys; its page opens */
    openCurrentSuggestion: (): boolean => {
      if (currentSuggestion) choose(currentSuggestion);
      return currentSuggestion !== undefined;
    },
    attributes: {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': suggestions.length > 0,
      'aria-controls': LIST_ID,
      ...(currentSuggestion ? { 'aria-activedescendant': toOptionId(currentIndex) } : {}),
    },
  } as const;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Moves around the list; -1 stands for the typed text. */
const move = (index: number, step: number, count: number): number => ((index + 1 + step + count + 1) % (count + 1)) - 1;

/** @returns what the server finds once the operator pauses; undefined until then, and if the text is not searched for */
function useMatches(text: string, isWanted: boolean): SearchResult | undefined {
  const isAllowed = useAllowed()('search.find');
  const [settledText, setSettledText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettledText(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const canSearch =
    isAllowed && isWanted && settledText === text && text.length >= MIN_CHARACTERS && text.length <= MAX_GLOBAL_SEARCH;
  const { data } = useQuery({ ...searchQuery(settledText), enabled: canSearch });
  return canSearch ? data : undefined;
}

function toSuggestions({ accounts, clients }: SearchResult): Suggestion[] {
  const people = accounts.map(({ id, display_name: name, username, email, status }) => ({
    key: id,
    target: { to: '/people/$id', params: { id } } as const,
    content: (
      <>
        <b>
          <UserText text={name} />
        </b>
        <span className="muted">
          <UserText text={email ?? username} />
        </span>
        {status !== 'active' && <StatusTag status={status} />}
      </>
    ),
  }));
  const apps = clients.map((client) => ({ key: client.id, target: toClientPage(client), content: <AppName client={client} /> }));
  return [...people, ...apps].slice(0, MAX_SUGGESTIONS);
}

function AppName({ client: { id, name } }: { client: SearchResult['clients'][number] }) {
  const { t } = useTranslation();
  return (
    <>
      <b>
        <UserText text={name || id} />
      </b>
      <span className="muted">{t('search.app')}</span>
    </>
  );
}

type SuggestionListProps = Pick<ReturnType<typeof useSuggestions>, 'suggestions' | 'currentIndex' | 'hasMore' | 'choose'>;

export function SuggestionList({ suggestions, currentIndex, hasMore, choose }: SuggestionListProps) {
  const { t } = useTranslation();
  const isShown = suggestions.length > 0;
  return (
    <div className="suggestions" hidden={!isShown}>
      <ul role="listbox" id={LIST_ID} aria-label={t('search.suggestions')}>
        {suggestions.map((suggestion, index) => (
          // The focus stays in the box, where the arrow keys choose a suggestion.
          <li
            key={suggestion.key}
            id={toOptionId(index)}
            role="option"
            aria-selected={index === currentIndex}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(suggestion)}
          >
            {suggestion.content}
          </li>
        ))}
      </ul>
      <p className="hint">{t(hasMore ? 'search.enter_more' : 'search.enter')}</p>
      <p className="only-heard" role="status">
        {isShown && t('search.suggested', { count: suggestions.length })}
      </p>
    </div>
  );
}
