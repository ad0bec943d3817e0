import type { ApiKey, ApiKeyAddBody, Role, Status, User } from '@netaclaw/contracts';

/** What an administrator can change of a user. A password that is null stays as it is. */
export interface UserDraft {
  username: string;
  role: Role;
  status: Status;
  password: string | null;
}

/** The name of a user is given once. */
export const userDraftKeys = ['role', 'status', 'password'] as const;

export const emptyUser: UserDraft = { username: '', role: 'viewer', status: 1, password: null };

export const userDraftOf = ({ username, role, status }: User): UserDraft => ({
  username,
  role,
  status,
  password: null,
});

/** The body that adds a user, who is on from the beginning. */
export const userAddBodyOf = ({ username, role, password }: UserDraft) => ({
  username,
  role,
  password: password ?? '',
});

/** What an administrator can change of an API key. */
export type ApiKeyDraft = ApiKeyAddBody;

export const apiKeyDraftKeys = ['name', 'agents', 'rateLimit', 'expiresAt', 'status'] as const;

/** A new key may use nothing until somebody decides what. */
export const emptyApiKey: ApiKeyDraft = {
  name: '',
  agents: [],
  rateLimit: null,
  expiresAt: null,
  status: 1,
};

export const apiKeyDraftOf = (key: ApiKey): ApiKeyDraft => ({
  name: key.name,
  agents: key.agents,
  rateLimit: key.rateLimit,
  expiresAt: key.expiresAt,
  status: key.status,
});

/** The three kinds of rights an API key can have over agents. */
export const agentScopes = ['all', 'none', 'some'] as const;
export type AgentScope = (typeof agentScopes)[number];

export function scopeOf(agents: readonly string[] | null): AgentScope {
  if (agents === null) return 'all';
  return agents.length === 0 ? 'none' : 'some';
}
