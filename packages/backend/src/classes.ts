import { Audit } from './modules/base/audit/audit.js';
import { ApiKeys } from './modules/base/auth/api_keys.js';
import { Authorizer } from './modules/base/auth/authorize.js';
import { KeyUsage } from './modules/base/auth/key_usage.js';
import { PasswordGuard } from './modules/base/auth/password_guard.js';
import { SecretBox } from './modules/base/auth/secret_box.js';
import { Secrets } from './modules/base/auth/secrets.js';
import { SignIn } from './modules/base/auth/sign_in.js';
import { SignInFamilies } from './modules/base/auth/sign_in_families.js';
import { Standing } from './modules/base/auth/standing.js';
import { AccessTokens } from './modules/base/auth/tokens.js';
import { Users } from './modules/base/auth/users.js';
import { ApiKeyController } from './modules/base/controller/api_key.js';
import { AuditController } from './modules/base/controller/audit.js';
import { AuthController } from './modules/base/controller/auth.js';
import { UserController } from './modules/base/controller/user.js';
import { Database } from './modules/base/data/database.js';
import { migrations } from './modules/base/data/migrations/index.js';
import { ChangeCounter } from './modules/base/data/change_counter.js';
import { SystemController } from './modules/netaclaw/controller/system.js';
import { ChatController } from './modules/netaclaw/controller/chat.js';
import { OpenAiController } from './modules/netaclaw/controller/open_ai.js';
import { ToolController } from './modules/netaclaw/controller/admin/tool.js';
import { AgentController } from './modules/netaclaw/controller/admin/agent.js';
import { CrewController } from './modules/netaclaw/controller/admin/crew.js';
import { MemoryController } from './modules/netaclaw/controller/admin/memory.js';
import { SkillController } from './modules/netaclaw/controller/admin/skill.js';
import { ChannelController } from './modules/netaclaw/controller/admin/channel.js';
import { OverviewController } from './modules/netaclaw/controller/admin/overview.js';
import { RunController } from './modules/netaclaw/controller/admin/run.js';
import { NetaClawToolSourcesService } from './modules/netaclaw/service/tool/tool_sources.js';
import { NetaClawToolRegistryService } from './modules/netaclaw/service/tool/tool_registry.js';
import { NetaClawToolInfoService } from './modules/netaclaw/service/tool/tool_info.js';
import { NetaClawAgentService } from './modules/netaclaw/service/agent/agent.js';
import { NetaClawMemoryService } from './modules/netaclaw/service/memory/memory.js';
import { NetaClawMemoryAdminService } from './modules/netaclaw/service/memory/memory_admin.js';
import { NetaClawCrewService } from './modules/netaclaw/service/crew/crew.js';
import { NetaClawCrewDirectoryService } from './modules/netaclaw/service/crew/crew_directory.js';
import { NetaClawSkillService } from './modules/netaclaw/service/skill/skill.js';
import { NetaClawSkillContextService } from './modules/netaclaw/service/skill/skill_context.js';
import { NetaClawSkillDirectoryService } from './modules/netaclaw/service/skill/skill_directory.js';
import { NetaClawSkillReviewService } from './modules/netaclaw/service/skill/skill_review.js';
import { NetaClawSkillStoreService } from './modules/netaclaw/service/skill/skill_store.js';
import { NetaClawSkillTransferService } from './modules/netaclaw/service/skill/skill_transfer.js';
import { NetaClawTurnCastService } from './modules/netaclaw/service/run/turn_cast.js';
import { NetaClawEgressService } from './modules/netaclaw/service/server/egress.js';
import { NetaClawChannelCircuitsService } from './modules/netaclaw/service/channel/channel_circuits.js';
import { NetaClawChannelStoreService } from './modules/netaclaw/service/channel/channel_store.js';
import { NetaClawModelChannelService } from './modules/netaclaw/service/channel/model_channel.js';
import { SandboxController } from './modules/netaclaw/controller/admin/sandbox.js';
import { NetaClawSandboxAdminService } from './modules/netaclaw/service/computer/sandbox_admin.js';
import { NetaClawSandboxSkillsService } from './modules/netaclaw/service/computer/skill_releases.js';
import { NetaClawSandboxDriversService } from './modules/netaclaw/service/computer/sandbox_drivers.js';
import { NetaClawComputerFactsService } from './modules/netaclaw/service/computer/computer_facts.js';
import { NetaClawRunFilesService } from './modules/netaclaw/service/file/run_files.js';
import { NetaClawSandboxPoolService } from './modules/netaclaw/service/computer/sandbox_pool.js';
import { NetaClawConversationSummaryService } from './modules/netaclaw/service/run/conversation_summary.js';
import { NetaClawRunContextService } from './modules/netaclaw/service/run/run_context.js';
import { NetaClawPromptPreviewService } from './modules/netaclaw/service/agent/prompt_preview.js';
import { NetaClawNodeService } from './modules/netaclaw/service/server/node_identity.js';
import { NetaClawLiveRunsService } from './modules/netaclaw/service/run/live_runs.js';
import { NetaClawSessionHistoryService } from './modules/netaclaw/service/run/session_history.js';
import { NetaClawRunStoreService } from './modules/netaclaw/service/run/run_store.js';
import { NetaClawRunRecoveryService } from './modules/netaclaw/service/run/run_recovery.js';
import { NetaClawSessionTouchService } from './modules/netaclaw/service/session/session_touch.js';
import { NetaClawFileStoreService } from './modules/netaclaw/service/file/file_store.js';
import { NetaClawAttachmentsService } from './modules/netaclaw/service/file/attachments.js';
import { NetaClawTurnService } from './modules/netaclaw/service/run/turn.js';
import { NetaClawAgentExecutorService } from './modules/netaclaw/service/run/agent_executor.js';
import { NetaClawRunService } from './modules/netaclaw/service/run/run.js';
import { NetaClawRunEventsService } from './modules/netaclaw/service/run/run_events.js';
import { NetaClawSessionService } from './modules/netaclaw/service/session/session.js';
import { NetaClawChatService } from './modules/netaclaw/service/run/chat.js';
import { NetaClawOpenAiModelsService } from './modules/netaclaw/service/open_ai/open_ai_models.js';
import { NetaClawOpenAiChatService } from './modules/netaclaw/service/open_ai/open_ai_chat.js';
import { NetaClawFiguresService } from './modules/netaclaw/service/overview/figures.js';
import { NetaClawMetricsService } from './modules/netaclaw/service/server/metrics.js';
import { NetaClawReadinessService } from './modules/netaclaw/service/server/readiness.js';
import { NetaClawFirstStartService } from './modules/netaclaw/service/server/first_start.js';
import { NetaClawLifecycleService } from './modules/netaclaw/service/server/lifecycle.js';
import { NetaClawGateway } from './modules/netaclaw/gateway/gateway.js';
import { NetaClawGatewayDispatch } from './modules/netaclaw/gateway/dispatch.js';
import { NetaClawGatewayMethods } from './modules/netaclaw/gateway/methods.js';
import { NetaClawRunFeed } from './modules/netaclaw/gateway/run_feed.js';

/** Every class that answers routes. */
export const controllers = [
  AuthController,
  UserController,
  ApiKeyController,
  AuditController,
  ToolController,
  AgentController,
  CrewController,
  MemoryController,
  SkillController,
  ChannelController,
  OverviewController,
  RunController,
  SandboxController,
  ChatController,
  OpenAiController,
  SystemController,
];

/** Every class that the container may create. A new service or controller is one line here. */
export const classes = [
  ...controllers,
  ...migrations,
  Database,
  Secrets,
  SecretBox,
  AccessTokens,
  PasswordGuard,
  SignInFamilies,
  SignIn,
  KeyUsage,
  Authorizer,
  Standing,
  Users,
  ApiKeys,
  Audit,
  ChangeCounter,
  NetaClawToolSourcesService,
  NetaClawToolRegistryService,
  NetaClawToolInfoService,
  NetaClawAgentService,
  NetaClawMemoryService,
  NetaClawMemoryAdminService,
  NetaClawCrewService,
  NetaClawCrewDirectoryService,
  NetaClawSkillStoreService,
  NetaClawSkillService,
  NetaClawSkillTransferService,
  NetaClawSkillReviewService,
  NetaClawSkillDirectoryService,
  NetaClawSkillContextService,
  NetaClawEgressService,
  NetaClawChannelCircuitsService,
  NetaClawChannelStoreService,
  NetaClawModelChannelService,
  NetaClawSandboxDriversService,
  NetaClawSandboxPoolService,
  NetaClawComputerFactsService,
  NetaClawSandboxAdminService,
  NetaClawSandboxSkillsService,
  NetaClawRunContextService,
  NetaClawPromptPreviewService,
  NetaClawNodeService,
  NetaClawLiveRunsService,
  NetaClawConversationSummaryService,
  NetaClawSessionHistoryService,
  NetaClawRunStoreService,
  NetaClawRunRecoveryService,
  NetaClawSessionTouchService,
  NetaClawFileStoreService,
  NetaClawRunFilesService,
  NetaClawAttachmentsService,
  NetaClawTurnCastService,
  NetaClawTurnService,
  NetaClawAgentExecutorService,
  NetaClawRunService,
  NetaClawRunEventsService,
  NetaClawSessionService,
  NetaClawChatService,
  NetaClawOpenAiModelsService,
  NetaClawOpenAiChatService,
  NetaClawFiguresService,
  NetaClawMetricsService,
  NetaClawReadinessService,
  NetaClawFirstStartService,
  NetaClawLifecycleService,
  NetaClawRunFeed,
  NetaClawGatewayMethods,
  NetaClawGatewayDispatch,
  NetaClawGateway,
];
