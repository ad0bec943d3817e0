import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A file beside a version's SKILL.md: text as it is, anything else in base64. */
@Entity('netaclaw_skill_file')
@Index(['versionId', 'path'], { unique: true })
export class NetaClawSkillFileEntity {
  @PrimaryGeneratedColumn() id: number;
  @Column({ type: 'int' }) versionId: number;
  @Column({ type: 'varchar', length: 255 }) path: string;
  @Column({ type: 'int' }) size: number;
  @Column({ type: 'varchar', length: 10 }) encoding: 'utf8' | 'base64';
  @Column({ type: 'text' }) content: string;
}
