/** The parts that the list of approvals and the page of an approval share. */
import { useTranslation } from 'react-i18next';
import type { Approval } from '../api/calls.js';
import { BanIcon, CalendarIcon, CheckIcon } from '../ui/icons.js';
import { Tag, type Tone } from '../ui/tag.js';
import { findTitle } from './approval-words.js';

const STATES = {
  open: { tone: 'warning', phrase: 'approvals.open', Icon: CalendarIcon },
  approved: { tone: 'success', phrase: 'approvals.approved', Icon: CheckIcon },
  rejected: { tone: 'danger', phrase: 'approvals.rejected', Icon: BanIcon },
  withdrawn: { tone: 'neutral', phrase: 'approvals.withdrawn', Icon: BanIcon },
  stopped: { tone: 'danger', phrase: 'approvals.stopped', Icon: BanIcon },
  expired: { tone: 'neutral', phrase: 'approvals.expired', Icon: CalendarIcon },
} as const satisfies Record<Approval['state'], { tone: Tone; phrase: string; Icon: () => React.JSX.Element }>;

export function StateTag({ state }: { state: Approval['state'] }) {
  const { t } = useTranslation();
  const { tone, phrase, Icon } = STATES[state];
  return (
    <Tag tone={tone}>
      <Icon /> {t(phrase)}
    </Tag>
  );
}

/** @returns a function that names an operation */
export function useOperationName(): (operation: string) => string {
  const { t } = useTranslation();
  return (operation) => {
    const title = findTitle(operation);
    return title === undefined ? operation : t(title);
  };
}
