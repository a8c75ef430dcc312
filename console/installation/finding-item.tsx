/** A finding of a check of the server, and how to fix it. The server writes its sentences in English. */
import { useTranslation } from 'react-i18next';
import type { Finding } from '../api/calls.js';
import { Tag, type Tone } from '../ui/tag.js';
import { UserText } from '../ui/user-text.js';

const TONES: Readonly<Record<Finding['level'], Tone>> = { ok: 'success', hint: 'warning', fault: 'danger' };

export function LevelTag({ level }: { level: Finding['level'] }) {
  const { t } = useTranslation();
  return <Tag tone={TONES[level]}>{t(`level.${level}`)}</Tag>;
}

interface FindingItemProps {
  finding: Finding;
  /** Whether the panel has no other finding and therefore already shows the level in its heading. */
  isAlone?: boolean;
}

export function FindingItem({ finding: { level, what, fix }, isAlone = false }: FindingItemProps) {
  const { t } = useTranslation();
  return (
    <li className="finding">
      <div className="item-text">
        <p lang="en">
          <UserText text={what} />
        </p>
        {fix !== undefined && (
          <p className="muted">
            {t('doctor.fix')}{' '}
            <span lang="en">
              <UserText text={fix} />
            </span>
          </p>
        )}
      </div>
      {!isAlone && <LevelTag level={level} />}
    </li>
  );
}
