import { Link } from '@tanstack/react-router';
import { useAllowed } from '../session/session-context.js';
import { UserText } from '../ui/user-text.js';

/** The name of a person, as a link for operators who may see the person. */
export function PersonLink({ id, name }: { id: string; name: string }) {
  const isAllowed = useAllowed();
  if (!isAllowed('accounts.show')) return <UserText text={name} />;
  return (
    <Link to="/people/$id" params={{ id }}>
      <UserText text={name} />
    </Link>
  );
}
