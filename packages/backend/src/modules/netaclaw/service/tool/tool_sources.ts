import { Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { logger } from '../../../base/log/logger.js';
import { loadBuiltinSource } from '../../tools/builtin_source.js';
import { Catalog } from '../../tools/catalog.js';
import type { Situation, ToolSource } from '../../tools/source.js';

/** The sources of this server and the catalog of all they declare. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawToolSourcesService {
  private sources: ToolSource[] = [];
  private current = new Catalog([]);
  private steady: ReadonlyMap<string, string> | null = null;

  get catalog(): Catalog {
    return this.current;
  }

  /** Loads what is built in. Called once at start. */
  async start(): Promise<void> {
    this.add(await loadBuiltinSource());
  }

  /** Adds a source; its tools are governed after the next sync. */
  add(source: ToolSource): void {
    this.sources.push(source);
    this.current = new Catalog(this.sources);
    this.steady = null;
    for (const refused of this.current.refused) {
      logger().warn(refused, 'a tool declaration was left out');
    }
  }

  /**
   * Tools that cannot work in this situation, by name, with the sentence that says why: their source
   * says so itself, or it is up and does not offer them here. The same object for as long as the answer
   * is the same, so that what is made from it can be kept.
   */
  unavailable(situation: Situation): ReadonlyMap<string, string> {
    const all = new Map<string, string>();
    for (const source of this.sources) {
      for (const [name, detail] of source.unavailable()) all.set(name, detail);
      for (const name of this.notOffered(source, situation)) {
        all.set(name, `The source ${source.name} does not offer it in this session.`);
      }
    }
    if (this.steady === null || !sameEntries(this.steady, all)) this.steady = all;
    return this.steady;
  }

  private notOffered(source: ToolSource, situation: Situation): string[] {
    const offered = source.offer(situation);
    if (offered === null) return [];
    const names = new Set(offered);
    return source.declare().flatMap(({ schema }) => (names.has(schema.name) ? [] : [schema.name]));
  }
}

const sameEntries = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([name, detail]) => b.get(name) === detail);
