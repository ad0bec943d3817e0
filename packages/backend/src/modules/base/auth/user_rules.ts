import type { Role, Status } from '@netaclaw/contracts';

/** What a user may do and whether they may. */
export interface Standing {
  role: Role;
  status: Status;
}

export const isActiveAdmin = ({ role, status }: Standing): boolean =>
  role === 'admin' && status === 1;

/** True for a change after which somebody who could run this server no longer can. */
export const losesAdmin = (before: Standing, after: Standing): boolean =>
  isActiveAdmin(before) && !isActiveAdmin(after);
