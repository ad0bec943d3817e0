import type { Access } from '@netaclaw/contracts';
import type { Actor } from './actor.js';

/** The table of rights, applied: true, or a sentence that says which role would be needed. */
export function mayUse(access: Access, actor: Actor): true | string {
  if (access === 'open') return true;
  const needed = access.roles.join(' or ');
  if (actor.kind === 'key') {
    return access.keys === true || `API keys may not do this; sign in with the role ${needed}`;
  }
  return (
    access.roles.includes(actor.role) || `this needs the role ${needed}; yours is ${actor.role}`
  );
}
