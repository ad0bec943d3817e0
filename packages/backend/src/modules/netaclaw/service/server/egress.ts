import { Config, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { DomainError } from '../../../base/error.js';
import { parseAllowList } from '../../../base/net/allow_list.js';
import { EgressClient, EgressRefused } from '../../../base/net/egress.js';
import type { Settings } from '../../../../settings.js';

/** The server's one egress client, set up from `EGRESS_ALLOW`. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawEgressService {
  @Config('settings') settings: Settings;
  private made: EgressClient | null = null;

  get client(): EgressClient {
    this.made ??= new EgressClient({ allow: parseAllowList(this.settings.egressAllow) });
    return this.made;
  }

  /** Refuses an address that a person sets and that may not be reached; `path` names the field. */
  async refuseForbidden(url: string, path: string): Promise<void> {
    try {
      await this.client.check(url);
    } catch (error) {
      if (!(error instanceof EgressRefused)) throw error;
      throw new DomainError('validation', `${path}: ${error.message}`, [
        { path, message: error.message },
      ]);
    }
  }

  async stop(): Promise<void> {
    await this.made?.close();
  }
}
