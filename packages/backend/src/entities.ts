import { BaseApiKeyEntity } from './modules/base/entity/api_key.js';
import { BaseAuditEntity } from './modules/base/entity/audit.js';
import { BaseCounterEntity } from './modules/base/entity/counter.js';
import { BaseNodeEntity } from './modules/base/entity/node.js';
import { BaseSignInEntity } from './modules/base/entity/sign_in.js';
import { BaseUserEntity } from './modules/base/entity/user.js';
import { NetaClawAgentEntity } from './modules/netaclaw/entity/agent.js';
import { NetaClawCrewEntity } from './modules/netaclaw/entity/crew.js';
import { NetaClawFileEntity } from './modules/netaclaw/entity/file.js';
import { NetaClawMemoryEntity } from './modules/netaclaw/entity/memory.js';
import { NetaClawModelChannelEntity } from './modules/netaclaw/entity/model_channel.js';
import { NetaClawRunEntity } from './modules/netaclaw/entity/run.js';
import { NetaClawRunRequestEntity } from './modules/netaclaw/entity/run_request.js';
import { NetaClawRunSnapshotEntity } from './modules/netaclaw/entity/run_snapshot.js';
import { NetaClawSessionEntity } from './modules/netaclaw/entity/session.js';
import { NetaClawSkillEntity } from './modules/netaclaw/entity/skill.js';
import { NetaClawSkillFileEntity } from './modules/netaclaw/entity/skill_file.js';
import { NetaClawSkillVersionEntity } from './modules/netaclaw/entity/skill_version.js';
import { NetaClawToolEntity } from './modules/netaclaw/entity/tool.js';

/** Every table of the server. */
export const entities = [
  BaseUserEntity,
  BaseSignInEntity,
  BaseApiKeyEntity,
  BaseAuditEntity,
  BaseCounterEntity,
  BaseNodeEntity,
  NetaClawToolEntity,
  NetaClawAgentEntity,
  NetaClawCrewEntity,
  NetaClawMemoryEntity,
  NetaClawSkillEntity,
  NetaClawSkillVersionEntity,
  NetaClawSkillFileEntity,
  NetaClawModelChannelEntity,
  NetaClawSessionEntity,
  NetaClawRunEntity,
  NetaClawRunRequestEntity,
  NetaClawRunSnapshotEntity,
  NetaClawFileEntity,
];
