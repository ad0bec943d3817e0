import type { AgentConfig, Capability, Runtime, Status } from '@netaclaw/contracts';
import { Column, Entity } from 'typeorm';
import { BaseEntity } from '../../base/entity/base.js';

@Entity('netaclaw_agent')
export class NetaClawAgentEntity extends BaseEntity {
  @Column({ type: 'varchar', length: 64, unique: true }) name: string;
  @Column({ type: 'varchar', length: 200 }) label: string;
  @Column({ type: 'text' }) description: string;
  @Column({ type: 'text' }) systemPrompt: string;
  @Column({ type: 'int', nullable: true }) channelId: number | null;
  @Column({ type: 'varchar', length: 20, nullable: true }) capability: Capability | null;
  @Column({ type: 'json', nullable: true }) toolsets: string[] | null;
  @Column({ type: 'json' }) tools: AgentConfig['tools'];
  @Column({ type: 'json' }) skills: string[];
  /** Null: none, as with every agent from before there were any. */
  @Column({ type: 'json', nullable: true }) pinnedSkills: string[] | null;
  @Column({ type: 'json' }) memory: AgentConfig['memory'];
  @Column({ type: 'varchar', length: 20 }) runtime: Runtime;
  @Column({ type: 'json', nullable: true }) sandbox: AgentConfig['sandbox'];
  @Column({ type: 'json' }) limits: AgentConfig['limits'];
  @Column({ type: 'int', default: 1 }) status: Status;
  @Column({ type: 'int', default: 1 }) version: number;
}
