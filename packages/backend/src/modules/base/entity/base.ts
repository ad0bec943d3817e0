import { Column, PrimaryGeneratedColumn } from 'typeorm';

/** Times are set in code: SQLite's own default has whole seconds only. */
export abstract class TimedEntity {
  @Column({ type: 'datetime', precision: 3 }) createTime: Date;
  @Column({ type: 'datetime', precision: 3 }) updateTime: Date;
}

/** What every numbered row has. */
export abstract class BaseEntity extends TimedEntity {
  @PrimaryGeneratedColumn() id: number;
}
