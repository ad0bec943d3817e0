import { agentRoutes } from './agent.js';
import { apiKeyRoutes } from './api_key.js';
import { auditRoutes } from './audit.js';
import { authRoutes, userRoutes } from './auth.js';
import { channelRoutes } from './channel.js';
import { chatRoutes } from './chat.js';
import { crewRoutes } from './crew.js';
import { memoryRoutes } from './memory.js';
import { openAiRoutes } from './open_ai.js';
import { overviewRoutes } from './overview.js';
import type { Route } from './route.js';
import { runAdminRoutes, sessionAdminRoutes } from './run_admin.js';
import { sandboxRoutes } from './sandbox.js';
import { skillRoutes } from './skill.js';
import { systemRoutes } from './system.js';
import { toolRoutes } from './tool.js';

const byTag: Record<string, Record<string, Route>> = {
  'Sign-in': authRoutes,
  Users: userRoutes,
  Tools: toolRoutes,
  Agents: agentRoutes,
  Crews: crewRoutes,
  Memory: memoryRoutes,
  Skills: skillRoutes,
  Channels: channelRoutes,
  Chat: chatRoutes,
  OpenAI: openAiRoutes,
  Overview: overviewRoutes,
  Runs: runAdminRoutes,
  Sessions: sessionAdminRoutes,
  Sandboxes: sandboxRoutes,
  'API keys': apiKeyRoutes,
  Audit: auditRoutes,
  System: systemRoutes,
};

/** Every route of the server with its tag: what the rights tests, OpenAPI and the console go through. */
export const allRoutes: readonly { tag: string; route: Route }[] = Object.entries(byTag).flatMap(
  ([tag, routes]) => Object.values(routes).map((route) => ({ tag, route })),
);
