import {
  agentRoutes,
  apiKeyRoutes,
  authRoutes,
  userRoutes,
  type AgentListItem,
  type ApiKey,
  type ApiKeyAddBody,
  type ApiKeyAdded,
  type ApiKeyPageBody,
  type ApiKeyUpdateBody,
  type Page,
  type PasswordBody,
  type User,
  type UserAddBody,
  type UserPageBody,
  type UserUpdateBody,
} from '@netaclaw/contracts';
import { call } from '../../request.js';
import { keepTokens } from '../../tokens.js';

export const pageOfUsers = (body: UserPageBody, signal: AbortSignal): Promise<Page<User>> =>
  call(userRoutes.page, { body, signal });

export const addUser = (body: UserAddBody): Promise<User> => call(userRoutes.add, { body });

export const updateUser = (body: UserUpdateBody): Promise<User> =>
  call(userRoutes.update, { body });

export const deleteUser = (id: number): Promise<{ deleted: number }> =>
  call(userRoutes.delete, { body: { ids: [id] } });

/** Changes the own password. Every other sign-in ends; this one goes on with new tokens. */
export async function changePassword(body: PasswordBody): Promise<void> {
  keepTokens(await call(authRoutes.password, { body }));
}

export const pageOfApiKeys = (body: ApiKeyPageBody, signal: AbortSignal): Promise<Page<ApiKey>> =>
  call(apiKeyRoutes.page, { body, signal });

export const addApiKey = (body: ApiKeyAddBody): Promise<ApiKeyAdded> =>
  call(apiKeyRoutes.add, { body });

export const updateApiKey = (body: ApiKeyUpdateBody): Promise<ApiKey> =>
  call(apiKeyRoutes.update, { body });

export const deleteApiKey = (id: number): Promise<{ deleted: number }> =>
  call(apiKeyRoutes.delete, { body: { ids: [id] } });

/** The agents a key can be held to. */
export const listOfAgents = (signal: AbortSignal): Promise<AgentListItem[]> =>
  call(agentRoutes.list, { body: {}, signal });
